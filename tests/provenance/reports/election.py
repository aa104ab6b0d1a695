{
    "domain": 'municipal election',
    "question": "Council election, 31 seats, D'Hondt, 5 % threshold. Votes by district are below in the code. How are the seats distributed and who has a majority (16)? Turnout per district too please.",
    "cells": [r"""votes = {
    "Harbour": {"Greens": 3120, "Labour": 4875, "Liberals": 2210, "Citizens": 1644, "Unity": 391},
    "Old Town": {"Greens": 5240, "Labour": 3318, "Liberals": 3907, "Citizens": 1120, "Unity": 288},
    "Northfield": {"Greens": 1873, "Labour": 6102, "Liberals": 1765, "Citizens": 2980, "Unity": 517},
    "Riverside": {"Greens": 2764, "Labour": 2951, "Liberals": 4420, "Citizens": 1302, "Unity": 205},
    "Hillcrest": {"Greens": 1408, "Labour": 1996, "Liberals": 51830, "Citizens": 877, "Unity": 164},
}
registered = {"Harbour": 19480, "Old Town": 21035, "Northfield": 22710, "Riverside": 17820, "Hillcrest": 14960}

def dhondt(totals, seats):
    won = dict.fromkeys(totals, 0)
    for _ in range(seats):
        best = max(totals, key=lambda p: totals[p] / (won[p] + 1))
        won[best] += 1
    return won

tot = {p: sum(d[p] for d in votes.values()) for p in votes["Harbour"]}
print(tot)
print(dhondt(tot, 31))""",
r"""# Hillcrest: 51830 Liberal votes with 14960 registered voters -> an extra zero, it must be 5183
votes["Hillcrest"]["Liberals"] = 5183
tot = {p: sum(d[p] for d in votes.values()) for p in votes["Harbour"]}
all_votes = sum(tot.values())
print(all_votes)
for p, v in sorted(tot.items(), key=lambda x: -x[1]):
    print(f"{p:<10}{v:>8}{v / all_votes:>8.2%}")""",
r"""eligible = {p: v for p, v in tot.items() if v / all_votes >= 0.05}
print(dhondt(eligible, 31))
print({d: round(100 * sum(v.values()) / registered[d], 1) for d, v in votes.items()})
print(round(100 * all_votes / sum(registered.values()), 1))"""],
    "answers": [
        ('summary of an analysis', "Labour comes first with 19,242 votes (31.74 %) and 10 of the 31 seats, followed by the Liberals (17,485 votes, 9 seats), the Greens (14,405, 8 seats) and Citizens (7,923, 4 seats). Unity stays below the 5 % threshold with 2.58 % and gets nothing. No party reaches the 16 seats needed for a majority.\n\nOne correction: the Liberals' 51,830 votes in Hillcrest were a typo (the district has only 14,960 registered voters); I used 5,183.", [
            ('stale value', '(17,485 votes, 9 seats)', '(17,485 votes, 19 seats)', '19 seats'),
            ('stale value', '10 of the 31', '6 of the 31', '6 of'),
            ('swapped entity', '(14,405, 8 seats)', '(14,405, 4 seats)', ', 4 seats) and'),
            ('digit', '31.74 %', '37.14 %'),
        ]),
        ('small integers', 'Seats: Labour 10, Liberals 9, Greens 8, Citizens 4, Unity 0.', [
            ('swapped entity', 'Labour 10, Liberals 9', 'Labour 9, Liberals 10', ['Labour 9', 'Liberals 10']),
            ('stale value', 'Citizens 4', 'Citizens 2', '2'),
            ('digit', 'Greens 8', 'Greens 7', '7'),
        ]),
        ('derived', 'Nobody has 16 seats alone. Labour and the Greens together would have 18, Labour and the Liberals 19, and even Liberals plus Greens would get there with 17. Labour with only Citizens falls two short at 14.', [
            ('miscomputed derivation', 'have 18', 'have 19', 'have 19'),
            ('miscomputed derivation', 'with 17', 'with 15', '15'),
            ('miscomputed derivation', 'at 14', 'at 13', '13'),
        ]),
        ('percent', 'Overall turnout was 63.1 %. It was highest in Old Town (66.0 %) and lowest in Northfield (58.3 %), a spread of 7.7 points; Hillcrest, after fixing the typo, comes in at 64.4 %.', [
            ('swapped entity', 'Old Town (66.0 %)', 'Old Town (65.3 %)', '65.3 %'),
            ('digit', '63.1 %', '61.3 %'),
            ('miscomputed derivation', '7.7 points', '8.7 points', '8.7'),
            ('swapped entity', 'at 64.4 %', 'at 62.8 %', '62.8 %'),
        ]),
        ('scale words', 'Roughly 60.6 thousand votes were cast among about 96 thousand registered voters. Labour led the Liberals by 1,757 votes, or 2.9 percentage points.', [
            ('scale', '60.6 thousand', '60.6 million', '60.6'),
            ('stale value', '60.6 thousand', '107.3 thousand', '107.3'),
            ('miscomputed derivation', '1,757', '1,575'),
            ('miscomputed derivation', '2.9 percentage', '9.2 percentage', '9.2'),
        ]),
        ('inequalities', 'Four of the five parties clear the 5 % hurdle. The Liberals won more than half of the votes in Hillcrest (5,183 of 9,628), and turnout exceeded 58 % everywhere.', [
            ('wrong statistic', 'exceeded 58 %', 'exceeded 63 %', '63 %'),
            ('stale value', '5,183 of', '51,830 of', '51,830'),
            ('miscomputed derivation', '9,628', '9,268'),
        ]),
        ('list or table', '| Party | Votes | Share | Seats |\n|---|---:|---:|---:|\n| Labour | 19,242 | 31.7 % | 10 |\n| Liberals | 17,485 | 28.8 % | 9 |\n| Greens | 14,405 | 23.8 % | 8 |\n| Citizens | 7,923 | 13.1 % | 4 |\n| Unity | 1,565 | 2.6 % | – |\n| **Total** | **60,620** | | **31** |', [
            ('stale value', '| 17,485 |', '| 64,132 |', '64,132'),
            ('digit', '1,565', '1,655'),
            ('digit', '| 23.8 % | 8 |', '| 13.8 % | 8 |', '13.8 %'),
            ('stale value', '60,620', '107,267'),
        ]),
    ],
}
