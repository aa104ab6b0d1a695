{
    "domain": "music streaming",
    "question": "Wie verteilen sich die Abrufe auf die Genres?",
    "cells": ['''
import sqlite3

db = sqlite3.connect(":memory:")
db.execute("create table plays (track text, genre text, plays integer, seconds integer)")
db.executemany("insert into plays values (?, ?, ?, ?)", [
    ("Morgenrot", "Pop", 184320, 201), ("Kiesel", "Pop", 97541, 187), ("Fernweh", "Folk", 45210, 243),
    ("Nordlicht", "Folk", 38977, 262), ("Asphalt", "Rap", 251630, 164), ("Block", "Rap", 133208, 158),
    ("Ruhe", "Klassik", 12044, 412), ("Andante", "Klassik", 9873, 537), ("Neon", "Pop", 76455, 195)])
for row in db.execute("select genre, count(*), sum(plays), avg(seconds) from plays group by genre order by 3 desc"):
    print(row)
''', '''
total, tracks = db.execute("select sum(plays), count(*) from plays").fetchone()
print("Abrufe gesamt:", total)
print("Titel:", tracks)
print("meistgespielt:", db.execute("select track, plays from plays order by plays desc limit 1").fetchone())
'''],
    "answers": [
        ("German", "Insgesamt gab es 849.258 Abrufe, davon entfielen 384.838 auf Rap und 358.316 auf Pop.", [
            ("digit", "849.258", "849.528"),
            ("swapped entity", "384.838 auf Rap und 358.316 auf Pop", "384.838 auf Pop und 358.316 auf Rap", "384.838"),
            ("scale", "849.258 Abrufe", "84.925,8 Abrufe", "84.925,8")]),
        ("German", "Rap liegt mit 45,3 % vorn, Klassik kommt nur auf 2,6 %.", [
            ("miscomputed derivation", "45,3 %", "43,5 %"),
            ("swapped entity", "Klassik kommt nur auf 2,6 %", "Folk kommt nur auf 2,6 %", "2,6 %")]),
        ("German", "Der meistgespielte Titel ist «Asphalt» mit 251.630 Abrufen; im Schnitt sind es 94.362 je Titel.", [
            ("digit", "251.630", "251.360"),
            ("miscomputed derivation", "94.362", "93.462")]),
        ("German", "Klassische Stücke dauern im Mittel 474,5 Sekunden, Rap-Titel 161 Sekunden.", [
            ("swapped entity", "Klassische Stücke dauern im Mittel 474,5 Sekunden, Rap-Titel 161", "Klassische Stücke dauern im Mittel 161 Sekunden, Rap-Titel 474,5", "474,5"),
            ("wrong column", "474,5 Sekunden", "21.917 Sekunden", "21.917")]),
        ("German", "Rap übertrifft Pop um 26.522 Abrufe.", [
            ("sign or direction", "Rap übertrifft Pop um 26.522", "Pop übertrifft Rap um 26.522", "26.522"),
            ("miscomputed derivation", "26.522", "25.622")]),
        ("German", "Es sind 9 Titel aus vier Genres, zusammen rund 849 Tausend Abrufe.", [
            ("number of something else", "9 Titel", "4 Titel"),
            ("scale", "849 Tausend", "849 Millionen")]),
    ],
}
