{
    "domain": 'logs lat',
    "question": 'Which endpoint is slow, and how many errors were there?',
    "cells": ['''
import pandas as pd, numpy as np
rng = np.random.default_rng(12)
ep = rng.choice(["/login","/search","/cart","/pay"], 1500, p=[.2,.5,.2,.1])
base = {"/login":80,"/search":140,"/cart":60,"/pay":310}
ms = np.array([rng.gamma(4, base[e]/4) for e in ep]).round(1)
code = rng.choice([200,404,500], 1500, p=[.93,.05,.02])
log = pd.DataFrame({"endpoint":ep,"ms":ms,"status":code})
t = log.groupby("endpoint").ms.describe(percentiles=[.5,.95]).round(1)
print(t)
print(log.status.value_counts())
''', '''
err = log[log.status>=500]
print("server errors per endpoint"); print(err.endpoint.value_counts())
print(f"error rate: {len(err)/len(log):.2%}")
print(f"slowest request: {log.ms.max()} ms on {log.loc[log.ms.idxmax(),'endpoint']}")
'''],
    "answers": [
        ('plain', '/pay is the slowest endpoint with a mean of 295.4 ms and a 95th percentile of 549.2 ms.', [
            ('wrong statistic', 'mean of 295.4 ms', 'mean of 278.0 ms', '278.0'),
            ('wrong statistic', '95th percentile of 549.2', '95th percentile of 813.0', '813.0'),
            ('swapped entity', '295.4', '140.0')]),
        ('plain', 'Of 1,500 requests 32 failed with a 500, an error rate of 2.13%.', [
            ('number of something else', '32 failed', '60 failed', '60'),
            ('digit', '2.13%', '2.31%')]),
        ('small integers', 'Half of the server errors (16) happened on /search, 11 on /cart, 3 on /pay and 2 on /login.', [
            ('swapped entity', '3 on /pay and 2 on /login', '2 on /pay and 3 on /login', ['2 on /pay', '3 on /login'])]),
        ('derived', 'A request to /pay takes 5.0 times as long as one to /cart on average.', [
            ('miscomputed derivation', '5.0', '5.3'),
            ('swapped entity', '/cart', '/login', '5.0')]),
        ('inequalities', '95% of the /cart requests are answered in under 120 ms; the median is just 53 ms.', [
            ('digit', 'under 120 ms', 'under 110 ms', '110'),
            ('wrong statistic', 'just 53 ms', 'just 59 ms', '59')]),
        ('percent', 'Almost half of all requests (48.3%) go to /search.', [
            ('miscomputed derivation', '48.3%', '43.8%')]),
    ],
}
