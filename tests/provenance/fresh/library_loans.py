{
    "domain": "library",
    "question": "How are the branches of the city library doing?",
    "cells": ['''
import pandas as pd
loans = pd.DataFrame({
    "branch": ["Central", "North", "Harbour", "Hill"],
    "loans_2022": [48210, 17350, 9120, 5480],
    "loans_2023": [51890, 16240, 10475, 5395],
    "members": [8120, 3015, 1980, 940],
})
loans["change_pct"] = ((loans.loans_2023 / loans.loans_2022 - 1) * 100).round(2)
loans["per_member"] = (loans.loans_2023 / loans.members).round(2)
loans
''', '''
summary = {"loans 2022": int(loans.loans_2022.sum()), "loans 2023": int(loans.loans_2023.sum()), "members": int(loans.members.sum())}
summary
''', '''
genre = pd.Series({"fiction": 37204, "children": 22118, "nonfiction": 16987, "media": 7691}, name="loans")
print(genre)
print((genre / genre.sum() * 100).round(1))
'''],
    "answers": [
        ("summary of an analysis", "Loans rose from 80,160 in 2022 to 84,000 in 2023. Harbour grew fastest (+14.86 %), Central added 7.63 %, while North lost 6.4 % and Hill 1.55 %. Central remains by far the largest branch with 51,890 loans.", [
            ("swapped entity", "while North lost 6.4 % and Hill 1.55 %", "while North lost 1.55 % and Hill 6.4 %", ["1.55 %", "6.4 %"]),
            ("sign or direction", "North lost 6.4 %", "North gained 6.4 %", "6.4 %"),
            ("wrong column", "51,890", "48,210"),
            ("digit", "84,000", "48,000")]),
        ("derived", "That is an increase of 4.8 %, or 3,840 loans.", [
            ("miscomputed derivation", "4.8 %", "8.4 %"),
            ("miscomputed derivation", "3,840", "3,480")]),
        ("plain", "Members of Central borrow 6.39 items each, those of Harbour 5.29.", [
            ("swapped entity", "6.39 items each, those of Harbour 5.29", "5.29 items each, those of Harbour 6.39", ["5.29", "6.39"])]),
        ("plain", "Fiction leads with 37,204 loans (44.3 %), followed by children's books with 22,118 (26.3 %).", [
            ("swapped entity", "37,204 loans (44.3 %), followed by children's books with 22,118 (26.3 %)", "22,118 loans (26.3 %), followed by children's books with 37,204 (44.3 %)", ["22,118", "37,204"]),
            ("digit", "26.3 %", "23.6 %")]),
        ("derived", "On average each of the 14,055 members borrowed 5.98 items.", [
            ("miscomputed derivation", "5.98", "5.89"),
            ("digit", "14,055", "15,045")]),
        ("small integers", "Only two of the four branches grew.", []),
        ("derived", "Media and nonfiction make up 29.4 % of the loans.", [
            ("miscomputed derivation", "29.4 %", "24.9 %")]),
        ("French", "Harbour progresse de 14,86 % alors que North recule de 6,4 %.", [
            ("swapped entity", "14,86 % alors que North recule de 6,4 %", "6,4 % alors que North recule de 14,86 %", ["6,4 %", "14,86 %"])]),
    ],
}
