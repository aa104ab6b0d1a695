{
    "domain": 'sqlhr',
    "question": 'How are salaries distributed over the departments?',
    "cells": [
        r"""
import sqlite3
db = sqlite3.connect(":memory:")
db.execute("create table emp(name text, dept text, salary int, hired text)")
db.executemany("insert into emp values(?,?,?,?)", [("Ana","Sales",48000,"2019-03-01"),("Ben","Sales",52500,"2021-06-15"),("Cleo","IT",67000,"2018-01-10"),
 ("Dov","IT",71500,"2016-11-20"),("Eli","IT",59000,"2022-09-01"),("Fay","Legal",83000,"2015-05-05"),("Gus","Sales",45500,"2023-02-01"),("Hana","Legal",76000,"2020-10-12")])
cur = db.execute("select dept, count(*) n, avg(salary) avg_salary, min(salary) lo, max(salary) hi from emp group by dept order by avg_salary desc")
print(" | ".join(d[0] for d in cur.description))
for row in cur: print(" | ".join(str(x) for x in row))
""",
        r"""
print(db.execute("select sum(salary), avg(salary) from emp").fetchone())
print(db.execute("select name, hired from emp order by hired limit 1").fetchall())
print(db.execute("select count(*) from emp where salary > 60000").fetchone()[0])
""",
    ],
    "answers": [
        ('plain', 'Legal pays best with an average of 79,500, followed by IT (65,833) and Sales (48,667).', [
            ('swapped entity', '79,500', '65,800'),
            ('digit', '48,667', '46,867'),
            ('swapped entity', '(65,833)', '(62,813)', '62,813'),
        ]),
        ('plain', 'In IT salaries range from 59,000 to 71,500.', [
            ('swapped entity', '59,000', '76,000'),
            ('wrong statistic', '71,500', '65,833'),
        ]),
        ('plain', 'Fay was hired first, on 5 May 2015; 4 of the 8 employees earn more than 60,000.', [
            ('digit', '4 of', '6 of', '6 of'),
            ('digit', '8 employees', '9 employees', '9 employees'),
        ]),
        ('derived', 'The total payroll is 502,500, so the eight people earn 62,812.50 on average.', [
            ('digit', '502,500', '520,500'),
            ('wrong statistic', '62,812.50', '65,833.33'),
        ]),
        ('derived', 'On average Legal earns 30,833 more than Sales, that is 63 % more.', [
            ('miscomputed derivation', '30,833', '33,083'),
            ('miscomputed derivation', '63 %', '39 %'),
            ('sign or direction', 'more than Sales, that', 'less than Sales, that', '30,833'),
        ]),
        ('derived', 'The spread within Sales is 7,000, within IT 12,500.', [
            ('miscomputed derivation', '7,000', '9,000'),
            ('swapped entity', '7,000, within IT 12,500', '12,500, within IT 7,000', ['12,500', '7,000']),
        ]),
        ('fractions in words', 'Half of the staff earn over 60,000.', [
            ('invented', '60,000', '75,000'),
        ]),
        ('German', 'Im Schnitt verdienen die zwei Juristen 79.500 €, die drei Leute im Verkauf 48.666,67 €.', [
            ('digit', '79.500', '75.900'),
            ('swapped entity', '48.666,67', '65.833,33'),
        ]),
    ],
}
