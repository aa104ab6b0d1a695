{
    "domain": 'kiln',
    "question": 'Check the firing log of the kiln.',
    "cells": [
        """
log = [(0, 21), (30, 184), (60, 352), (90, 540), (120, 719), (150, 902), (180, 1064), (210, 1183), (240, 1221), (270, 1220), (300, 1098)]
peak = max(t for _, t in log)
at = [m for m, t in log if t == peak][0]
rates = [(b[1] - a[1]) / (b[0] - a[0]) * 60 for a, b in zip(log, log[1:])]
print("readings:", len(log))
print("peak temperature:", peak, "C at minute", at)
print("fastest heating: %.0f C/h" % max(rates))
print("average heating to peak: %.1f C/h" % ((peak - log[0][1]) / at * 60))
above = [m for m, t in log if t > 1000]
print("minutes above 1000 C: from", above[0], "to", above[-1])
""",
    ],
    "answers": [
        ('plain', 'The kiln peaked at 1,221 °C after 240 minutes.', [
            ('digit', '1,221', '1,212'),
            ('number of something else', '240 minutes', '300 minutes', '300'),
            ('swapped entity', '1,221', '1,220'),
        ]),
        ('plain', 'It heated at 300 °C per hour on average and at most 376 °C per hour.', [
            ('wrong statistic', '300 °C per hour on average and at most 376', '376 °C per hour on average and at most 300', ['300', '376']),
            ('digit', '376', '367'),
        ]),
        ('derived', 'The peak was reached after 4 hours.', [
            ('miscomputed derivation', '4 hours', '5 hours', '5'),
        ]),
        ('derived', 'It stayed above 1,000 °C from minute 180 to minute 300, i.e. for two hours.', [
            ('digit', '180', '120'),
            ('invented', '300', '330'),
        ]),
        ('small integers', 'The log has 11 readings.', [
            ('digit', '11', '10'),
        ]),
        ('constants of a method', 'The log was sampled every 30 minutes.', [
            ('digit', '30', '20'),
        ]),
    ],
}
