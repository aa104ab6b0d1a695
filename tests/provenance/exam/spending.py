{
    "domain": "local journalism",
    "question": "I'm a reporter looking at city contracts 2021-2023. Which suppliers got the most, how much was awarded without a tender, and is anybody staying suspiciously just below the 150k tender threshold?",
    "cells": [
r'''import sqlite3
con = sqlite3.connect(":memory:")
con.executescript("""
create table contracts(id integer primary key, supplier text, dept text, year int, amount int, tendered int);
insert into contracts(supplier, dept, year, amount, tendered) values
('Northgate Paving','Roads',2021,418500,1),('Northgate Paving','Roads',2022,612300,1),('Northgate Paving','Roads',2023,955000,0),
('Northgate Paving','Parks',2023,88400,0),('Ellison & Reed','IT',2021,149900,0),('Ellison & Reed','IT',2022,149500,0),
('Ellison & Reed','IT',2023,149800,0),('Ellison & Reed','Library',2023,62750,0),('Greenleaf','Parks',2021,205000,1),
('Greenleaf','Parks',2022,198600,1),('Greenleaf','Parks',2023,231400,1),('Baxter Cleaning','Schools',2021,327200,1),
('Baxter Cleaning','Schools',2022,341900,1),('Baxter Cleaning','Schools',2023,402650,1),('Holm Catering','Schools',2022,176300,1),
('Holm Catering','Schools',2023,183200,1),('Vantage Legal','Mayor',2022,97500,0),('Vantage Legal','Mayor',2023,243800,0),
('Pike Software','IT',2023,318000,1),('Pike Software','Library',2021,41200,0);
""")
for row in con.execute("select year, count(*), sum(amount), sum(case when tendered=0 then amount end) from contracts group by year"):
    print(row)''',
r'''con.execute("""select supplier, count(*) n, sum(amount) total, round(100.0*sum(amount)/(select sum(amount) from contracts),1) pct
from contracts group by supplier order by total desc""").fetchall()''',
r"""q = "select supplier, dept, year, amount from contracts where tendered=0 and amount between 140000 and 150000 order by year"
rows = con.execute(q).fetchall()
for r in rows: print(*r, sep=" | ")
print(len(rows), "contracts just under the 150,000 tender threshold, together", sum(r[3] for r in rows))"""],
    "answers": [
        ("summary of an analysis", "Contracts awarded without a tender exploded in 2023: $1,499,750, up from $247,000 in 2022 and $191,100 in 2021. That is 57% of that year's $2,635,000; in the two years before, the share was around 16%.", [
            ("digit", "$1,499,750", "$1,949,750", "1,949,750"),
            ("swapped entity", "$247,000 in 2022 and $191,100 in 2021", "$191,100 in 2022 and $247,000 in 2021", ["191,100", "247,000"]),
            ("miscomputed derivation", "That is 57%", "That is 43%", "43%"),
        ]),
        ("plain", "Northgate Paving received the most, $2,074,200 across 4 contracts, which is 38.7% of everything the city awarded.", [
            ("digit", "$2,074,200", "$2,047,200", "2,047,200"),
            ("swapped entity", "38.7%", "20.0%"),
            ("digit", "across 4 contracts", "across 3 contracts", "3 contracts"),
            ("invented", "across 4 contracts", "across 4 contracts and 11 amendments", "11 amendments"),
        ]),
        ("counted", "Ellison & Reed got three untendered IT contracts just under the 150,000 threshold, one each year: 149,900, 149,500 and 149,800, together 449,200.", [
            ("digit", "149,500", "145,900"),
            ("miscomputed derivation", "together 449,200", "together 450,000", "450,000"),
        ]),
        ("scale words", "In total the database holds 20 contracts worth about $5.35 million, of which $1.94 million (36%) went out without competition.", [
            ("scale", "$5.35 million", "$53.5 million", "53.5"),
            ("rounding", "$5.35 million", "$5.36 million", "5.36"),
            ("miscomputed derivation", "$1.94 million", "$1.75 million", "1.75"),
            ("miscomputed derivation", "(36%)", "(26%)", "26%"),
            ("digit", "holds 20 contracts", "holds 22 contracts", "22"),
        ]),
        ("list or table", "Top suppliers 2021–2023:\n1. Northgate Paving – $2,074,200\n2. Baxter Cleaning – $1,071,750\n3. Greenleaf – $635,000\n4. Ellison & Reed – $511,950", [
            ("swapped entity", "Greenleaf – $635,000", "Greenleaf – $359,500", "359,500"),
            ("digit", "$1,071,750", "$1,017,750", "1,017,750"),
        ]),
        ("derived", "Spending on these contracts more than doubled, from $1.14 million in 2021 to $2.64 million in 2023; the biggest jump was 67% between 2022 and 2023.", [
            ("miscomputed derivation", "was 67%", "was 76%", "76%"),
            ("swapped entity", "from $1.14 million", "from $1.58 million", "1.58"),
        ]),
        ("derived", "Vantage Legal's untendered work for the mayor's office rose to 2.5 times its 2022 amount, from $97,500 to $243,800, and Northgate's single road contract of 2023 ($955,000) makes up 64% of all untendered money that year.", [
            ("miscomputed derivation", "2.5 times", "3.5 times", "3.5"),
            ("wrong column", "from $97,500", "from $88,400", "88,400"),
            ("miscomputed derivation", "makes up 64%", "makes up 36%", "36%"),
        ]),
    ],
}
