/* The loop with a scripted model (a written cassette) and a scripted session: budgets, circles,
 * checks. */
#include "agent/run/agent_run.h"
#include "agent/run/memory.h"
#include "agent/run/prompts.h"
#include "base/io.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define OK "{\"status\":\"ok\",\"stdout\":\"10466\\n\"}"
#define BAD                                                                                       \
    "{\"status\":\"error\",\"error\":{\"name\":\"KeyError\",\"message\":\"'marign'\",\"line\":1," \
    "\"hint\":\"did you mean 'margin'?\"},\"state\":\"kept\"}"

/* A session whose cells give the listed results, the last one for ever. */
struct script {
    const char *const *results;
    unsigned cells;
    char code[4000]; /* all that ran */
    json_t *notes;   /* all that was recorded */
    bool full;       /* nothing can be recorded any more */
};

static int execute(void *user, const char *code, double timeout, double cpu, json_t **ret_result,
                   struct retort_error *err) {
    struct script *s = user;
    (void)timeout, (void)cpu;
    size_t n = 0;
    while (s->results[n] && n < s->cells)
        n++;
    if (!s->results[n] && n)
        n--;
    if (!s->results[n])
        return err_errno(err, ERR_HOST, EIO, "the session is gone");
    *ret_result = json_loads(s->results[n], 0, NULL);
    assert_non_null(*ret_result);
    json_object_set_new(*ret_result, "cell", json_integer(++s->cells));
    size_t used = strlen(s->code);
    snprintf(s->code + used, sizeof s->code - used, "%s\n", code);
    return 0;
}

static int output(void *user, unsigned cell, uint64_t from, size_t len, char **ret_text,
                  struct retort_error *err) {
    (void)user, (void)from, (void)len;
    if (cell != 1)
        return err_set(err, ERR_CALLER, ENOENT, "no cell %u", cell);
    *ret_text = strdup("the middle");
    return 0;
}

static json_t *files(void *user) {
    (void)user;
    return json_pack("[{s:s}]", "path", "chart.png");
}

static int note(void *user, const json_t *event, struct retort_error *err) {
    struct script *s = user;
    if (s->full)
        return err_errno(err, ERR_HOST, ENOSPC, "the disk is full");
    if (!s->notes)
        s->notes = json_array();
    json_array_append_new(s->notes, json_deep_copy(event));
    return 0;
}

struct scene {
    struct agent_options options;
    struct agent_outcome outcome;
    struct script script;
    struct run run;
    char cassette[64];
    char events[20000]; /* "event:detail " of each */
};

static void on_event(void *user, const json_t *event) {
    struct scene *s = user;
    size_t n = strlen(s->events);
    const char *name = json_string_value(json_object_get(event, "event"));
    const char *verdict = json_string_value(json_object_get(event, "verdict"));
    const char *check = json_string_value(json_object_get(event, "name"));
    assert_non_null(name);
    assert_true(json_is_integer(json_object_get(event, "step")));
    if (check)
        snprintf(s->events + n, sizeof s->events - n, "%s:%s ", check, verdict);
    else if (!json_object_get(event, "delta"))
        snprintf(s->events + n, sizeof s->events - n, "%s ", name);
}

/* Writes a cassette with one reply a line: code in fences, or text. */
static void write_cassette(struct scene *s, const char *const *replies) {
    snprintf(s->cassette, sizeof s->cassette, "/tmp/test_agent_loop_XXXXXX");
    int fd = mkstemp(s->cassette);
    assert_true(fd >= 0);
    for (int turn = 1; replies[turn - 1]; turn++) {
        json_t *o = json_pack("{s:{},s:{s:s,s:i,s:i}}", "match", "reply", "text", replies[turn - 1],
                              "prompt_tokens", 100, "completion_tokens", 10);
        char *line = json_dumps(o, JSON_COMPACT);
        assert_int_equal(write_all(fd, line, strlen(line)), 0);
        assert_int_equal(write_all(fd, "\n", 1), 0);
        free(line);
        json_decref(o);
    }
    close(fd);
}

static void play(struct scene *s, const char *const *replies, const char *const *results) {
    struct model_error error;
    struct runner runner = {&s->script, execute, output, files, note, NULL};
    write_cassette(s, replies);
    s->script.results = results;
    s->options.model.cassette = s->cassette;
    struct model *model;
    assert_int_equal(model_new(&s->options.model, &model, &error), 0);
    s->run = (struct run){.options = &s->options,
                          .budgets = s->options.budgets,
                          .model = model,
                          .runner = &runner,
                          .listener = {on_event, s},
                          .cancel = s->options.cancel,
                          .messages = json_array(),
                          .lessons = json_array(),
                          .outcome = &s->outcome};
    struct spending spent;
    spending_init(&spent);
    s->run.spent = &spent;
    if (!s->run.budgets.steps)
        s->run.budgets.steps = 12;
    if (!s->run.budgets.errors)
        s->run.budgets.errors = 8;
    if (!s->run.budgets.observation)
        s->run.budgets.observation = 8000;
    evidence_init(&s->run.evidence);
    run_say(&s->run, "system", "S");
    run_say(&s->run, "user", "T");
    s->run.kept = 2;
    run_loop(&s->run);
    run_remember(&s->run);
    model_free(model);
    spending_done(&spent);
    unlink(s->cassette);
}

static void clear(struct scene *s) {
    run_done(&s->run);
    json_decref(s->script.notes);
    agent_outcome_done(&s->outcome);
    *s = (struct scene){0};
}

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})
#define FENCED(code) "```python\n" code "\n```"

static const char *message(const struct scene *s, size_t from_end) {
    size_t n = json_array_size(s->run.messages);
    return json_string_value(
        json_object_get(json_array_get(s->run.messages, n - from_end), "content"));
}

static void answer_is_grounded(void **state) {
    (void)state;
    struct scene s = {0};
    play(&s, LIST(FENCED("print(sum(p * p for p in primes))"), "Final answer: It is 10466."),
         LIST(OK));
    assert_int_equal(s.outcome.stop, AGENT_ANSWERED);
    assert_true(s.outcome.verified);
    assert_string_equal(s.outcome.answer, "It is 10466.");
    assert_int_equal(agent_exit_code(&s.outcome), 0);
    assert_int_equal(s.outcome.prompt_tokens, 200);
    assert_string_equal(s.events,
                        "model extractable:pass action parses:pass imports:pass observation "
                        "model numbers:pass computed:pass final stop ");
    clear(&s);
}

static const json_t *last_note(const struct scene *s, const char *name) {
    const json_t *found = NULL, *n;
    size_t i;
    json_array_foreach(s->script.notes, i, n) {
        if (strcmp(json_string_value(json_object_get(n, "event")), name) == 0)
            found = n;
    }
    return found;
}

static void events_are_recorded(void **state) {
    (void)state;
    struct scene s = {0};
    play(&s, LIST(FENCED("print(sum(p * p for p in primes))"), "Final answer: It is 10466."),
         LIST(OK));
    assert_int_equal(json_array_size(s.script.notes), 12); /* 11 events, and the conversation */
    const json_t *seen = last_note(&s, "observation"), *final = last_note(&s, "final");
    assert_int_equal(json_integer_value(json_object_get(seen, "cell")), 1);
    assert_string_equal(json_string_value(json_object_get(seen, "status")), "ok");
    assert_null(json_object_get(seen, "result"));
    assert_null(json_object_get(seen, "text"));
    assert_int_equal(json_array_size(json_object_get(final, "provenance")), 1);
    assert_int_equal(json_array_size(json_object_get(last_note(&s, "conversation"), "messages")),
                     5);
    assert_null(last_note(&s, "output"));
    clear(&s);
}

static void a_record_that_fails_is_said_once(void **state) {
    (void)state;
    struct scene s = {.script = {.full = true}};
    play(&s, LIST(FENCED("print(sum(p * p for p in primes))"), "Final answer: It is 10466."),
         LIST(OK));
    assert_int_equal(s.outcome.stop, AGENT_ANSWERED);
    const char *said = strstr(s.events, "record:fail");
    assert_non_null(said);
    assert_null(strstr(said + 1, "record:fail"));
    clear(&s);
}

static void invented_number_is_repaired(void **state) {
    (void)state;
    struct scene s = {0};
    play(&s, LIST(FENCED("print(total(primes))"), "It is 1060.", "It is 10466."), LIST(OK));
    assert_true(s.outcome.verified);
    assert_int_equal(s.outcome.steps, 3);
    assert_non_null(strstr(message(&s, 2), "1060 was not computed; nearest is 10466 in cell 1"));
    clear(&s);
}

static void invented_number_is_marked_at_the_end(void **state) {
    (void)state;
    struct scene s = {.options = {.budgets = {.steps = 3}}};
    play(&s, LIST(FENCED("print(total(primes))"), "It is 1060.", "It is 1060."), LIST(OK));
    assert_int_equal(s.outcome.stop, AGENT_ANSWERED);
    assert_false(s.outcome.verified);
    assert_int_equal(agent_exit_code(&s.outcome), 3);
    clear(&s);
    s.options.checks.numbers = AGENT_ANNOTATE;
    play(&s, LIST(FENCED("print(total(primes))"), "It is 1060."), LIST(OK));
    assert_false(s.outcome.verified);
    assert_int_equal(s.outcome.steps, 2);
    clear(&s);
}

static void nothing_computed(void **state) {
    (void)state;
    struct scene s = {0};
    play(&s, LIST("Paris."), LIST(OK));
    assert_int_equal(agent_exit_code(&s.outcome), 3);
    clear(&s);
}

static void correction(void **state) {
    (void)state;
    struct scene s = {0};
    play(&s, LIST(FENCED("df['marign']"), FENCED("df['margin'].sum()"), "It is 10466."),
         LIST(BAD, OK));
    assert_true(s.outcome.verified);
    assert_non_null(strstr(message(&s, 4), "did you mean 'margin'?"));
    clear(&s);
}

static void repeats(void **state) {
    (void)state;
    struct scene s = {.options = {.budgets = {.errors = 100}}};
    play(&s, LIST(FENCED("df['marign']")), LIST(BAD));
    assert_int_equal(s.outcome.stop, AGENT_REPEAT);
    assert_int_equal(s.outcome.steps, 4); /* a hint, a fresh start, and the very same reply */
    assert_int_equal(agent_exit_code(&s.outcome), 4);
    assert_null(s.outcome.answer);
    /* After the fresh start at step 3 the failed attempts are gone and their lessons are there. */
    const json_t *third = json_array_get(s.run.messages, 2);
    const char *lessons = json_string_value(json_object_get(third, "content"));
    assert_non_null(strstr(lessons, "Fresh start"));
    assert_non_null(strstr(lessons, "step 3: KeyError: 'marign'; did you mean"));
    clear(&s);
}

/* Another program, the same failure: that takes three after the fresh start. */
static void repeated_failure(void **state) {
    (void)state;
    struct scene s = {.options = {.budgets = {.errors = 100}}};
    play(&s,
         LIST("1" FENCED("df['marign']"), "2" FENCED("df['marign']"), "3" FENCED("df['marign']"),
              "4" FENCED("df['marign']"), "5" FENCED("df['marign']"), "6" FENCED("df['marign']")),
         LIST(BAD));
    assert_int_equal(s.outcome.stop, AGENT_REPEAT);
    assert_int_equal(s.outcome.steps, 6);
    clear(&s);
}

static const char *unproved(const struct scene *s, size_t i) {
    const json_t *u = json_array_get(s->outcome.unproved, i);
    return json_string_value(json_object_get(u, "check"));
}

/* The answer is there, marked, with its files, whatever ended the run. */
static void ends_with_the_answer(struct scene *s, enum agent_stop stop, unsigned steps) {
    assert_int_equal(s->outcome.stop, stop);
    assert_int_equal(s->outcome.steps, steps);
    assert_non_null(s->outcome.answer);
    assert_string_equal(s->outcome.answer, "It is 1060.");
    assert_false(s->outcome.verified);
    assert_string_equal(unproved(s, 0), "numbers");
    assert_int_equal(json_array_size(s->outcome.provenance), 1);
    assert_int_equal(json_array_size(s->outcome.artifacts), 1);
    assert_int_equal(agent_exit_code(&s->outcome), 3);
    assert_non_null(strstr(s->events, "final stop "));
    assert_true(json_is_true(json_object_get(last_note(s, "stop"), "answer")));
    clear(s);
}

static void an_answer_outlives_every_budget(void **state) {
    (void)state;
    struct scene s = {.options = {.budgets = {.errors = 2}}};
    play(&s, LIST(FENCED("a"), "It is 1060.", FENCED("b['x']"), FENCED("c")), LIST(OK, BAD));
    ends_with_the_answer(&s, AGENT_ERRORS, 3);
    s.options.budgets = (struct agent_budgets){.tokens = 220};
    play(&s, LIST(FENCED("a"), "It is 1060.", "never"), LIST(OK));
    ends_with_the_answer(&s, AGENT_TOKENS, 2);
    s.options.budgets = (struct agent_budgets){.steps = 3};
    play(&s, LIST(FENCED("a"), "It is 1060.", FENCED("b")), LIST(OK));
    ends_with_the_answer(&s, AGENT_STEPS, 3);
    s.options.budgets = (struct agent_budgets){.cpu = 2};
    play(&s, LIST(FENCED("a"), "It is 1060.", FENCED("b"), FENCED("c")),
         LIST(OK, "{\"status\":\"ok\",\"resources\":{\"cpu_ms\":2500}}"));
    ends_with_the_answer(&s, AGENT_CPU, 3);
}

static void an_answer_that_could_not_be_checked_is_kept(void **state) {
    (void)state;
    struct scene s = {.options = {.budgets = {.cpu = 1}}};
    play(&s, LIST(FENCED("a"), "It is {{x}}."),
         LIST("{\"status\":\"ok\",\"resources\":{\"cpu_ms\":900}}",
              "{\"status\":\"timeout\",\"resources\":{\"cpu_ms\":200}}"));
    assert_non_null(s.outcome.answer);
    assert_int_equal(agent_exit_code(&s.outcome), 3);
    clear(&s);
}

static void the_same_answer_is_noticed_at_once(void **state) {
    (void)state;
    struct scene s = {0};
    play(&s, LIST(FENCED("a"), "It is 1060.", "It is 1060.", "It is 1060.", "never"), LIST(OK));
    const char *first = message(&s, 4), *second = message(&s, 2);
    assert_non_null(strstr(first, "nearest is 10466"));
    assert_non_null(strstr(second, "word for word"));
    ends_with_the_answer(&s, AGENT_REPEAT, 4);
    /* The nudge helps. */
    play(&s, LIST(FENCED("a"), "It is 1060.", "It is 1060.", FENCED("b"), "It is 10466."),
         LIST(OK));
    assert_true(s.outcome.verified);
    clear(&s);
}

static void alternation(void **state) {
    (void)state;
    struct scene s = {0};
    play(&s, LIST(FENCED("a"), FENCED("b"), FENCED("a"), FENCED("b"), FENCED("a"), FENCED("b")),
         LIST(OK));
    assert_int_equal(s.outcome.stop, AGENT_ALTERNATING);
    assert_int_equal(s.outcome.steps, 6);
    clear(&s);
}

static void step_budget(void **state) {
    (void)state;
    struct scene s = {.options = {.budgets = {.steps = 3}}};
    play(&s, LIST(FENCED("a"), FENCED("b"), FENCED("c"), FENCED("d")), LIST(OK));
    assert_int_equal(s.outcome.stop, AGENT_STEPS);
    assert_int_equal(s.outcome.steps, 3);
    assert_int_equal(s.script.cells, 2); /* the last step runs nothing */
    assert_non_null(strstr(message(&s, 2), "last step"));
    clear(&s);
}

static void other_budgets(void **state) {
    (void)state;
    struct scene s = {.options = {.budgets = {.tokens = 250}}};
    play(&s, LIST(FENCED("a"), FENCED("b"), FENCED("c"), FENCED("d")), LIST(OK));
    assert_int_equal(s.outcome.stop, AGENT_TOKENS);
    assert_int_equal(s.outcome.steps, 3);
    clear(&s);
    s.options.budgets = (struct agent_budgets){.errors = 2};
    play(&s, LIST(FENCED("a"), FENCED("bb['x']"), FENCED("c")), LIST(BAD));
    assert_int_equal(s.outcome.stop, AGENT_ERRORS);
    clear(&s);
    s.options.budgets = (struct agent_budgets){.cpu = 1};
    play(&s, LIST(FENCED("a"), FENCED("b")),
         LIST("{\"status\":\"ok\",\"resources\":{\"cpu_ms\":1500}}"));
    assert_int_equal(s.outcome.stop, AGENT_CPU);
    assert_int_equal(s.script.cells, 1);
    clear(&s);
    s.options.budgets = (struct agent_budgets){.wall = 1e-9};
    play(&s, LIST(FENCED("a")), LIST(OK));
    assert_int_equal(s.outcome.stop, AGENT_WALL);
    clear(&s);
}

static void a_run_can_be_cancelled(void **state) {
    (void)state;
    atomic_bool cancel = true;
    struct scene s = {.options = {.cancel = &cancel}};
    play(&s, LIST(FENCED("a")), LIST(OK));
    assert_int_equal(s.outcome.stop, AGENT_CANCELLED);
    clear(&s);
}

static void nothing_extracted_shows_the_shape(void **state) {
    (void)state;
    struct scene s = {.options = {.mode = EXTRACT_TAGS}};
    play(&s, LIST(FENCED("a"), "<execute_python>\nf(x)\n</execute_python>", "Final answer: 10466"),
         LIST(OK));
    assert_true(s.outcome.verified);
    assert_non_null(strstr(message(&s, 4), "<execute_python>"));
    assert_int_equal(s.script.cells, 1);
    clear(&s);
}

static void final_in_code(void **state) {
    (void)state;
    struct scene s = {0};
    play(&s, LIST(FENCED("final_answer(total(x))")), LIST("{\"status\":\"ok\",\"final\":2.2}"));
    assert_string_equal(s.outcome.answer, "2.2");
    assert_true(s.outcome.verified);
    clear(&s);
    s.options.budgets.steps = 2;
    play(&s, LIST(FENCED("final_answer(2.2)"), "It is 2.2"),
         LIST("{\"status\":\"ok\",\"final\":2.2}"));
    assert_false(s.outcome.verified);
    clear(&s);
}

static void placeholders(void **state) {
    (void)state;
    struct scene s = {0};
    play(&s, LIST(FENCED("x = total(a)"), "The sum is {{x:.1f}}."),
         LIST("{\"status\":\"ok\"}", "{\"status\":\"ok\",\"final\":[\"10466.0\"]}"));
    assert_string_equal(s.outcome.answer, "The sum is 10466.0.");
    assert_true(s.outcome.verified);
    assert_non_null(strstr(s.script.code, "final_answer([format((x), \".1f\")])"));
    clear(&s);
    s.options.budgets.steps = 2;
    play(&s, LIST(FENCED("x = total(a)"), "The sum is {{1060}}."),
         LIST("{\"status\":\"ok\"}", "{\"status\":\"ok\",\"final\":[\"1060\"]}"));
    assert_string_equal(s.outcome.answer, "The sum is 1060.");
    assert_false(s.outcome.verified);
    clear(&s);
}

static void files_named(void **state) {
    (void)state;
    struct scene s = {0};
    play(&s, LIST(FENCED("a"), "See plot.png.", "See chart.png."), LIST(OK));
    assert_true(s.outcome.verified);
    assert_int_equal(s.outcome.steps, 3);
    assert_non_null(strstr(s.events, "files:fail"));
    assert_non_null(strstr(s.events, "files:pass"));
    clear(&s);
}

static void answers_fit_the_schema(void **state) {
    (void)state;
    struct scene s = {.options = {.schema =
                                      "{\"type\":\"object\",\"required\":[\"sum\"],\"properties\":"
                                      "{\"sum\":{\"type\":\"integer\"}}}"}};
    play(&s, LIST(FENCED("a"), "Final answer: 10466", "Final answer: {\"sum\": 10466}"), LIST(OK));
    assert_true(s.outcome.verified);
    assert_string_equal(s.outcome.answer, "{\"sum\": 10466}");
    assert_non_null(strstr(s.events, "schema:fail"));
    clear(&s);
}

static void output_is_paged(void **state) {
    (void)state;
    struct scene s = {0};
    play(&s, LIST(FENCED("a"), FENCED("output(1, 600, 4600)"), "It is 10466."), LIST(OK));
    assert_true(s.outcome.verified);
    assert_string_equal(message(&s, 2), "the middle");
    assert_int_equal(s.script.cells, 1);
    clear(&s);
}

static void code_says_its_language(void **state) {
    (void)state;
    struct scene s = {0};
    play(&s, LIST("```bash\nls \"a b\"\n```", "Done."), LIST(OK));
    assert_non_null(strstr(s.script.code, "%%bash\nls \"a b\""));
    clear(&s);
}

static void lost_session(void **state) {
    (void)state;
    struct scene s = {0};
    play(&s, LIST(FENCED("a")), (const char *const[]){NULL});
    assert_int_equal(s.outcome.stop, AGENT_ENGINE);
    assert_int_equal(agent_exit_code(&s.outcome), 125);
    clear(&s);
}

static json_t *said(const char *role, const char *text, bool turn) {
    return json_pack("{s:s,s:s,s:b}", "role", role, "content", text, "turn", turn);
}

/* Whole turns go, the oldest first; the prompt and the newest turn stay whatever their length. */
static void long_conversations_are_shortened(void **state) {
    (void)state;
    json_t *all = json_pack("[o,o,o,o,o,o]", said("system", "S", false), said("user", "one", true),
                            said("assistant", "1111111111", false), said("user", "two", true),
                            said("assistant", "2222222222", false), said("user", "three", true));
    memory_shorten(all, 100);
    assert_int_equal(json_array_size(all), 6);
    memory_shorten(all, 20);
    assert_int_equal(json_array_size(all), 5);
    const json_t *note = json_object_get(json_array_get(all, 1), "content");
    assert_non_null(strstr(json_string_value(note), "left out"));
    assert_string_equal(json_string_value(json_object_get(json_array_get(all, 2), "content")),
                        "two");
    memory_shorten(all, 1);
    assert_int_equal(json_array_size(all), 3);
    assert_string_equal(json_string_value(json_object_get(json_array_get(all, 2), "content")),
                        "three");
    json_decref(all);
}

static void prompts_are_there(void **state) {
    (void)state;
    static const char *const names[] = {"system", "calls", "tags",  "fences",  "data",
                                        "sql",    "tests", "tools", "network", "last"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        scoped_buf b = BUF_INIT(100000);
        assert_int_equal(prompts_add(NULL, names[i], &b), 0);
        assert_true(b.len > 40);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answer_is_grounded),
        cmocka_unit_test(events_are_recorded),
        cmocka_unit_test(a_record_that_fails_is_said_once),
        cmocka_unit_test(invented_number_is_repaired),
        cmocka_unit_test(invented_number_is_marked_at_the_end),
        cmocka_unit_test(nothing_computed),
        cmocka_unit_test(correction),
        cmocka_unit_test(repeats),
        cmocka_unit_test(repeated_failure),
        cmocka_unit_test(an_answer_outlives_every_budget),
        cmocka_unit_test(an_answer_that_could_not_be_checked_is_kept),
        cmocka_unit_test(the_same_answer_is_noticed_at_once),
        cmocka_unit_test(alternation),
        cmocka_unit_test(step_budget),
        cmocka_unit_test(other_budgets),
        cmocka_unit_test(a_run_can_be_cancelled),
        cmocka_unit_test(nothing_extracted_shows_the_shape),
        cmocka_unit_test(final_in_code),
        cmocka_unit_test(placeholders),
        cmocka_unit_test(files_named),
        cmocka_unit_test(answers_fit_the_schema),
        cmocka_unit_test(output_is_paged),
        cmocka_unit_test(code_says_its_language),
        cmocka_unit_test(lost_session),
        cmocka_unit_test(long_conversations_are_shortened),
        cmocka_unit_test(prompts_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
