#include "cli/agent/agent_resume.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "engine/host/statedir.h"

/* How many words to leave out. An address may hold a password, so it is not kept; the user gives
 * these words anew. */
static int passed_over(const char *word) {
    static const char *const with_value[] = {"--base-url", "--key-file", "--resume"};
    if (strcmp(word, "--json") == 0)
        return 1;
    for (size_t i = 0; i < sizeof with_value / sizeof *with_value; i++) {
        size_t n = strlen(with_value[i]);
        if (strncmp(word, with_value[i], n) == 0 && (!word[n] || word[n] == '='))
            return word[n] ? 1 : 2;
    }
    return 0;
}

int agent_resume_new(int argc, char **argv, const char *task, struct journal **ret,
                     struct retort_error *err) {
    char state[MAX_PATH];
    scoped_json *words = json_array();
    bool given = false;
    TRY(statedir_find(NULL, state, sizeof state, err));
    for (int i = 1; i < argc; i++) {
        int n = passed_over(argv[i]);
        if (n == 0 && json_array_append_new(words, json_string(argv[i])) < 0)
            return err_set(err, ERR_CALLER, EILSEQ, "an argument is not UTF-8");
        given = given || argv[i] == task;
        i += n ? n - 1 : 0;
    }
    if (!given) {
        json_array_append_new(words, json_string("--"));
        json_array_append_new(words, json_string(task));
    }
    scoped_json *head = json_pack("{s:O}", "words", words);
    char *text = head ? json_whole(head, JSON_COMPACT) : NULL;
    int r = text ? journal_new(state, text, ret, err)
                 : err_set(err, ERR_CALLER, EILSEQ, "the task is not UTF-8");
    free(text);
    return r;
}

static int read_words(const char *head, struct agent_words *ret) {
    scoped_json *o = json_in_text(head, 0, NULL);
    const json_t *words = json_object_get(o, "words"), *word;
    size_t i, n = json_array_size(words);
    *ret = (struct agent_words){.argv = calloc(n + 2, sizeof(char *))};
    if (!ret->argv || !(ret->argv[ret->argc++] = strdup("agent")))
        return -ENOMEM;
    json_array_foreach(words, i, word) {
        const char *text = json_string_value(word);
        if (!text || !(ret->argv[ret->argc++] = strdup(text)))
            return text ? -ENOMEM : -EINVAL;
    }
    return n ? 0 : -EINVAL;
}

int agent_resume_open(const char *session, struct journal **ret, struct agent_words *ret_words,
                      struct retort_error *err) {
    char state[MAX_PATH], *head = NULL;
    TRY(statedir_find(NULL, state, sizeof state, err));
    TRY(journal_open(state, session, ret, &head, err));
    int r = read_words(head, ret_words);
    free(head);
    return r < 0 ? err_set(err, ERR_HOST, -r, "how %.64s was begun cannot be read", session) : 0;
}

void agent_words_done(struct agent_words *words) {
    for (int i = 0; i < words->argc; i++)
        free(words->argv[i]);
    free(words->argv);
    *words = (struct agent_words){.argv = NULL};
}
