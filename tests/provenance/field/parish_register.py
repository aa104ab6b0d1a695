{
    "domain": 'genealogy',
    "question": 'I transcribed the burials of our family from the parish register. What was the typical lifespan, and how many children died before five?',
    "cells": [
r"""import sqlite3
con = sqlite3.connect(":memory:")
con.execute("create table p(name text, born int, died int, sex text, village text)")
con.executemany("insert into p values(?,?,?,?,?)", [
 ("Johann", 1702, 1771, "m", "Aldern"), ("Maria", 1708, 1783, "f", "Aldern"), ("Anna", 1731, 1733, "f", "Aldern"),
 ("Peter", 1733, 1801, "m", "Aldern"), ("Hans", 1735, 1736, "m", "Aldern"), ("Elisabeth", 1738, 1822, "f", "Weil"),
 ("Georg", 1741, 1745, "m", "Weil"), ("Barbara", 1760, 1798, "f", "Weil"), ("Jakob", 1762, 1834, "m", "Weil"),
 ("Margaretha", 1764, 1764, "f", "Weil"), ("Christian", 1767, 1829, "m", "Brug"), ("Dorothea", 1771, 1859, "f", "Brug"),
 ("Michael", 1774, 1777, "m", "Brug"), ("Sophie", 1790, 1848, "f", "Brug"), ("Friedrich", 1795, 1812, "m", "Brug"),
 ("Karl", 1798, 1871, "m", "Brug")])
for r in con.execute("select village, count(*), min(born), max(died), round(avg(died-born),1) from p group by village"):
    print(r)
print(con.execute("select count(*), round(avg(died-born),1) from p").fetchone())
""",
r"""ages = sorted(a for (a,) in con.execute("select died-born from p"))
print(ages)
n = len(ages)
print("median", (ages[n//2 - 1] + ages[n//2]) / 2)
adult = [a for a in ages if a >= 16]
print("reached 16:", len(adult), "their mean", round(sum(adult) / len(adult), 1))
print("under five:", sum(a < 5 for a in ages))
print(con.execute("select sex, count(*), round(avg(died-born),1) from p where died-born>=16 group by sex").fetchall())
""",
    ],
    "answers": [
        ('plain', 'The typical lifespan was 60 years (median); the mean is only 44.6 because of the children.', [
            ('wrong statistic', '60 years', '64 years', '64'),
            ('digit', '44.6', '46.4'),
            ('wrong statistic', '44.6', '50.2'),
        ]),
        ('counted', 'Five of the 16 people in the register, nearly a third, died before their fifth birthday.', [
            ('miscomputed derivation', 'Five of the 16', '7 of the 16', '7'),
            ('number of something else', 'of the 16', 'of the 11', '11'),
        ]),
        ('inequalities', 'Whoever reached 16 could expect a decent life: those 11 lived to 64 on average.', [
            ('wrong statistic', '64', '60'),
            ('digit', 'those 11', 'those 12', '12'),
            ('wrong statistic', '64', '44.6'),
        ]),
        ('derived', 'Among the adults, women outlived men by 8.4 years (68.6 against 60.2).', [
            ('sign or direction', 'women outlived men by 8.4 years (68.6 against 60.2)', 'men outlived women by 8.4 years (68.6 against 60.2)', ['8.4', '68.6', '60.2']),
            ('miscomputed derivation', '8.4', '10.6'),
            ('wrong column', '60.2', '50.2'),
        ]),
        ('dates, versions, ordinals', 'The register covers births from 1702 on, and the last death is in 1871, so 169 years in all.', [
            ('swapped entity', '1871', '1834'),
            ('miscomputed derivation', '169', '132'),
            ('digit', '1702', '1720'),
            ('swapped entity', '1702', '1738'),
        ]),
        ('summary of an analysis', 'Average age at death was highest in Brug (50.2, six people) and lowest in Weil (39.6, five people), Aldern being in between at 43. With so few graves that difference of 10.6 years means little. The oldest of them all was Dorothea, who died at 88.', [
            ('swapped entity', '39.6', '43.0'),
            ('miscomputed derivation', '10.6', '12.6'),
            ('digit', 'died at 88', 'died at 84', '84'),
            ('swapped entity', 'at 43.', 'at 40.', '40'),
        ]),
    ],
}
