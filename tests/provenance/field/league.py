{
"domain": "football league",
"question": "Build the table after 20 matches and tell me how tight it is at the top.",
"cells": [
r"""import pandas as pd
res = pd.DataFrame([("Rovers",13,4,3,41,19),("Athletic",12,5,3,38,17),("City",12,2,6,44,27),("Wanderers",8,7,5,30,22),
 ("Albion",7,4,9,27,29),("Town",5,6,9,22,28),("United",3,5,12,19,36),("County",2,3,15,14,57)],
 columns=["team","W","D","L","GF","GA"])
res["GD"] = res.GF - res.GA
res["Pts"] = 3 * res.W + res.D
print(res.sort_values(["Pts","GD"], ascending=False).to_string(index=False))""",
r"""print("goals in total:", res.GF.sum(), "matches:", int((res.W + res.D + res.L).sum() / 2))""",
],
"answers": [
("derived", "Rovers lead with 43 points, two more than Athletic and 5 ahead of City.", [
    ("miscomputed derivation", "5 ahead of City", "6 ahead of City", "6"),
    ("sign or direction", "5 ahead of City", "5 behind City", "5"),
    ("swapped entity", "43 points", "41 points", "41"),
]),
("derived", "City scored the most, 44 goals, which is 3 more than Rovers, but they also conceded 8 more.", [
    ("sign or direction", "3 more than Rovers", "3 fewer than Rovers", "3"),
    ("miscomputed derivation", "conceded 8 more", "conceded 10 more", "10"),
    ("swapped entity", "44 goals", "38 goals", "38"),
]),
("derived", "235 goals in 80 matches: 2.94 per game.", [
    ("miscomputed derivation", "2.94", "3.94"),
    ("number of something else", "80 matches", "20 matches", "20"),
    ("digit", "235", "253"),
]),
("summary of an analysis", "It's a three-horse race. First and third are separated by 5 points (43 and 38), then there's a gap of 7 to Wanderers with 31. The top three have scored 123 of the 235 goals, 52%. Athletic have the best defence with only 17 conceded, two fewer than Rovers. At the other end County have a goal difference of -43 and have let in 57, exactly 40 more than Athletic and nearly a quarter of all goals.", [
    ("miscomputed derivation", "123 of the 235", "132 of the 235", "132"),
    ("sign or direction", "goal difference of -43", "goal difference of +43", "+43"),
    ("miscomputed derivation", "exactly 40 more", "exactly 30 more", "30"),
    ("swapped entity", "Wanderers with 31", "Wanderers with 25", "25"),
]),
("list or table", '''1. Rovers 43
2. Athletic 41 (2 behind)
3. City 38 (5 behind)
4. Wanderers 31 (12 behind)
5. Albion 25 (18 behind)

Rovers average 2.15 points a match, County 0.45.''', [
    ("miscomputed derivation", "2.15", "2.51"),
    ("miscomputed derivation", "12 behind", "11 behind", "11"),
    ("sign or direction", "18 behind", "18 ahead", "18"),
]),
("counted", "Four of the eight teams have a positive goal difference. Wanderers drew most often (7 times); 18 of the 80 matches ended level, 22.5%.", [
    ("miscomputed derivation", "18 of the 80", "36 of the 80", "36"),
    ("miscomputed derivation", "22.5%", "25.5%", "25.5"),
    ("swapped entity", "(7 times)", "(6 times)", "6"),
]),
]
}
