/* A model's text, read in every way: as a reply with code in it, as native arguments, as an answer
 * with numbers, against itself as output and question; or, with form feeds in it, as the output, the
 * question and the answer one after the other. */
#include <stdlib.h>
#include <string.h>

#include "agent/ground/ground.h"
#include "agent/reply/extract.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool fact) {
    if (!fact)
        abort();
}

static void extract(const char *text) {
    for (int mode = EXTRACT_AUTO; mode <= EXTRACT_FENCES; mode++) {
        struct extract_call call = {.id = "1", .name = "run_python", .arguments = text};
        struct extract_input in = {.text = text, .mode = (enum extract_mode)mode};
        struct extract x;
        if (mode == EXTRACT_CALLS) {
            in.calls = &call;
            in.call_count = 1;
        }
        must(extract_reply(&in, &x) == 0);
        must(x.kind != EXTRACT_CODE || (x.code && x.code[0] && x.language));
        must(x.kind != EXTRACT_FINAL || x.text);
        must(x.kind != EXTRACT_NOTHING || x.problem[0]);
        extract_done(&x);
    }
}

static void ground(const char *output, const char *question, const char *text) {
    struct evidence e;
    struct ground_report report;
    scoped_buf advice = BUF_INIT(16u << 20);
    evidence_init(&e);
    json_t *result = json_pack("{s:i,s:s,s:s}", "cell", 1, "status", "ok", "stdout", output);
    must(!result || evidence_result(&e, output, result) == 0);
    must(evidence_question(&e, question) == 0);
    must(ground_answer(&e, text, NULL, &report) == 0);
    for (size_t i = 0; i < report.count; i++)
        must(report.list[i].claim.start + report.list[i].claim.len <= strlen(text));
    json_decref(ground_json(&report, &e, text));
    must(ground_advice(&report, &e, text, &advice) == 0);
    ground_done(&report);
    evidence_done(&e);
    json_decref(result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 4096)
        return 0;
    char *text = strndup((const char *)data, size);
    must(text != NULL);
    extract(text);
    ground(text, text, text);
    char *question = strchr(text, '\f'), *answer = question ? strchr(question + 1, '\f') : NULL;
    if (answer) {
        *question = *answer = 0;
        ground(text, question + 1, answer + 1);
    }
    free(text);
    return 0;
}
