/* Checkpoints: dormant forks of the interpreter.
 *
 * We take one when the session has been idle for a moment. If it is urgent, we take it in the first
 * pause between two cells. Only if there were no pauses does a cell wait for it. */
#include <errno.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "engine/files/filestore.h"
#include "engine/session/supervisor.h"
#include "engine/timeline/idle.h"
#include "engine/timeline/timeline.h"

#define IDLE_NS 5000000ull          /* of quiet, before a checkpoint is taken */
#define PAUSE_NS 1000000ull         /* the same for one that presses */
#define REPLAY_US 20000             /* of cells that may be run again instead, */
#define REPLAY_FACTOR 10            /* and of the time that a checkpoint takes */
#define ANSWER_NS 10000000000ull    /* of one that goes on */
#define CHECKPOINT_NS 2000000000ull /* a thread of the user's may hold the interpreter */

static void drop_files(struct retort_session *s) {
    snapshot_unref(s->files.checkpoint);
    s->files.checkpoint = NULL;
}

static int fork_checkpoint(struct retort_session *s) {
    int wake = -1;
    size_t nfds = 1;
    struct frame f;
    timeline_settle(s);
    if (s->state != SESSION_LIVE || !s->interp.greeted || s->files.unlisted ||
        s->spec->language != LANG_PYTHON || interp_command(&s->interp, CTL_CHECKPOINT) < 0)
        return -ESRCH;
    /* The message comes in any case; if we left it, it would later be taken for the end of the
     * session. */
    if (session_await(s, CTL_WAKE, CTL_WAKE, &wake, &nfds) != CTL_WAKE || nfds != 1)
        return -EPIPE;
    scoped_fd theirs = wake;
    if (s->interp.exited)
        return -ESRCH;
    int r = interp_send_socket(&s->interp, FRAME_CHECKPOINT, theirs);
    fd_done(&theirs);
    if (r == 0)
        r = interp_await_frame(&s->interp, FRAME_CHECKPOINTED, CHECKPOINT_NS, &f);
    if (r < 0) { /* if it came later, it would be of another state than we think */
        s->interp.unanswered++;
        s->timeline.has_checkpoint = false;
        s->timeline.checkpoint_dropped = true;
        drop_files(s);
        return r;
    }
    bool failed = interp_fork_failed(&f);
    interp_consume(&s->interp, &f);
    drop_files(s);
    if (failed || !(s->files.checkpoint = snapshot_ref(files_snapshot(&s->files)))) {
        s->timeline.has_checkpoint = false;
        s->timeline.checkpoint_dropped = true;
        return -EAGAIN;
    }
    s->timeline.has_checkpoint = true;
    s->timeline.checkpoint_at = s->timeline.nsteps;
    s->timeline.replay_us = 0;
    return 0;
}

int checkpoint_take(struct retort_session *s) {
    uint64_t began = now_ns();
    int r = fork_checkpoint(s);
    s->timeline.checkpoint_ns = lasting_ns(s->timeline.checkpoint_ns, now_ns() - began);
    return r;
}

static bool checkpoint_useful(const struct retort_session *s) {
    size_t from = s->timeline.has_checkpoint ? s->timeline.checkpoint_at : 0;
    return s->spec->checkpoint != RETORT_CHECKPOINT_OFF && s->timeline.nsteps > 0 &&
           s->interp.language == LANG_PYTHON && !s->interp.unanswered && !s->interp.exited &&
           timeline_ran(s, from) & 1u << s->interp.language;
}

/* If checkpoints take long because the machine is busy, the cells since the last one took long for
 * the same reason. */
static uint64_t replay_most_us(const struct retort_session *s) {
    uint64_t us = REPLAY_FACTOR * s->timeline.checkpoint_ns / 1000;
    return us > REPLAY_US ? us : REPLAY_US;
}

void checkpoint_before_cell(struct retort_session *s) {
    if (checkpoint_useful(s) && (s->spec->checkpoint == RETORT_CHECKPOINT_ALWAYS ||
                                 s->timeline.replay_us > replay_most_us(s)))
        checkpoint_take(s);
}

/* A cell that comes in the middle of a checkpoint or of a sweep waits for it. If others keep the
 * processors or the supervisor busy, both take long; then we wait for so long a quiet time that few
 * cells meet one. If no such time comes, then once half of the time until a cell would have to wait
 * is over, the first pause has to do: a short pause is better than none. */
#define QUIET_FACTOR 5
#define QUIET_MOST_NS 1000000000ull

static uint64_t quiet_ns(const struct retort_session *s) {
    uint64_t checkpoint = s->timeline.checkpoint_ns, sweep = s->usage.sweep_ns;
    uint64_t ns = QUIET_FACTOR * (checkpoint > sweep ? checkpoint : sweep);
    return ns < IDLE_NS ? IDLE_NS : ns > QUIET_MOST_NS ? QUIET_MOST_NS : ns;
}

static bool sweep_presses(const struct retort_session *s, uint64_t now) {
    return s->usage.cells_unswept && now - s->usage.unswept_ns >= UNSWEPT_MOST_NS / 2;
}

static bool checkpoint_presses(const struct retort_session *s) {
    return s->timeline.replay_us > replay_most_us(s) / 2;
}

void checkpoint_after_cell(struct retort_session *s, uint64_t cost_us) {
    struct step *last = s->timeline.nsteps ? &s->timeline.steps[s->timeline.nsteps - 1] : NULL;
    if (last && last->language->interpreter == s->interp.language)
        s->timeline.replay_us += cost_us;
    if (last)
        last->cost_us = cost_us;
    bool useful = checkpoint_useful(s);
    if (sweep_presses(s, now_ns()) || (useful && checkpoint_presses(s)))
        idle_add(s, PAUSE_NS);
    else if (s->usage.cells_unswept || useful)
        idle_add(s, quiet_ns(s));
}

void checkpoint_idle(struct retort_session *s) {
    uint64_t now = now_ns(), quiet = now - s->idle.used_ns, wanted = quiet_ns(s);
    bool useful = checkpoint_useful(s);
    if (s->usage.cells_unswept && (quiet >= wanted || sweep_presses(s, now)) && session_sweep(s))
        s->files.unsettled = true; /* it may have changed files after they were looked at */
    if (useful && (quiet >= wanted || checkpoint_presses(s)))
        checkpoint_take(s);
    else if (useful || s->usage.cells_unswept)
        idle_add(s, wanted - quiet);
}

int checkpoint_revive(struct retort_session *s, json_t *notes) {
    int fds[3];
    size_t nfds = 3;
    struct frame f;
    s->timeline.has_checkpoint = false;
    if (filestore_restore(&s->files, &s->files.checkpoint->files, notes) < 0 ||
        interp_command(&s->interp, CTL_RESUME) < 0)
        return -EPIPE;
    if (session_await(s, CTL_RESUMED, CTL_GONE, fds, &nfds) != CTL_RESUMED || nfds != 3) {
        for (size_t i = 0; i < nfds; i++)
            close(fds[i]);
        return -ESRCH;
    }
    interp_take_generation(&s->interp, fds);
    int r = interp_await_frame(&s->interp, FRAME_RESUMED, ANSWER_NS, &f);
    if (r < 0)
        return r;
    interp_take_notes(&f, notes);
    interp_consume(&s->interp, &f);
    return 0;
}
