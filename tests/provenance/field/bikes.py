{
"domain": "bike sharing",
"question": "Compare member and casual trips by weekday. When do casual riders matter most?",
"cells": [
r"""import sqlite3
con = sqlite3.connect(":memory:")
con.execute("create table trips(day text, ord int, kind text, n int, minutes real)")
data = [("Mon",1,"member",3120,11.8),("Mon",1,"casual",640,22.5),("Tue",2,"member",3385,11.6),("Tue",2,"casual",605,21.9),
("Wed",3,"member",3410,11.7),("Wed",3,"casual",688,22.1),("Thu",4,"member",3296,11.9),("Thu",4,"casual",742,23.0),
("Fri",5,"member",2954,12.4),("Fri",5,"casual",1015,24.6),("Sat",6,"member",1872,14.9),("Sat",6,"casual",2431,29.7),
("Sun",7,"member",1540,15.3),("Sun",7,"casual",2168,31.2)]
con.executemany("insert into trips values(?,?,?,?,?)", data)
q = '''select day, sum(case when kind='member' then n end) member, sum(case when kind='casual' then n end) casual,
 round(100.0*sum(case when kind='casual' then n end)/sum(n),1) casual_pct from trips group by day order by ord'''
for r in con.execute(q):
    print(r)""",
r"""for r in con.execute("select kind, sum(n), round(sum(n*minutes)/sum(n),1) from trips group by kind"):
    print(r)""",
],
"answers": [
("derived", "On weekends: casual riders outnumber members by 559 on Saturday and by 628 on Sunday.", [
    ("swapped entity", "559 on Saturday and by 628 on Sunday", "628 on Saturday and by 559 on Sunday", ["628", "559"]),
    ("sign or direction", "casual riders outnumber members by 559", "members outnumber casual riders by 559", "559"),
    ("miscomputed derivation", "559", "659"),
]),
("derived", "Over the week casual riders are 30% of the 27,866 trips (8,289). Members ride 2.4 times as often.", [
    ("miscomputed derivation", "30%", "42%", "42"),
    ("miscomputed derivation", "27,866", "28,766"),
    ("swapped entity", "(8,289)", "(19,577)", "19,577"),
    ("miscomputed derivation", "2.4 times", "3.4 times", "3.4"),
]),
("plain", "Casual trips last 27.1 minutes on average, more than twice as long as members' 12.4.", [
    ("swapped entity", "27.1 minutes on average, more than twice as long as members' 12.4", "12.4 minutes on average, more than twice as long as members' 27.1", ["12.4", "27.1"]),
    ("digit", "27.1", "21.7"),
    ("sign or direction", "more than twice as long as", "less than half as long as", ["27.1", "12.4"]),
]),
("summary of an analysis", "From Monday to Thursday the casual share lies between 15.2% and 18.4%. On Friday it rises to 25.6%, and on both weekend days casual riders are in the majority with 56.5% and 58.5%. Saturday and Sunday together bring in 4,599 casual trips, 55% of the week's 8,289, but only 3,412 of the 19,577 member trips, i.e. 17%. Saturday's casual volume of 2,431 is four times that of Tuesday, the weakest day.", [
    ("miscomputed derivation", "4,599", "4,959"),
    ("sign or direction", "rises to 25.6%", "falls to 25.6%", "25.6"),
    ("wrong column", "volume of 2,431", "volume of 1,872", "1,872"),
    ("miscomputed derivation", "i.e. 17%", "i.e. 27%", "27"),
]),
("list or table", '''**Members**
- 16,165 trips Monday to Friday, on average 3,233 per day
- peak on Wednesday (3,410), 1,870 above Sunday's low of 1,540

**Casual**
- 3,690 trips Monday to Friday, 738 a day
- from Thursday to Friday +273, while members fell by 342''', [
    ("miscomputed derivation", "3,233 per day", "3,323 per day", "3,323"),
    ("sign or direction", "members fell by 342", "members rose by 342", "342"),
    ("sign or direction", "1,870 above", "1,870 below", "1,870"),
    ("miscomputed derivation", "738 a day", "838 a day", "838"),
]),
("derived", "A casual trip takes 14.7 minutes longer than a member's.", [
    ("sign or direction", "14.7 minutes longer", "14.7 minutes shorter", "14.7"),
    ("miscomputed derivation", "14.7", "15.7"),
    ("number of something else", "14.7", "12.4"),
]),
]
}
