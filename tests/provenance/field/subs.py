{
"domain": "subscriptions",
"question": "How did our subscriber base develop over the first half of the year, and what about churn?",
"cells": [
r"""start = 8400
new   = {"Jan": 612, "Feb": 548, "Mar": 731, "Apr": 695, "May": 804, "Jun": 777}
lost  = {"Jan": 395, "Feb": 420, "Mar": 388, "Apr": 512, "May": 447, "Jun": 361}
n = start
print("month  start   new  lost    end  churn%")
for m in new:
    end = n + new[m] - lost[m]
    print(f"{m:<5}{n:>7}{new[m]:>6}{lost[m]:>6}{end:>7}{lost[m]/n*100:>8.2f}")
    n = end""",
r"""print("new total", sum(new.values()), "lost total", sum(lost.values()), "end", n)""",
],
"answers": [
("derived", "You grew from 8,400 to 10,044 subscribers, a net gain of 1,644 or almost 20%.", [
    ("miscomputed derivation", "1,644", "1,464"),
    ("sign or direction", "grew from 8,400 to 10,044", "shrank from 8,400 to 10,044", ["8,400", "10,044"]),
    ("miscomputed derivation", "almost 20%", "almost 16%", "16"),
    ("sign or direction", "net gain of 1,644", "net loss of 1,644", "1,644"),
]),
("plain", "Churn was worst in April at 5.63% and lowest in June at 3.75%.", [
    ("swapped entity", "5.63% and lowest in June at 3.75%", "3.75% and lowest in June at 5.63%", ["3.75", "5.63"]),
    ("swapped entity", "3.75%", "4.44%", "4.44"),
    ("scale", "5.63%", "56.3%", "56.3"),
]),
("derived", "4,167 came, 2,523 left: five new ones for every three lost, roughly (ratio 1.65).", [
    ("miscomputed derivation", "1.65", "1.56"),
    ("swapped entity", "4,167 came, 2,523 left", "2,523 came, 4,167 left", ["2,523", "4,167"]),
    ("digit", "2,523", "2,253"),
]),
("summary of an analysis", "The second quarter was stronger on sign-ups: 2,276 against 1,891 in the first, an increase of 20%. Losses rose too, but less, from 1,203 to 1,320. April was the exception, when 512 people left and the net gain dropped to 183, down from 343 in March. June had the best net result, +416, because only 361 cancelled, 151 fewer than in April. On average you gained 274 subscribers a month.", [
    ("miscomputed derivation", "increase of 20%", "increase of 17%", "17"),
    ("sign or direction", "from 1,203 to 1,320", "from 1,320 to 1,203", ["1,320", "1,203"]),
    ("sign or direction", "dropped to 183", "climbed to 183", "183"),
    ("miscomputed derivation", "151 fewer", "251 fewer", "251"),
]),
("list or table", '''Net change by month:

- Jan: +217
- Feb: +128
- Mar: +343
- Apr: +183
- May: +357
- Jun: +416

February was the weakest month, 288 behind June.''', [
    ("miscomputed derivation", "+357", "+375"),
    ("sign or direction", "+128", "-128"),
    ("miscomputed derivation", "288", "388"),
    ("sign or direction", "288 behind June", "288 ahead of June", "288"),
]),
("derived", "Monthly churn fell by 1.88 points between April and June, so from 5.63% to 3.75%.", [
    ("sign or direction", "fell by 1.88", "rose by 1.88", "1.88"),
    ("miscomputed derivation", "1.88", "2.12"),
    ("swapped entity", "between April and June, so from 5.63%", "between April and June, so from 4.82%", "4.82"),
]),
]
}
