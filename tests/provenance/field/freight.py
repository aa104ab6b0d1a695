{
    "domain": 'logistics',
    "question": 'How are our five truck lanes doing on punctuality and cost?',
    "cells": [
r"""lanes = [
    ("Rotterdam-Munich", 840, 212, 15.4, 1260.0, 9),
    ("Hamburg-Vienna", 975, 148, 17.9, 1390.0, 21),
    ("Antwerp-Lyon", 730, 96, 12.8, 1085.0, 4),
    ("Gdansk-Prague", 680, 131, 13.6, 905.0, 17),
    ("Genoa-Zurich", 420, 188, 7.7, 760.0, 6),
]
print(f"{'lane':<18}{'km':>5}{'trips':>7}{'hours':>7}{'EUR/trip':>10}{'late':>6}{'late %':>8}{'EUR/km':>8}")
for n, km, t, h, c, late in lanes:
    print(f"{n:<18}{km:>5}{t:>7}{h:>7}{c:>10.2f}{late:>6}{100*late/t:>8.1f}{c/km:>8.2f}")
""",
r"""trips = sum(l[2] for l in lanes)
late = sum(l[5] for l in lanes)
cost = sum(l[2] * l[4] for l in lanes)
km = sum(l[1] * l[2] for l in lanes)
print("trips", trips, "late", late, "on time share", round(1 - late / trips, 4))
print("cost", cost, "km", km)
print("avg cost per km", round(cost / km, 3), "avg cost per trip", round(cost / trips, 2))
""",
    ],
    "answers": [('plain',
  '92.65% of the 775 trips were on time; 57 were late.',
  [('digit', '92.65%', '95.62%', '95.62'), ('number of something else', '57 were', '21 were', '21'), ('scale', '92.65%', '0.9265%', '0.9265')]),
 ('percent',
  'Hamburg-Vienna is the least punctual lane at 14.2% late, followed by Gdansk-Prague with 13%. The other three stay below 5%.',
  [('wrong column', '14.2%', '21%', '21'), ('swapped entity', '13%', '3.2%', '3.2'), ('digit', '14.2%', '12.4%', '12.4')]),
 ('fractions in words',
  'Two lanes cause two thirds of the delays: Hamburg-Vienna and Gdansk-Prague together had 38 late trips out of 57.',
  [('miscomputed derivation', '38 late', '36 late', '36'), ('number of something else', 'out of 57', 'out of 75', '75')]),
 ('units or currency',
  'Average cost is €1.50 per km, or about €1,082 per trip. Total spend was roughly €838,000.',
  [('digit', '€1,082', '€1,028', '1,028'), ('scale', '€838,000', '€8.38 million', '8.38'), ('swapped entity', '€1.50', '€1.81', '1.81')]),
 ('list or table',
  '**Cost per km, high to low**\n'
  '- Genoa–Zurich: €1.81\n'
  '- Rotterdam–Munich: €1.50\n'
  '- Antwerp–Lyon: €1.49\n'
  '- Hamburg–Vienna: €1.43\n'
  '- Gdansk–Prague: €1.33\n'
  '\n'
  'So the short Alpine run (420 km) costs 36% more per kilometre than the Prague one.',
  [('swapped entity', 'Vienna: €1.43', 'Vienna: €1.39', '1.39'),
   ('miscomputed derivation', '36% more', '48% more', '48'),
   ('sign or direction', '36% more', '36% less', '36'),
   ('swapped entity', '420 km', '680 km', '680')]),
 ('summary of an analysis',
  'Your trucks drove about 560,000 km on 775 trips. The busiest lane is Rotterdam-Munich, with 212 runs (27% of the total) and only 9 delays, a late '
  "rate of 4.2%. By contrast Hamburg-Vienna is late 14.2% of the time although it has just 148 trips; it's also the most expensive per trip at "
  '€1,390.',
  [('wrong column', 'about 560,000', 'about 838,000', '838,000'),
   ('miscomputed derivation', '(27%', '(22%', '22'),
   ('swapped entity', 'just 148', 'just 131', '131'),
   ('swapped entity', '€1,390', '€1,260', '1,260')])],
}
