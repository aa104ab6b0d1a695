{
    "domain": "sports",
    "question": "Make the league table and tell me about the season.",
    "cells": ['''
import sqlite3

db = sqlite3.connect(":memory:")
db.execute("create table games (home text, away text, hg integer, ag integer)")
teams = ["Rovers", "United", "Wanderers", "Athletic", "City"]
goals = [(2, 1), (0, 0), (3, 1), (1, 2), (1, 1), (4, 0), (2, 2), (0, 1), (2, 0), (1, 3), (5, 1), (0, 2), (1, 0), (2, 3),
         (1, 1), (3, 2), (0, 0), (2, 1), (1, 4), (2, 0)]
pairs = [(a, b) for a in teams for b in teams if a != b]
db.executemany("insert into games values (?, ?, ?, ?)", [(*p, *g) for p, g in zip(pairs, goals)])
rows = db.execute("""
select team, count(*) played, sum(f > a) won, sum(f = a) drawn, sum(f < a) lost, sum(f) scored, sum(a) conceded,
       sum(case when f > a then 3 when f = a then 1 else 0 end) points
from (select home team, hg f, ag a from games union all select away, ag, hg from games) group by team
order by points desc, sum(f) - sum(a) desc""").fetchall()
for row in rows:
    print(*row, sep="\\t")
''', '''
print("games:", db.execute("select count(*) from games").fetchone()[0])
print("goals:", db.execute("select sum(hg + ag) from games").fetchone()[0])
print("home wins:", db.execute("select count(*) from games where hg > ag").fetchone()[0])
print("draws:", db.execute("select count(*) from games where hg = ag").fetchone()[0])
'''],
    "answers": [
        ("plain", "City won the league with 16 points, five ahead of United.", [
            ("swapped entity", "City won the league with 16 points, five ahead of United", "United won the league with 16 points, five ahead of City", "16"),
            ("digit", "16 points", "19 points"),
            ("wrong column", "16 points", "12 points")]),
        ("list or table", "| # | team | W | D | L | goals | points |\n|---|---|---|---|---|---|---|\n| 1 | City | 5 | 1 | 2 | 12:9 | 16 |\n| 2 | United | 3 | 2 | 3 | 15:11 | 11 |\n| 3 | Wanderers | 3 | 2 | 3 | 13:12 | 11 |\n| 4 | Rovers | 2 | 3 | 3 | 7:8 | 9 |\n| 5 | Athletic | 2 | 2 | 4 | 11:18 | 8 |", [
            ("digit", "| 7:8 | 9 |", "| 7:8 | 6 |", "7:8 | 6"),
            ("swapped entity", "15:11", "13:11", "13:11")]),
        ("plain", "58 goals fell in 20 games, 2.9 per game.", [
            ("miscomputed derivation", "2.9 per game", "2.6 per game"),
            ("digit", "58 goals", "85 goals"),
            ("swapped entity", "58 goals fell in 20 games", "20 goals fell in 58 games", ["20 goals", "58 games"])]),
        ("percent", "The home side won 45 % of the games (9 of 20), a quarter were drawn.", [
            ("miscomputed derivation", "45 %", "55 %"),
            ("number of something else", "(9 of 20)", "(5 of 20)", "5 of")]),
        ("derived", "That leaves 6 away wins.", [
            ("miscomputed derivation", "6 away wins", "8 away wins")]),
        ("small integers", "Athletic lost 4 times and conceded 18 goals, more than anybody else.", [
            ("swapped entity", "Athletic lost 4 times", "Rovers lost 4 times", ["4 times", "18"]),
            ("wrong column", "conceded 18 goals", "conceded 11 goals", "11")]),
        ("small integers", "Five teams played 8 games each.", [
            ("digit", "8 games", "6 games")]),
    ],
}
