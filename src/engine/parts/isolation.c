#include "engine/parts/isolation.h"

#include <string.h>

#include "base/jsonwhole.h"
#include "base/scope.h"

void isolation_take(struct isolation *iso, const struct ctl_created *created) {
    iso->layers = created->layers;
    iso->missing = created->missing;
    json_decref(iso->json);
    iso->json = NULL;
    iso->text = NULL;
    memcpy(iso->cgroup_why, created->cgroup_why, sizeof iso->cgroup_why);
    memcpy(iso->uid_why, created->uid_why, sizeof iso->uid_why);
}

void isolation_done(struct isolation *iso) {
    json_decref(iso->json);
    json_decref(iso->texts);
}

json_t *isolation_json(const struct isolation *iso) {
    json_t *layers = json_array(), *missing = json_array();
    for (int i = 0; i < LAYER_COUNT; i++) {
        if (iso->layers & LAYER_BIT(i))
            json_array_append_new(layers, json_string(layer_names[i]));
        if (iso->missing & LAYER_BIT(i))
            json_array_append_new(missing, json_string(layer_names[i]));
    }
    return json_pack("{s:s s:o s:o}", "tier", "process", "layers", layers, "missing", missing);
}

json_t *isolation_shared(struct isolation *iso) {
    if (!iso->json)
        iso->json = isolation_json(iso);
    return json_incref(iso->json);
}

const char *isolation_text(struct isolation *iso) {
    if (iso->text)
        return iso->text;
    json_t *o = isolation_shared(iso);
    scoped_free char *text = json_whole(o, JSON_COMPACT);
    json_decref(o);
    if (!iso->texts)
        iso->texts = json_object();
    if (text && json_object_set_new(iso->texts, text, json_true()) == 0)
        iso->text = json_object_iter_key(json_object_iter_at(iso->texts, text));
    return iso->text;
}
