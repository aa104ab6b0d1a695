{
    "domain": 'home energy',
    "question": 'Unser Balkonkraftwerk (800 W, 619 €) läuft seit einem Jahr. Was hat es gebracht, wie viel haben wir selbst verbraucht und wann ist es bezahlt?',
    "cells": [
r"""monate = ["Jan", "Feb", "Mrz", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"]
ertrag = [17.2, 29.8, 58.4, 84.1, 98.7, 104.3, 101.9, 90.6, 66.5, 39.7, 18.9, 12.6]
eigen = [16.9, 28.1, 50.2, 62.7, 66.0, 67.8, 64.9, 60.3, 51.4, 35.5, 18.5, 12.5]
for m, e, s in zip(monate, ertrag, eigen):
    print(f"{m}  {e:6.1f} kWh  selbst {s:5.1f}  ({s / e:.0%})")
print("Jahr", round(sum(ertrag), 1), round(sum(eigen), 1))
""",
r"""preis = 0.348
spar = sum(eigen) * preis
print("Eigenverbrauchsquote", round(sum(eigen) / sum(ertrag) * 100, 1), "%")
print("verschenkt", round(sum(ertrag) - sum(eigen), 1), "kWh")
print("gespart", round(spar, 2), "EUR")
print("Amortisation", round(619 / spar, 2), "Jahre")
print("Anteil am Verbrauch von 2840 kWh:", round(sum(eigen) / 2840 * 100, 1))
sommer = sum(ertrag[3:9])
print("Apr-Sep", round(sommer, 1), round(sommer / sum(ertrag) * 100, 1))
""",
    ],
    "answers": [
        ('German', 'In einem Jahr hat die Anlage 722,7 kWh geliefert, davon habt ihr 534,8 kWh selbst verbraucht. Das sind 74 %.', [
            ('miscomputed derivation', '74 %', '26 %', '26'),
            ('digit', '722,7 kWh', '772,7 kWh', '772,7'),
            ('wrong column', '534,8 kWh', '546,1 kWh', '546,1'),
        ]),
        ('German', 'Gespart habt ihr gut 186 Euro, damit ist sie nach etwa 3,3 Jahren bezahlt.', [
            ('number of something else', '186 Euro', '188 Euro', '188'),
            ('miscomputed derivation', '3,3 Jahren', '4,1 Jahren', '4,1'),
            ('scale', '3,3 Jahren', '33 Jahren', '33'),
        ]),
        ('German', '187,9 kWh sind ohne Vergütung ins Netz gegangen, beim Preis von 34,8 Cent wären das noch einmal rund 65 Euro gewesen.', [
            ('miscomputed derivation', '65 Euro', '54 Euro', '54'),
            ('digit', '187,9 kWh', '178,9 kWh', '178,9'),
            ('number of something else', 'rund 65 Euro', 'rund 186 Euro', '186'),
        ]),
        ('German', 'Der beste Monat war der Juni mit 104,3 kWh, der schwächste der Dezember mit 12,6 kWh, also nicht einmal ein Achtel davon. Drei Viertel des Ertrags (75,6 %) kommen von April bis September.', [
            ('swapped entity', '104,3 kWh', '101,9 kWh', '101,9'),
            ('digit', '75,6 %', '76,5 %', '76,5'),
            ('swapped entity', '12,6 kWh', '18,9 kWh', '18,9'),
        ]),
        ('German', 'Im Winter verbraucht ihr fast alles selbst (Dezember 99 %), im Juli nur 64 %. Vom Jahresverbrauch von 2.840 kWh deckt das 18,8 %.', [
            ('swapped entity', '64 %', '67 %', '67'),
            ('miscomputed derivation', '18,8 %', '25,4 %', '25,4'),
            ('scale', '2.840 kWh', '28.400 kWh', '28.400'),
            ('rounding', '18,8 %', '18,9 %', '18,9'),
        ]),
        ('German', 'Wenn es so weitergeht, habt ihr nach 10 Jahren etwa 1.861 € gespart und nach Abzug der Anschaffung 1.242 € übrig.', [
            ('miscomputed derivation', '1.242 €', '1.422 €', '1.422'),
            ('digit', '1.861 €', '1.681 €', '1.681'),
            ('question number given as result', '1.242 €', '619 €', '619'),
        ]),
    ],
}
