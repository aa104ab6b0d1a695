#include "agent/text/units.h"

#include "agent/text/words.h"

#include <pthread.h>

const struct conversion conversions[] = {
    {60, "s sec second seconds sekunden secondes", "min mins minute minutes minuten"},
    {60, "min mins minute minutes minuten", "h hour hours stunde stunden heure heures"},
    {3600, "s sec second seconds sekunden secondes", "h hour hours stunde stunden heure heures"},
    {24, "h hour hours stunde stunden heure heures", "day days tag tage tagen jour jours"},
    {7, "day days tag tage tagen jour jours", "week weeks woche wochen semaine semaines"},
    {12, "month months monat monate monaten mois", "year years jahr jahre jahren an ans"},
    {1000, "ms millisecond milliseconds millisekunden", "s sec second seconds sekunden"},
    {1000, "mg", "g gram grams gramm"},
    {1000, "g gram grams gramm", "kg kilogram kilograms kilos"},
    {1000, "kg kilogram kilograms kilos", "t ton tons tonne tonnes tonnen"},
    {1000, "m metre metres meter meters", "km kilometre kilometres kilometer kilometers"},
    {1000, "mm millimetres millimeters", "m metre metres meter meters"},
    {100, "cm centimetres centimeters", "m metre metres meter meters"},
    {10, "mm millimetres millimeters", "cm centimetres centimeters"},
    {1000, "ml", "l litre litres liter liters"},
    {1000, "bp bases length", "kb"},
    {1000, "b byte bytes", "kb"},
    {1000, "kb", "mb"},
    {1000, "mb", "gb"},
    {1000, "gb", "tb"},
    {1e6L, "bp bases length", "mb"},
    {1000, "wh", "kwh"},
    {1000, "kwh", "mwh"},
    {1000, "mwh", "gwh"},
    {1000, "w watt", "kw"},
    {1000, "kw", "mw"},
    {3.6L, "km/h kmh kph", "m/s"},
    {100, "cent cents ct", "euro euros eur dollar dollars usd"},
};

const size_t conversion_count = sizeof conversions / sizeof *conversions;

static const char unit_names[] =
    "km m cm mm ha t kg g mg l ml h s ms kwh mwh gwh wh kw mw kb mb gb "
    "tb eur usd gbp chf euro dollar km2 m2 m3 mol pa bar hz req bp";

#define UNIT_ROOM 256 /* a power of two */

static uint32_t unit_table[UNIT_ROOM]; /* asked for every word of every number in question */
static pthread_once_t units_once = PTHREAD_ONCE_INIT;

static uint32_t *unit_slot(uint32_t hash) {
    size_t at = hash & (UNIT_ROOM - 1);
    while (unit_table[at] && unit_table[at] != hash)
        at = (at + 1) & (UNIT_ROOM - 1);
    return &unit_table[at];
}

static void units_fill(void) {
    size_t at = 0, start;
    uint32_t hash;
    while (words_next(unit_names, sizeof unit_names - 1, &at, &hash, &start))
        if (hash)
            *unit_slot(hash) = hash;
}

bool unit_word(uint32_t hash) {
    pthread_once(&units_once, units_fill);
    return hash && *unit_slot(hash) == hash;
}
