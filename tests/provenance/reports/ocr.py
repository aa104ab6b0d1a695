{
    "domain": 'OCR error analysis',
    "question": 'Please analyse the OCR errors in my 10 test documents: which source is worst, can I trust the confidence score, which error types should I fix first?',
    "cells": [
r'''import json
import pandas as pd
with open("pred.csv", "w") as f:
    f.write("""doc,source,chars,char_err,words,word_err,conf
1,scan,1840,22,310,18,0.96
2,scan,2110,31,352,24,0.95
3,photo,1530,96,255,61,0.81
4,fax,1275,140,214,88,0.72
5,scan,1990,18,330,15,0.97
6,photo,1744,71,290,49,0.86
7,fax,1402,171,236,101,0.69
8,photo,1618,122,268,75,0.78
9,scan,2205,40,366,29,0.94
10,fax,1190,88,199,60,0.80
""")
p = pd.read_csv("pred.csv")
p["cer"] = p.char_err / p.chars
p["wer"] = p.word_err / p.words
g = p.groupby("source")[["chars", "char_err", "words", "word_err"]].sum()
g["cer"] = g.char_err / g.chars
g["wer"] = g.word_err / g.words
print(json.dumps(g.round(4).to_dict("index"), indent=1))''',
r'''print("micro CER %.4f  macro CER %.4f" % (p.char_err.sum() / p.chars.sum(), p.cer.mean()))
print("micro WER %.4f  macro WER %.4f" % (p.word_err.sum() / p.words.sum(), p.wer.mean()))
print("corr conf~CER  %.3f" % p.conf.corr(p.cer))
low = p[p.conf < 0.85]
print("review if conf < 0.85:", len(low), "docs,", low.char_err.sum(), "of", p.char_err.sum(), "errors")''',
r'''kinds = pd.Series({"l/1/I": 188, "O/0": 131, "rn/m": 117, "missing": 163, "extra": 74, "case": 66, "other": 60}, name="count")
k = pd.DataFrame({"count": kinds, "share": (kinds / kinds.sum() * 100).round(1)}).sort_values("count", ascending=False)
k["cum"] = k.share.cumsum().round(1)
k''',
    ],
    "answers": [
        ('summary of an analysis', '- **Faxes are worst**: character error rate 10.3% and word error rate 38.4%, versus 5.9% / 22.8% for photos and 1.4% / 6.3% for scans.\n- **Confidence is trustworthy**: it correlates with the CER at −0.993.\n- **Fix first**: l/1/I confusions (188 errors, 23.5%) and missing characters (163, 20.4%).', [
            ('swapped entity', '1.4% / 6.3% for scans', '1.4% / 22.1% for scans', '22.1%'),
            ('sign or direction', 'at −0.993', 'at 0.993', '0.993'),
            ('digit', '(188 errors', '(118 errors', '118'),
            ('scale', 'rate 10.3%', 'rate 1.03%', '1.03%'),
        ]),
        ('plain', 'Over all documents the CER is 4.73% (799 errors) and the WER 18.44%. Averaging per document instead gives slightly higher values, 5.38% and 20.80%.', [
            ('wrong statistic', 'CER is 4.73%', 'CER is 5.83%', '5.83%'),
            ('digit', '18.44%', '14.84%'),
            ('number of something else', '(799 errors)', '(617 errors)', '617'),
        ]),
        ('derived', 'If someone reviews the five documents with a confidence below 0.85, they would see 617 of the 799 character errors, i.e. 77%. Only 182 would slip through.', [
            ('miscomputed derivation', 'i.e. 77%', 'i.e. 67%', '67%'),
            ('miscomputed derivation', 'Only 182', 'Only 282', '282'),
            ('number of something else', 'below 0.85', 'below 0.95', '0.95'),
        ]),
        ('percent', 'The four most frequent error types cover about 75% of all errors; the three smallest (extra, case, other) together make up only a quarter.', [
            ('swapped entity', 'about 75%', 'about 60%', '60%'),
            ('miscomputed derivation', 'about 75%', 'about 85%', '85%'),
        ]),
        ('fractions in words', 'Half of all character errors (399 of 799) come from the three faxes, although they contain less than a quarter of the text: 3,867 of 16,904 characters.', [
            ('wrong column', '(399 of 799)', '(249 of 799)', '249'),
            ('miscomputed derivation', '16,904', '19,604'),
            ('swapped entity', '3,867', '4,892'),
        ]),
        ('units or currency', 'Fax documents have about 7.6 times the character error rate of scans (10.32% vs 1.36%) and six times the word error rate.', [
            ('miscomputed derivation', 'about 7.6 times', 'about 6.7 times', '6.7'),
            ('digit', '1.36%', '1.63%'),
        ]),
    ],
}
