{
    "domain": 'serialization benchmark',
    "question": 'I timed five serializers on 10k records (7 repeats each, ms). Which is fastest and which makes the smallest payload?',
    "cells": [
r'''import statistics as st
# ms per run, measured on the CI box, 7 repeats, 10k records
runs = {
    "json":    [41.8, 42.3, 41.5, 55.9, 42.0, 41.7, 42.2],
    "orjson":  [6.1, 6.0, 6.3, 6.1, 6.2, 6.0, 6.1],
    "msgpack": [9.4, 9.6, 9.3, 9.5, 9.9, 9.4, 9.4],
    "pickle":  [12.7, 12.5, 12.9, 12.6, 12.8, 12.6, 14.1],
    "proto":   [18.2, 18.9, 18.4, 18.3, 18.6, 18.5, 18.3],
}
size = {"json": 2_418_332, "orjson": 2_207_114, "msgpack": 1_690_480, "pickle": 1_802_955, "proto": 1_133_706}
base = st.median(runs["json"])
print(f"{'lib':<9}{'median':>8}{'mean':>8}{'sd':>7}{'min':>7}{'speedup':>9}{'bytes':>11}")
for k, v in sorted(runs.items(), key=lambda kv: st.median(kv[1])):
    print(f"{k:<9}{st.median(v):>8.1f}{st.mean(v):>8.2f}{st.stdev(v):>7.2f}{min(v):>7.1f}{base/st.median(v):>8.1f}x{size[k]:>11,}")''',
r'''per_rec = {k: round(s / 10_000, 1) for k, s in size.items()}
mb_s = {k: round(size[k] / 1e6 / (st.median(v) / 1e3), 1) for k, v in runs.items()}
print("bytes/record", per_rec)
print("throughput MB/s", mb_s)''',
    ],
    "answers": [
        ('summary of an analysis', '`orjson` is the fastest by a wide margin: a median of 6.1 ms, 6.9× faster than the standard `json` module (42.0 ms). `proto` produces the smallest payload, 1,133,706 bytes or about 113 bytes per record, less than half of what `json` needs.', [
            ('swapped entity', 'median of 6.1 ms', 'median of 9.4 ms', '9.4'),
            ('miscomputed derivation', '6.9×', '7.9×'),
            ('scale', 'about 113 bytes', 'about 1,134 bytes', '1,134'),
        ]),
        ('list or table', 'Ranking by median time:\n\n1. orjson – 6.1 ms (6.9x)\n2. msgpack – 9.4 ms (4.5x)\n3. pickle – 12.7 ms (3.3x)\n4. proto – 18.4 ms (2.3x)\n5. json – 42.0 ms (baseline)', [
            ('swapped entity', '12.7 ms (3.3x)', '12.7 ms (2.5x)', '2.5x'),
            ('digit', '18.4 ms', '14.8 ms', '14.8'),
            ('wrong statistic', '42.0 ms', '43.9 ms', '43.9'),
        ]),
        ('plain', 'Use the median here, not the mean: one json run took 55.9 ms, which lifts its mean to 43.9 ms and its standard deviation to 5.3 ms, while the others all stay below 0.6 ms.', [
            ('wrong statistic', 'mean to 43.9 ms', 'mean to 42.0 ms', '42.0'),
            ('digit', '55.9 ms', '59.5 ms', '59.5'),
            ('miscomputed derivation', 'below 0.6 ms', 'below 0.3 ms', '0.3'),
        ]),
        ('derived', 'In throughput terms orjson writes 361.8 MB/s, twice as much as msgpack (179.8 MB/s) and over six times as much as json (57.6 MB/s). protobuf is barely faster than json by that measure, at 61.6 MB/s, because its output is so small.', [
            ('miscomputed derivation', 'twice as much as msgpack', '2.5 times as much as msgpack', '2.5 times'),
            ('swapped entity', '61.6 MB/s', '142.0 MB/s', '142.0'),
            ('digit', '361.8', '316.8'),
        ]),
        ('percent', 'Compared with json, the payload shrinks by 53% with proto, by 30% with msgpack and by only 9% with orjson.', [
            ('miscomputed derivation', '53% with proto', '47% with proto', '47%'),
            ('miscomputed derivation', 'by only 9%', 'by only 19%', '19%'),
        ]),
        ('scale words', 'json emits about 2.4 million bytes for the 10,000 records, msgpack 1.7 million and proto 1.1 million. If bandwidth is your bottleneck, proto is worth its 18.4 ms.', [
            ('scale', '2.4 million', '24 million', '24 million'),
            ('swapped entity', 'proto 1.1 million', 'proto 1.8 million', '1.8'),
            ('number of something else', 'its 18.4 ms', 'its 18.9 ms', '18.9'),
        ]),
    ],
}
