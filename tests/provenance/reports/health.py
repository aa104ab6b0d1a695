{
    "domain": "public health",
    "question": "Please compare the flu seasons 2022 and 2023 by district (cases per 100,000), and check whether vaccination coverage in the over-65s goes together with fewer cases. The national target for coverage is 75%.",
    "cells": [
r"""import pandas as pd
districts = pd.DataFrame({
    "district": ["Northgate", "Riverside", "Old Town", "Eastfield", "Harbour", "Millbrook", "Westhill"],
    "population": [84210, 126540, 39875, 152300, 61480, 97660, 48120],
    "flu_2022": [412, 705, 188, 1013, 277, 436, 201],
    "flu_2023": [519, 668, 240, 1342, 301, 455, 196],
    "vaccinated_65plus": [9120, 13480, 5230, 12110, 7015, 10480, 6120],
    "pop_65plus": [13950, 18320, 7745, 21960, 9380, 15010, 7890],
    "hosp_2023": [31, 44, 19, 97, 17, 24, 11],
})
districts""",
r"""d = districts.set_index("district")
rates = pd.DataFrame({
    "inc_2022": d.flu_2022 / d.population * 1e5,
    "inc_2023": d.flu_2023 / d.population * 1e5,
    "change_pct": (d.flu_2023 / d.flu_2022 - 1) * 100,
    "coverage_65": d.vaccinated_65plus / d.pop_65plus * 100,
    "hosp_per_100_cases": d.hosp_2023 / d.flu_2023 * 100,
}).round(1)
print(rates.to_string())""",
r"""total = d.sum()
print(total)
print(f"overall incidence 2022: {total.flu_2022/total.population*1e5:.1f}, 2023: {total.flu_2023/total.population*1e5:.1f} per 100,000")
print(f"coverage 65+: {total.vaccinated_65plus/total.pop_65plus:.1%}")""",
r"""rates[["coverage_65", "inc_2023", "hosp_per_100_cases"]].corr().round(3)""",
    ],
    "answers": [
        ("summary of an analysis", "**Summary**\n\nAcross the seven districts, flu cases rose from 3,232 in 2022 to 3,721 in 2023, an increase of 489 cases or 15.1%. Incidence went up from 529.7 to 609.8 per 100,000 inhabitants. **Eastfield** is by far the worst affected (881.2 per 100,000, up 32.5%), **Westhill** the least (407.3).", [
            ("miscomputed derivation", "15.1%", "13.1%"),
            ("sign or direction", "up 32.5%", "down 32.5%", "32.5%"),
            ("swapped entity", "(407.3)", "(465.9)", "465.9"),
            ("scale", "per 100,000 inhabitants", "per 10,000 inhabitants", ["529.7", "609.8", "10,000 inhabitants"]),
        ]),
        ("percent", "Coverage among people aged 65 and over is 67.4% overall, which is 7.6 percentage points short of the 75% target. Only Westhill reaches it (77.6%); Harbour just misses it with 74.8%. Eastfield trails at 55.1%.", [
            ("question number given as result", "is 67.4% overall, which", "is 75.0% overall, which", "75.0%"),
            ("miscomputed derivation", "7.6 percentage points", "8.6 percentage points", "8.6"),
            ("swapped entity", "with 74.8%", "with 73.6%", "73.6%"),
        ]),
        ("plain", "Yes, strongly: at the district level the correlation between coverage and 2023 incidence is −0.953. With hospitalisations per 100 cases the link is weaker (−0.54). Keep in mind this is only seven data points and no proof of cause and effect.", [
            ("sign or direction", "−0.953", "+0.953"),
            ("swapped entity", "(−0.54)", "(0.645)", "0.645"),
            ("digit", "−0.953", "−0.935"),
        ]),
        ("counted", "Five of the seven districts saw more cases than in the year before; only Riverside (−5.2%) and Westhill (−2.5%) improved. In absolute terms, Eastfield added 329 cases – two thirds of the total net increase.", [
            ("miscomputed derivation", "329 cases", "429 cases", "429"),
            ("swapped entity", "Riverside (−5.2%)", "Riverside (−2.2%)", "−2.2%"),
        ]),
        ("list or table", "- Eastfield: 665.1 → 881.2 (+32.5%)\n- Northgate: 489.3 → 616.3 (+26.0%)\n- Old Town: 471.5 → 601.9 (+27.7%)\n- Riverside: 557.1 → 527.9 (−5.2%)\n- Harbour: 450.6 → 489.6 (+8.7%)\n- Millbrook: 446.4 → 465.9 (+4.4%)\n- Westhill: 417.7 → 407.3 (−2.5%)", [
            ("digit", "616.3", "661.3"),
            ("sign or direction", "(−5.2%)", "(+5.2%)", "+5.2%"),
            ("digit", "450.6", "460.5"),
        ]),
        ("derived", "243 people were hospitalised in 2023, i.e. about 6.5 per 100 cases. The severity ratio was highest in Old Town (7.9), ahead of Eastfield (7.2), and lowest in Millbrook (5.3). Eastfield still accounts for 97 of the 243 admissions – 40%.", [
            ("miscomputed derivation", "about 6.5 per", "about 7.5 per", "7.5"),
            ("swapped entity", "Old Town (7.9)", "Old Town (6.6)", "6.6"),
            ("number of something else", "for 97 of", "for 44 of", "44"),
        ]),
        ("French", "Entre 2022 et 2023, l'incidence est passée de 529,7 à 609,8 cas pour 100 000 habitants. La couverture vaccinale des 65 ans et plus est de 67,4 %, et Eastfield présente la plus faible (55,1 %). La corrélation entre couverture et incidence atteint −0,953.", [
            ("digit", "609,8", "690,8"),
            ("swapped entity", "(55,1 %)", "(65,4 %)", "65,4 %"),
        ]),
        ("derived", "To hit 75% coverage you'd need around 70,700 vaccinated over-65s in the whole area; with 63,555 so far, roughly 7,100 are missing. More than half of that shortfall, 4,360 people, sits in Eastfield.", [
            ("miscomputed derivation", "roughly 7,100", "roughly 9,100", "9,100"),
            ("digit", "63,555", "65,355"),
            ("miscomputed derivation", "4,360", "5,360"),
        ]),
    ],
}
