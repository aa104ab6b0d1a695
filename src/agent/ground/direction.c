/* Which way a sentence says that something went. */
#include "agent/ground/ground.h"

/* Who is faster needs less time, and who is slower more. */
static bool tells_time(const struct judge *j) {
    return scope_piece_has(&j->scope,
                           "second seconds minute minutes min hour hours h s ms days day "
                           "sekunden minuten stunden heures secondes");
}

const char ground_rising[] =
    "rose risen rises rise increase increased increases increasing growth grew grown grows growing "
    "up gain gained gains higher more above exceeds exceeded climbed climbs surged jumped improved "
    "improves larger greater ahead leads outperformed longer older heavier outsold outearned "
    "surplus excess profit beat beats raised raises warmer denser bigger stronger wider taller "
    "richer hotter recovered recovers rebounded added adds lifted lifts expanded uplift overrun "
    "overspent tripled doubled surpassed exceeding outpaced outperforms übertrifft übertraf "
    "stieg gestiegen steigt steigen steigert gesteigert wuchs wächst gewachsen erhöht mehr höher "
    "höhere zunahme zugenommen überschuss gewann gewonnen größer länger "
    "hausse augmenté augmente augmentation devance dépasse progresse progressé excédent gagné "
    "gagne supérieur supérieure";
const char ground_falling[] =
    "fell fallen falls fall falling decrease decreased decreases decreasing drop dropped drops "
    "decline declined declines declining reduction reduced reduces lower less fewer below down "
    "shrank shrunk lost loses loss losses behind trails trailed lags smaller sank shorter younger "
    "lighter cheaper underperformed underperforms worse negative deficit shortfall colder cooler "
    "weaker narrower "
    "poorer thinner lowered lowers takes away cut cuts slipped slid plunged dipped saved saves "
    "underspent shed sheds eased "
    "saving "
    "sinkt sank sinken gesunken fiel fällt fielen gefallen weniger niedriger rückgang verlust "
    "verlor verloren verringert reduziert gesenkt kleiner kürzer günstiger billiger "
    "baisse baissé diminué diminue diminution perte perdu recule reculé perd perdent minus chute "
    "chuté déficit "
    "inférieur inférieure moins";

/* "It lost value on 161 days": what went down is not the days. */
static bool tells_when(const struct judge *j) {
    size_t at = j->claims->list[j->index].start, from = at > 4 ? at - 4 : 0;
    const struct claim *c = &j->claims->list[j->index];
    return from >= j->scope.from && c->unit == CLAIM_PLAIN && c->num.places <= 0 && !c->scale &&
           words_any(j->answer + from, at - from, "on in an during") && scope_noun(&j->scope, c) &&
           !words_any(j->answer + at + c->len, 10, "more less fewer mehr weniger de");
}

int derive_direction(const struct judge *j) {
    const struct scope *s = &j->scope;
    if (tells_when(j))
        return 0;
    bool time = tells_time(j);
    bool fast = scope_piece_has(s, "faster quicker sooner"),
         slow = scope_piece_has(s, "slower later");
    if (fast != slow)
        return (time ? slow : fast) ? 1 : -1;
    if (time && scope_piece_has(s, "improved improves improvement beat verbessert"))
        return -1;
    if (scope_piece_has(s, "less fewer weniger moins"))
        return -1;
    bool rises = scope_piece_has(s, ground_rising), falls = scope_piece_has(s, ground_falling);
    if (!rises && !falls) {
        rises = scope_has(s, ground_rising);
        falls = scope_has(s, ground_falling);
    }
    return rises == falls ? 0 : rises ? 1 : -1;
}
