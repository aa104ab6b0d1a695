/* The tree of a pid namespace, measured and killed without a cgroup; and processes by themselves. */
#include "unit.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

#include "as_supervisor.h"
#include "sandbox/process.h"
#include "sandbox/proctree.h"

#define MIB (1u << 20)

static void pause_ms(long ms) {
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* The steps, one after the other; on a machine that is slow the killing may take some more time. */
static int kill_except(const struct proctree *tree, const pid_t *keep, size_t nkeep) {
    struct kill k = KILL_INIT;
    int r;
    for (int more = 0; more < 30; more += r == -EBUSY) {
        r = proctree_kill_step(tree, keep, nkeep, &k);
        if (r == -EBUSY)
            k.give_up_at = now_ns() + KILL_NS;
        else if (r != -EAGAIN)
            break;
        pause_ms(1);
    }
    return r;
}

static void wait_for_ever(void) {
    for (;;)
        pause();
}

/* A first process of a pid namespace that runs `work` in children. */
static pid_t start_init(void (*work)(void)) {
    if (unshare(CLONE_NEWPID) < 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        work();
        _exit(0);
    }
    return pid;
}

static int count_of(const struct proctree *tree) {
    struct proctree_usage u;
    return proctree_measure(tree, UINT64_MAX, &u) < 0 ? -1 : (int)u.processes;
}

static bool wait_for_count(const struct proctree *tree, int count) {
    for (int i = 0; i < 5000; i++, pause_ms(1))
        if (count_of(tree) >= count)
            return true;
    return false;
}

static volatile int *ready; /* shared with what is forked */

/* 32 MiB, shared by two after the fork; and a child whose time is waited for. */
static void use_some(void) {
    char *p = mmap(NULL, 32 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(p, 1, 32 * MIB);
    pid_t pid = fork();
    if (pid == 0) {
        struct timespec t;
        do
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        while (t.tv_nsec < 100000000 && t.tv_sec == 0);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
    if (fork() == 0)
        *ready = 1;
    wait_for_ever();
}

static const char *measuring(struct cgroup_root *root) {
    (void)root;
    ready = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t init = start_init(use_some);
    EXPECT(init > 0);
    struct proctree tree;
    struct proctree_usage u;
    EXPECT(proctree_open(init, &tree) == 0);
    for (int i = 0; i < 10000 && !*ready; i++)
        pause_ms(1);
    EXPECT(proctree_measure(&tree, UINT64_MAX, &u) == 0);
    EXPECT(u.processes == 2);
    EXPECT(u.cpu_us >= 90000);
    EXPECT(u.memory >= 64 * MIB);
    EXPECT(proctree_measure(&tree, 1, &u) == 0);
    EXPECT(u.memory >= 30 * MIB && u.memory < 48 * MIB);
    kill(init, SIGKILL);
    EXPECT(waitpid(init, NULL, 0) == init);
    EXPECT(count_of(&tree) == 0);
    return NULL;
}

/* Grows to some dozen, resumes whoever is stopped, ignores what can be ignored. */
static void hydra(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (int i = 0; i < 5; i++)
        fork();
    for (;;) {
        for (pid_t pid = 2; pid < 40; pid++)
            kill(pid, SIGCONT);
        pause_ms(1);
    }
}

static void init_of_hydra(void) {
    if (fork() == 0)
        hydra();
    struct sigaction reap = {.sa_handler = SIG_IGN};
    sigaction(SIGCHLD, &reap, NULL);
    wait_for_ever();
}

static const char *killing(struct cgroup_root *root) {
    (void)root;
    pid_t init = start_init(init_of_hydra);
    EXPECT(init > 0);
    struct proctree tree;
    EXPECT(proctree_open(init, &tree) == 0);
    EXPECT(wait_for_count(&tree, 33));
    EXPECT(kill_except(&tree, &init, 1) == 32);
    EXPECT(count_of(&tree) == 1);
    EXPECT(waitpid(init, NULL, WNOHANG) == 0);
    EXPECT(kill_except(&tree, &init, 1) == 0);
    EXPECT(kill_except(&tree, NULL, 0) == 1);
    EXPECT(waitpid(init, NULL, 0) == init);
    return NULL;
}

static void members_are_measured(void **state) {
    (void)state;
    as_supervisor(measuring);
}

static void all_but_the_kept_are_killed(void **state) {
    (void)state;
    as_supervisor(killing);
}

static void the_dead_have_no_tree(void **state) {
    (void)state;
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    assert_true(ended_well(pid));
    struct proctree tree;
    assert_int_equal(proctree_open(pid, &tree), -ENOENT);
}

/* In microseconds; 0: this kernel has none. Not every C library has struct sched_attr, of which it
 * is the fourth part. */
static long slice_us(void) {
    uint64_t attr[7] = {0};
    assert_int_equal(syscall(SYS_sched_getattr, 0, attr, sizeof attr, 0), 0);
    return (long)(attr[3] / 1000);
}

/* What it starts later computes for as long as anybody. */
static void one_that_is_prompt_starts_ordinary_ones(void **state) {
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        long before = slice_us();
        int nice = getpriority(PRIO_PROCESS, 0);
        process_be_prompt();
        long ours = slice_us();
        pid_t child = fork();
        if (child == 0)
            _exit(slice_us() == before ? 0 : 1);
        bool prompt = getpriority(PRIO_PROCESS, 0) == nice && (ours == 100 || before == 0);
        _exit(prompt && ended_well(child) ? 0 : 1);
    }
    assert_true(ended_well(pid));
}

static void one_that_gives_way_has_children_that_do(void **state) {
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        long before = slice_us();
        process_give_way();
        pid_t child = fork();
        if (child == 0)
            _exit(before == 0 || slice_us() == 100 ? 0 : 1);
        _exit(ended_well(child) ? 0 : 1);
    }
    assert_true(ended_well(pid));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_measured),
        cmocka_unit_test(all_but_the_kept_are_killed),
        cmocka_unit_test(the_dead_have_no_tree),
        cmocka_unit_test(one_that_is_prompt_starts_ordinary_ones),
        cmocka_unit_test(one_that_gives_way_has_children_that_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
