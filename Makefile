# Retort. `make demo` shows it, `make check` tests it; HACKING.md says more.
#
# Where the link line is a boundary, objects are listed: what is not linked into the supervisor cannot run with its
# privileges (scripts/boundary proves it with nm), and what is not in `retort` costs a cold run nothing. Everything
# else is taken by folder. scripts/layers fails `make check` when a source file is in no module, or in two.

VERSION := $(shell sed -n 's/^\#define RETORT_VERSION "\(.*\)"/\1/p' include/retort.h)
SOVERSION = 0
PREFIX ?= /usr/local
DESTDIR ?=
CC = gcc
.DEFAULT_GOAL = all

# VARIANT: empty (release), asan, tsan, ablation, clang, python; each has a directory of its own.
VARIANT ?=
B = build$(if $(VARIANT),/$(VARIANT))

CPPFLAGS = -Isrc -Iinclude -D_GNU_SOURCE -include src/base/banned.h
WARNINGS = -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wformat=2 -Wvla -Wcast-qual -Werror
CFLAGS = -std=gnu17 $(WARNINGS) -O2 -g
HARDEN = -fstack-protector-strong -D_FORTIFY_SOURCE=2
LDFLAGS = -Wl,-z,relro -Wl,-z,now -Wl,--as-needed

ifeq ($(VARIANT),asan)
HARDEN = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
LDFLAGS += -fsanitize=address,undefined
endif
ifeq ($(VARIANT),tsan)
HARDEN = -fsanitize=thread -fno-omit-frame-pointer
LDFLAGS += -fsanitize=thread
endif
ifeq ($(VARIANT),ablation)
CPPFLAGS += -DRETORT_ABLATION
endif
ifneq ($(filter asan tsan,$(VARIANT)),)
SANITIZER_OPTIONS = tests/sanitizer_options.o
endif
# Sessions are looked at whenever somebody takes or leaves one (src/engine/session/session_check.c).
ifneq ($(filter asan tsan ablation,$(VARIANT)),)
CPPFLAGS += -DRETORT_CHECKED
endif
ifeq ($(VARIANT),clang)
CC = clang
endif
# Without the other languages, for bench/ to compare with.
ifeq ($(VARIANT),python)
CPPFLAGS += -DRETORT_PYTHON_ONLY
WARNINGS += -Wno-array-bounds # of the numbers that no language has then
endif

# A first build takes all processors, unless the caller has said -j himself.
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

# Two that build in one tree take turns: no object is linked while another writes it.
TURN = flock Makefile

# ---- what each module is made of --------------------------------------------------------------------------

# The objects of these folders.
folder = $(patsubst %.c,%.o,$(sort $(wildcard $(addsuffix /*.c,$(1)))))

BASE = $(call folder,src/base)
WIRE = $(call folder,src/wire)
LEDGER = $(call folder,src/ledger src/ledger/*)
ENGINE = $(call folder,src/engine src/engine/*)
EXPORT = $(call folder,src/export)
# The check of numbers, which the library has, too.
GROUND = $(call folder,src/agent/text src/agent/claims src/agent/evidence src/agent/ground)
# The review of code, the same.
REVIEW = $(call folder,src/agent/review)
AGENT = $(filter-out $(GROUND) $(REVIEW),$(call folder,src/agent/*)) src/agent/run/prompts_built_in.o
SERVE = $(call folder,src/serve/*) src/serve/http/page_built_in.o
ENVIRONMENTS = $(call folder,src/environments)
SKILLS = $(call folder,src/skills)
CLUSTER = $(call folder,src/cluster)
# Loaded by a server that is told of a cluster, and by nobody else; made where the library for NATS is.
CLUSTER_NATS = $(call folder,src/cluster/nats)
HAVE_NATS := $(wildcard /usr/include/nats/nats.h)

SANDBOX = src/sandbox/cgroup/cgroup.o src/sandbox/cgroup/cgroup1.o src/sandbox/cgroup/cgroup2.o \
	src/sandbox/cgroup/cgroup_find.o src/sandbox/cgroup/cgroup_kill.o src/sandbox/cgroup/cgroup_root.o \
	src/sandbox/devices.o src/sandbox/landlock.o src/sandbox/lockdown.o src/sandbox/locks.o \
	src/sandbox/namespaces.o src/sandbox/netns.o src/sandbox/process.o src/sandbox/proctree.o \
	src/sandbox/quota.o src/sandbox/renew.o src/sandbox/rootfs.o src/sandbox/seccomp.o \
	src/sandbox/uidrange.o
SUPERVISOR = src/supervisor/birth.o src/supervisor/branch/branch.o src/supervisor/branch/branch_child.o \
	src/supervisor/branch/gate.o src/supervisor/files/collector.o src/supervisor/files/copy.o \
	src/supervisor/files/tree.o src/supervisor/keeper.o src/supervisor/launcher.o src/supervisor/loop.o \
	src/supervisor/main.o src/supervisor/network.o src/supervisor/parts/checkpoint.o \
	src/supervisor/parts/companion.o src/supervisor/parts/interpreter.o src/supervisor/parts/killing.o \
	src/supervisor/parts/letters.o src/supervisor/parts/memory.o src/supervisor/parts/pid1.o \
	src/supervisor/pool.o src/supervisor/request_rules.o src/supervisor/requests.o src/supervisor/session.o \
	src/supervisor/session_check.o src/supervisor/session_child.o src/supervisor/sockets.o \
	src/supervisor/spare.o src/supervisor/variables.o src/supervisor/zygote.o
# The gate reads what guests and the internet say: nothing that has a right or a secret of others is linked into it.
GATE_RULES = $(call folder,src/gate/rules)
GATE = $(call folder,src/gate)
# Of the command line: what the cold program has alone, what both have, and what needs HTTP, TLS, a model's API or a
# line editor.
CLI_COLD = src/cli/main.o $(call folder,src/cli/policy) \
	$(addprefix src/cli/run/,cmd_run.o once_ask.o) \
	$(addprefix src/cli/commands/,cmd_doctor.o cmd_log.o cmd_check_answer.o cmd_verify.o cmd_replay.o cmd_forget.o)
CLI_STATIC = src/cli/no_dlopen.o
CLI_BOTH = $(addprefix src/cli/,fail.o network.o opt.o options.o rules.o outdir.o upload.o term.o) \
	$(addprefix src/cli/run/,once_options.o once_letters.o once_place.o) \
	$(addprefix src/cli/commands/,ledgercmd.o ledger_entries.o cmd_export.o)
CLI_DOORS = $(filter-out $(CLI_COLD) $(CLI_STATIC) $(CLI_BOTH),$(call folder,src/cli src/cli/*))

# ---- what each program is made of -------------------------------------------------------------------------

LIBRETORT = $(BASE) $(WIRE) $(LEDGER) $(EXPORT) $(GATE_RULES) $(GROUND) $(REVIEW) $(ENGINE)
# In the library, and not in the cold program.
LIBSKILLS = $(SKILLS) src/environments/tree.o
LIBRETORT_LIBS = -ljansson -lsqlite3 -lcrypto -lpthread -lm

RETORT = $(CLI_COLD) $(CLI_BOTH) $(LIBRETORT)
RETORT_LIBS = -ljansson -lsqlite3 -lcrypto -lpthread -lm
# Archives, with what they need in turn, which differs between releases.
RETORT_ARCHIVES = $(shell pkg-config --static --libs jansson sqlite3 libcrypto) -lm

RETORT_DOORS = $(CLI_DOORS) $(CLI_BOTH) $(SERVE) $(CLUSTER) $(SKILLS) $(ENVIRONMENTS) $(AGENT) $(LIBRETORT)
RETORT_DOORS_LIBS = $(LIBRETORT_LIBS) -lcurl -lmicrohttpd -ledit
# Tests reach the gate, too.
TEST_LIBS = $(RETORT_DOORS_LIBS) -lssl

RETORT_GATE = $(GATE) $(GATE_RULES) $(addprefix src/base/,err.o io.o buf.o base64.o hash.o jsonwhole.o thread.o)
RETORT_GATE_LIBS = -ljansson -lssl -lcrypto -lpthread

ABLATION = src/sandbox/ablation/ablation.o src/sandbox/ablation/failpoint.o src/sandbox/ablation/overlook.o
# In the supervisor alone: what nth.c can make fail.
ABLATION_NTH = src/sandbox/ablation/nth.o
comma = ,
WRAPPED = malloc calloc socketpair pipe2 fork sendmsg recvmsg mkdirat setsockopt epoll_ctl openat syscall
INIT = src/sandbox/init.o

# For scripts/layers: every source file belongs to one of these.
MODULES = BASE WIRE SANDBOX ABLATION ABLATION_NTH INIT SUPERVISOR LEDGER GATE_RULES GATE GROUND REVIEW ENGINE \
	EXPORT AGENT SERVE CLUSTER CLUSTER_NATS SKILLS ENVIRONMENTS CLI_COLD CLI_STATIC CLI_BOTH CLI_DOORS
modules:
	@printf '%s\n' $(foreach m,$(MODULES),$($(m):%.o=$(m):%.c))

ifeq ($(VARIANT),ablation)
SANDBOX += $(ABLATION)
endif

# No library but libc: everything here may run with privilege.
RETORT_SUPERVISOR = $(SUPERVISOR) $(SANDBOX) src/base/err.o src/base/io.o src/wire/collect.o src/wire/control.o
ifeq ($(VARIANT),ablation)
RETORT_SUPERVISOR += $(ABLATION_NTH)
SUPERVISOR_LDFLAGS = $(addprefix -Wl$(comma)--wrap=,$(WRAPPED))
endif

# Loaded into the interpreter by the zygote.
RETORT_PYTHON = guest/python/_retort.o guest/python/pages.o $(SANDBOX) src/base/err.o src/base/io.o src/wire/control.o

GUEST = $(wildcard guest/python/*.py guest/node/*.js guest/bash/*.sh guest/wasm/*.h)
ifeq ($(VARIANT),python)
GUEST := $(filter-out guest/python/sql.py guest/python/duck.py guest/python/tables.py guest/node/% guest/bash/%,$(GUEST))
endif

UNIT = test_agent_card test_agent_claims test_agent_evidence test_agent_extract test_agent_ground \
	test_agent_judge test_agent_loop test_agent_model test_agent_observe test_agent_odds test_agent_repeat test_agent_weigh test_base64 \
	test_buf test_call test_cgroup test_cluster_letter test_err test_fingerprint test_frame test_gate_head \
	test_gate_rules test_gateway test_guard test_hash test_io test_jsonout test_jsonwhole test_keeper \
	test_landlock test_lane test_ledger test_ledger_export test_ledger_faults test_ledger_mirror \
	test_ledger_schema test_ledger_store test_ledger_verify test_lines test_list test_mcp test_measure \
	test_methods test_netns test_network test_pairs test_proctree test_queues test_reach test_requests \
	test_rest test_rpc test_seccomp test_session test_toolschema test_tree test_uidrange test_utf8
FUZZ = fuzz_answer fuzz_cell fuzz_collect fuzz_control fuzz_frame fuzz_gate fuzz_http fuzz_ledger fuzz_letter \
	fuzz_mcp fuzz_model fuzz_rpc fuzz_table fuzz_tree

PROGRAMS = retort retort-doors retort-supervisor retort-gate retort-init libretort.so libretort.a \
	guest/python/_retort.abi3.so guest/node/limit.so guest/node/interrupt.so guest/bash/channel.so guest/shim.so \
	guest/unpack guest/.stamp $(if $(HAVE_NATS),retort-cluster.so)

# ---- building ---------------------------------------------------------------------------------------------

all: $(addprefix $(B)/,$(PROGRAMS))

objects = $(addprefix $(B)/obj/,$(1))

# Position independent throughout: one object serves the programs, the library and the guest's module.
$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(HARDEN) -fPIC -MMD -MP -c -o $@ $<

# The prompts are files, and built in as well.
PROMPTS = $(wildcard src/agent/run/prompts/*.md)

$(B)/obj/src/agent/run/prompts_built_in.c: $(PROMPTS) scripts/embed-prompts
	@mkdir -p $(@D)
	scripts/embed-prompts $(PROMPTS) > $@

$(B)/obj/src/agent/run/prompts_built_in.o: $(B)/obj/src/agent/run/prompts_built_in.c
	$(CC) $(CPPFLAGS) $(CFLAGS) $(HARDEN) -fPIC -MMD -MP -c -o $@ $<

# The page is built in, plain and compressed; its editor is Debian's.
PAGE = $(wildcard src/page/*.html src/page/*.js src/page/*.css src/page/*.svg)
CODEMIRROR_DIR ?= /usr/share/javascript/codemirror
CODEMIRROR = lib/codemirror.js lib/codemirror.css mode/python/python.js mode/sql/sql.js mode/shell/shell.js \
	mode/javascript/javascript.js addon/edit/matchbrackets.js addon/hint/show-hint.js addon/hint/show-hint.css \
	addon/display/placeholder.js addon/runmode/runmode.js

$(B)/obj/src/serve/http/page_built_in.c: $(PAGE) $(addprefix $(CODEMIRROR_DIR)/,$(CODEMIRROR)) scripts/embed-page Makefile
	@mkdir -p $(@D)
	scripts/embed-page $(foreach f,$(PAGE),$(notdir $(f))=$(f)) \
	    $(foreach f,$(CODEMIRROR),codemirror/$(notdir $(f))=$(CODEMIRROR_DIR)/$(f)) > $@.$$$$ && mv $@.$$$$ $@

$(B)/obj/src/serve/http/page_built_in.o: $(B)/obj/src/serve/http/page_built_in.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -Wno-overlength-strings $(HARDEN) -fPIC -MMD -MP -c -o $@ $<

# What a cold run starts is static: the dynamic linker would cost it a quarter of a millisecond for each, and
# loading and relocating shared libraries as much as its namespaces do.
RETORT += $(SANITIZER_OPTIONS)
RETORT_DOORS += $(SANITIZER_OPTIONS)
ifneq ($(filter asan tsan,$(VARIANT)),)
STATIC = -pie
RETORT_STATIC = $(RETORT_LIBS)
else
STATIC = -static-pie
RETORT += $(CLI_STATIC)
RETORT_STATIC = $(RETORT_ARCHIVES) -Wl,--wrap=dlopen
endif

# Put in place only when whole: a run under way keeps its program, a failed link the last good one.
$(B)/retort: $(call objects,$(RETORT))
	$(CC) $(LDFLAGS) $(STATIC) -o $@.$$$$ $^ $(RETORT_STATIC) && mv $@.$$$$ $@

$(B)/retort-doors: $(call objects,$(RETORT_DOORS))
	$(CC) $(LDFLAGS) -pie -o $@.$$$$ $^ $(RETORT_DOORS_LIBS) && mv $@.$$$$ $@

$(B)/retort-cluster.so: $(call objects,$(CLUSTER_NATS))
	$(CC) $(LDFLAGS) -shared -o $@.$$$$ $^ -lnats && mv $@.$$$$ $@

$(B)/retort-gate: $(call objects,$(RETORT_GATE) $(SANITIZER_OPTIONS))
	$(CC) $(LDFLAGS) -pie -o $@.$$$$ $^ $(RETORT_GATE_LIBS) && mv $@.$$$$ $@

# The supervisor has one thread and clones by system calls that the thread sanitizer does not know of.
ifeq ($(VARIANT),tsan)
$(B)/retort-supervisor: $(addprefix $(B)/obj/pic/,$(RETORT_SUPERVISOR))
	$(CC) -static-pie -o $@.$$$$ $^ && mv $@.$$$$ $@
else
$(B)/retort-supervisor: $(call objects,$(RETORT_SUPERVISOR))
	$(CC) $(LDFLAGS) $(SUPERVISOR_LDFLAGS) $(STATIC) -o $@.$$$$ $^ && mv $@.$$$$ $@
endif

$(B)/libretort.a: $(call objects,$(LIBRETORT) $(LIBSKILLS))
	@rm -f $@
	ar rcs $@ $^

$(B)/libretort.so: $(call objects,$(LIBRETORT) $(LIBSKILLS)) src/engine/libretort.map
	$(CC) $(LDFLAGS) -shared -Wl,-soname,libretort.so.$(SOVERSION) \
	    -Wl,--version-script=src/engine/libretort.map -o $@.$(VERSION) $(filter %.o,$^) $(LIBRETORT_LIBS)
	ln -sf libretort.so.$(VERSION) $(B)/libretort.so.$(SOVERSION)
	ln -sf libretort.so.$(VERSION) $@

# Pid 1 of a session: no libc, so nothing but what stands in the file.
$(B)/obj/src/sandbox/init.o: src/sandbox/init.c
	@mkdir -p $(@D)
	$(CC) -Isrc -Iinclude -D_GNU_SOURCE -std=gnu17 $(WARNINGS) -Os -g -ffreestanding \
	    -fno-stack-protector -fno-pic -fno-asynchronous-unwind-tables -MMD -MP -c -o $@ $<

$(B)/retort-init: $(B)/obj/src/sandbox/init.o
	$(CC) -nostdlib -static -Wl,--build-id=none -Wl,-z,noexecstack -o $@ $<

# The guest's module never carries a sanitizer: the interpreter that loads it has none.
GUEST_CFLAGS = -include guest/shim/older.h $(CPPFLAGS) $(CFLAGS) -fstack-protector-strong -fPIC -fvisibility=hidden
PYTHON_INCLUDE = $(shell /usr/bin/python3-config --includes)

$(B)/obj/pic/guest/python/%.o: GUEST_CFLAGS += -DPy_LIMITED_API=0x03090000 $(PYTHON_INCLUDE)

$(B)/obj/pic/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(GUEST_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/guest/python/_retort.abi3.so: $(addprefix $(B)/obj/pic/,$(RETORT_PYTHON))
	@mkdir -p $(@D)
	$(CC) -Wl,-z,relro -Wl,-z,now -shared -o $@.$$$$ $^ && mv $@.$$$$ $@

# Loaded into node where no cgroup holds its memory.
$(B)/guest/node/limit.so: $(addprefix $(B)/obj/pic/,guest/node/limit.o src/base/io.o)
	@mkdir -p $(@D)
	$(CC) -Wl,-z,relro -Wl,-z,now -shared -o $@.$$$$ $^ && mv $@.$$$$ $@

# Loaded into node for cells of a session.
$(B)/guest/node/interrupt.so: $(B)/obj/pic/guest/node/interrupt.o
	@mkdir -p $(@D)
	$(CC) -Wl,-z,relro -Wl,-z,now -shared -o $@.$$$$ $^ && mv $@.$$$$ $@

# A builtin of the bash of a session.
$(B)/guest/bash/channel.so: $(addprefix $(B)/obj/pic/,guest/bash/channel.o guest/bash/asked.o src/wire/frame.o src/base/buf.o src/base/io.o)
	@mkdir -p $(@D)
	$(CC) -Wl,-z,relro -Wl,-z,now -shared -o $@.$$$$ $^ && mv $@.$$$$ $@

# Preloaded into interpreters of deterministic sessions.
$(B)/guest/shim.so: $(B)/obj/pic/guest/shim/shim.o
	@mkdir -p $(@D)
	$(CC) -Wl,-z,relro -Wl,-z,now -shared -o $@.$$$$ $^ && mv $@.$$$$ $@

# Runs in the session that unpacks an image: what it reads is hostile.
$(B)/guest/unpack: $(addprefix $(B)/obj/pic/guest/unpack/,main.o names.o)
	$(CC) -pie -Wl,-z,relro -Wl,-z,now -o $@.$$$$ $^ -larchive && mv $@.$$$$ $@

# Byte code that trusts its source: copies of the tree have other times, and a session could not write it anew.
ifeq ($(VARIANT),ablation)
GUEST_OF_TESTS = tests/languages/live.pl
endif
$(B)/guest/.stamp: $(GUEST) $(GUEST_OF_TESTS) $(B)/retort-init Makefile
	@mkdir -p $(addprefix $(B)/,$(sort $(dir $(GUEST))))
	$(if $(GUEST),for f in $(GUEST); do cp $$f $(B)/$$f; done)
	$(if $(GUEST_OF_TESTS),mkdir -p $(B)/guest/perl && cp $(GUEST_OF_TESTS) $(B)/guest/perl/)
	cp $(B)/retort-init $(B)/guest/init
	/usr/bin/python3 -m compileall -q -f --invalidation-mode unchecked-hash $(B)/guest/python
	@touch $@

# ---- tests ------------------------------------------------------------------------------------------------

# Unit tests may reach every module, whatever program it belongs to.
TESTABLE = $(filter-out %/main.o src/cli/doors.o,$(sort $(LIBRETORT) $(GATE) $(SANDBOX) $(SUPERVISOR) $(AGENT) $(SERVE) $(CLUSTER) $(SKILLS) $(ENVIRONMENTS) \
	$(CLI_COLD) $(CLI_BOTH) $(CLI_DOORS)))

$(B)/tests/all.a: $(call objects,$(TESTABLE))
	@mkdir -p $(@D)
	@rm -f $@
	ar rcs $@ $^

$(B)/tests/test_%: $(B)/obj/tests/unit/test_%.o $(call objects,$(SANITIZER_OPTIONS)) $(B)/tests/all.a
	$(CC) $(LDFLAGS) -pie -o $@ $^ -lcmocka $(TEST_LIBS)

$(B)/obj/src/serve/server/openapi.o: src/serve/server/openapi.json
$(B)/obj/src/serve/mcp/mcp_retort.o: src/serve/mcp/mcp_tools.json

$(B)/tests/mcp_fixture: $(B)/obj/tests/clients/mcp_fixture.o $(B)/tests/all.a
	$(CC) $(LDFLAGS) -pie -o $@ $^ $(RETORT_DOORS_LIBS)

# The corpora are replayed with sanitizers on, whatever the variant; `make fuzz` looks for new inputs. Targets take
# what they need from an archive of everything that decodes. Folders that no target needs are not compiled for it.
UNFUZZED = $(addsuffix /%,src/agent/review src/agent/run src/agent/tools src/engine/answer src/engine/api src/engine/timeline \
	src/serve/cluster src/serve/e2b src/serve/server src/skills)
FUZZABLE = $(filter-out %_built_in.o $(UNFUZZED),$(BASE) $(WIRE) $(GATE_RULES) $(GROUND) src/gate/head.o src/gate/hello.o \
	$(LEDGER) $(ENGINE) $(EXPORT) $(AGENT) $(SERVE) $(CLUSTER) $(SKILLS) $(ENVIRONMENTS)) src/supervisor/request_rules.o
FUZZ_CFLAGS = -std=gnu17 $(WARNINGS) -O1 -g -fno-sanitize-recover=all

# With sanitizers gcc guesses wrong about the lengths of texts.
$(B)/obj/replay/%.o: %.c
	@mkdir -p $(@D)
	gcc $(CPPFLAGS) $(FUZZ_CFLAGS) -Wno-format-truncation -fsanitize=address,undefined -MMD -MP -c -o $@ $<

$(B)/obj/fuzz/%.o: %.c
	@mkdir -p $(@D)
	clang $(CPPFLAGS) $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link,address,undefined -MMD -MP -c -o $@ $<

$(B)/obj/replay/all.a: $(addprefix $(B)/obj/replay/,$(FUZZABLE))
	@rm -f $@
	ar rcs $@ $^

$(B)/obj/fuzz/all.a: $(addprefix $(B)/obj/fuzz/,$(FUZZABLE))
	@rm -f $@
	ar rcs $@ $^

$(B)/tests/replay_%: $(B)/obj/replay/tests/fuzz/fuzz_%.o $(B)/obj/replay/tests/fuzz/replay.o $(B)/obj/replay/all.a
	@mkdir -p $(@D)
	gcc -fsanitize=address,undefined -o $@ $^ -Wl,--as-needed $(RETORT_DOORS_LIBS)

build/fuzz/fuzz_%: $(B)/obj/fuzz/tests/fuzz/fuzz_%.o $(B)/obj/fuzz/all.a
	@mkdir -p $(@D)
	clang -fsanitize=fuzzer,address,undefined -o $@ $^ -Wl,--as-needed $(RETORT_DOORS_LIBS)

# Static and without sanitizers, because it runs inside sessions and every call it makes counts.
SYSCALLS_TABLE = src/sandbox/syscalls.def src/sandbox/syscalls.h
$(B)/tests/probe_syscalls: tests/hostile/probe_syscalls.c src/sandbox/seccomp.c src/base/err.c tests/policy.h \
    $(SYSCALLS_TABLE)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -static -o $@ $(filter %.c,$^)

$(B)/tests/syscalls_doc: scripts/syscalls_doc.c $(SYSCALLS_TABLE)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $<

docs: $(B)/tests/syscalls_doc
	$< > docs/syscalls.md

tests: all $(addprefix $(B)/tests/,$(UNIT) $(FUZZ:fuzz_%=replay_%) probe_syscalls syscalls_doc mcp_fixture)

# For tests/provenance/fit.py: the check of numbers, which tells what it weighed; its terms as well.
WEIGHED = $(wildcard src/agent/text/*.c src/agent/claims/*.c src/agent/evidence/*.c src/agent/ground/*.c) tests/provenance/replay.c
build/provenance/replay build/provenance/replay-terms: build/provenance/%: $(WEIGHED) $(wildcard src/agent/ground/*.h) | $(B)/libretort.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -DGROUND_WATCH $(if $(findstring terms,$@),-DTALLY_TERMS) -o $@ $(WEIGHED) $(B)/libretort.a $(LIBRETORT_LIBS)

deps:
	scripts/deps build demo test

check: deps
	+$(TURN) $(MAKE) $(JOBS) tests bench-programs
	+$(TURN) $(MAKE) $(JOBS) VARIANT=ablation all
	scripts/check --build $(B) $(if $(ALL),--all) $(if $(T),-T '$(T)') $(if $(AGAIN),--again)

check-asan: deps
	+$(TURN) $(MAKE) $(JOBS) VARIANT=asan tests
	+$(TURN) $(MAKE) $(JOBS) VARIANT=ablation all
	+$(TURN) $(MAKE) $(JOBS) all bench-programs
	scripts/check --build build/asan --all --time-limit 7200 $(if $(T),-T '$(T)')

# The tests of what has several threads: the ledger, the doors, the engine with many callers.
THREADED = test_call test_guard test_lane test_lines test_ledger test_ledger_faults test_ledger_store test_mcp test_pairs test_queues \
	test_branch test_compare test_examples test_library test_rpc test_serve test_sessions

check-tsan: deps
	+$(TURN) $(MAKE) $(JOBS) VARIANT=tsan tests
	scripts/check --build build/tsan --time-limit 7200 --only '$(THREADED)' $(if $(T),-T '$(T)')

soak: deps
	+$(TURN) $(MAKE) $(JOBS) tests
	+$(TURN) $(MAKE) $(JOBS) VARIANT=ablation all
	RETORT_SOAK=1 scripts/check --build $(B) --time-limit 14400 $(if $(T),-T '$(T)')

check-vm:
	scripts/deps build demo test vm
	+$(TURN) $(MAKE) $(JOBS) tests bench-programs
	+$(TURN) $(MAKE) $(JOBS) VARIANT=ablation tests
	tests/vm/run $(if $(T),'$(T)')

# SYSTEMS='trixie:demo bookworm/user' keeps systems, callers and steps; tests/fresh/run --help says more.
check-fresh:
	scripts/deps fresh
	tests/fresh/run $(if $(T),-T '$(T)') $(SYSTEMS)

FUZZ_SECONDS ?= 60
fuzz: deps
	+$(TURN) $(MAKE) $(JOBS) $(FUZZ:%=build/fuzz/%)
	for f in $(FUZZ); do \
	    mkdir -p build/fuzz/new/$$f && \
	    build/fuzz/$$f -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=build/fuzz/ -print_final_stats=1 \
	        build/fuzz/new/$$f tests/fuzz/corpus/$${f#fuzz_} || exit 1; \
	done

# Timings belong here and not into the tests: programs measured side by side in one run.
BENCH = bench_engine bench_peers bench_doors bench_agent bench_ledger floors.so locks.so
BENCH_CFLAGS = -I. $(CPPFLAGS) $(CFLAGS)

$(B)/bench/bench_engine $(B)/bench/bench_peers: $(B)/bench/%: bench/%.c bench/server.h $(B)/libretort.so
	@mkdir -p $(@D)
	$(CC) $(BENCH_CFLAGS) -o $@ $< $(B)/libretort.so -Wl,-rpath,'$$ORIGIN/..' -lpthread

$(B)/bench/bench_doors: bench/bench_doors.c bench/server.h
	@mkdir -p $(@D)
	$(CC) $(BENCH_CFLAGS) -o $@ $<

$(B)/bench/bench_agent $(B)/bench/bench_ledger: $(B)/bench/%: bench/%.c bench/server.h $(B)/tests/all.a
	@mkdir -p $(@D)
	$(CC) $(BENCH_CFLAGS) -o $@ $< $(B)/tests/all.a $(LDFLAGS) $(RETORT_DOORS_LIBS)

$(B)/bench/floors.so $(B)/bench/locks.so: $(B)/bench/%.so: bench/%.c bench/server.h
	@mkdir -p $(@D)
	$(CC) $(BENCH_CFLAGS) -fPIC -shared -o $@ $<

bench-programs: all $(addprefix $(B)/bench/,$(BENCH))

bench:
	scripts/deps build demo test bench
	+$(TURN) $(MAKE) $(JOBS) bench-programs
	+$(TURN) $(MAKE) $(JOBS) VARIANT=python all build/python/bench/bench_engine
	bench/run --build $(B) --json $(B)/bench/latest.json --html $(B)/bench/index.html

# One archive that runs on a bare machine: bench/kit says what is in it.
bench-kit:
	scripts/deps build demo test
	+$(TURN) $(MAKE) $(JOBS) bench-programs
	bench/kit --build $(B) $(B)/bench/retort-bench.tar.gz

demo:
	scripts/deps build demo
	+$(TURN) $(MAKE) $(JOBS) all
	scripts/demo $(B)

# Three servers of NATS and three nodes on this machine; one is killed.
cluster-demo:
	scripts/deps build demo cluster
	+$(TURN) $(MAKE) $(JOBS) all
	scripts/cluster-demo $(B)

LINTED = $(shell git ls-files '*.c' '*.h')
lint:
	scripts/deps build demo test lint
	clang-format --dry-run -Werror $(LINTED)
	printf '%s\n' $(filter src/%.c,$(LINTED)) | xargs -P 2 -I{} clang-tidy --quiet {} -- $(CPPFLAGS) -std=gnu17
	cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,portability \
	    --suppressions-list=scripts/cppcheck-suppressions -Isrc -Iinclude -D_GNU_SOURCE -D__x86_64__ \
	    $(filter src/%.c,$(LINTED))

# ---- installing -------------------------------------------------------------------------------------------

# No path is compiled in: retort finds its helpers at ../libexec/retort, or beside itself as in build/.
LIBDIR ?= $(PREFIX)/lib
bindir = $(DESTDIR)$(PREFIX)/bin
libdir = $(DESTDIR)$(LIBDIR)
libexecdir = $(DESTDIR)$(PREFIX)/libexec/retort
includedir = $(DESTDIR)$(PREFIX)/include
sharedir = $(DESTDIR)$(PREFIX)/share
mandir = $(sharedir)/man
datadir = $(sharedir)/retort
unitdir = $(DESTDIR)$(PREFIX)/lib/systemd/system
bashdir = $(sharedir)/bash-completion/completions
zshdir = $(sharedir)/zsh/site-functions
fishdir = $(sharedir)/fish/vendor_completions.d
MADE = $(datadir)/directories
PLACED = umask 022 && sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR:$(PREFIX)/%=$${prefix}/%)|; s|@VERSION@|$(VERSION)|'

# pkg-config and systemd would take a space for the end of the name.
check-prefix:
	@case '$(PREFIX)$(LIBDIR)' in *[[:space:]]*) \
	    echo "install: PREFIX and LIBDIR may not contain a space: '$(PREFIX)'" >&2; exit 1 ;; esac
	@case '$(PREFIX)' in /*) ;; *) \
	    echo "install: PREFIX has to begin with a slash: '$(PREFIX)'" >&2; exit 1 ;; esac

install: check-prefix all
	scripts/directories make "$(MADE)" "$(datadir)/prompts" "$(datadir)/apparmor" "$(datadir)/systemd" "$(bindir)" "$(libdir)/pkgconfig" \
	    "$(libexecdir)" "$(includedir)" "$(mandir)/man1" "$(mandir)/man3" "$(unitdir)" "$(bashdir)" "$(zshdir)" "$(fishdir)"
	install -m 755 $(B)/retort "$(bindir)/"
	install -m 644 $(PROMPTS) "$(datadir)/prompts/"
	install -m 755 $(B)/retort-supervisor $(B)/retort-gate $(B)/retort-doors "$(libexecdir)/"
	$(if $(HAVE_NATS),install -m 644 $(B)/retort-cluster.so "$(libexecdir)/")
	rm -rf "$(libexecdir)/guest"
	cp -R $(B)/guest "$(libexecdir)/guest"
	rm -f "$(libexecdir)/guest/.stamp"
	chmod -R u=rwX,go=rX "$(libexecdir)/guest"
	install -m 644 $(B)/libretort.a "$(libdir)/"
	install -m 755 $(B)/libretort.so.$(VERSION) "$(libdir)/"
	ln -sf libretort.so.$(VERSION) "$(libdir)/libretort.so.$(SOVERSION)"
	ln -sf libretort.so.$(SOVERSION) "$(libdir)/libretort.so"
	install -m 644 include/retort.h include/retort_skills.h "$(includedir)/"
	$(PLACED) retort.pc.in >"$(libdir)/pkgconfig/retort.pc"
	$(PLACED) contrib/apparmor/retort >"$(datadir)/apparmor/retort"
	for unit in contrib/systemd/*; do $(PLACED) $$unit >"$(unitdir)/$${unit##*/}" || exit 1; done
	for unit in contrib/systemd-user/*; do $(PLACED) $$unit >"$(datadir)/systemd/$${unit##*/}" || exit 1; done
	install -m 644 contrib/completions/retort.bash "$(bashdir)/retort"
	install -m 644 contrib/completions/_retort "$(zshdir)/"
	install -m 644 contrib/completions/retort.fish "$(fishdir)/"
	for page in man/*.[1-9]; do install -m 644 $$page "$(mandir)/man$${page##*.}/" || exit 1; done
	$(LDCONFIG)

uninstall: check-prefix
	rm -f "$(bindir)/retort" "$(libdir)/libretort.a" "$(libdir)/libretort.so" "$(libdir)"/libretort.so.*
	rm -f "$(includedir)/retort.h" "$(includedir)/retort_skills.h" "$(libdir)/pkgconfig/retort.pc"
	rm -f "$(bashdir)/retort" "$(zshdir)/_retort" "$(fishdir)/retort.fish"
	for unit in contrib/systemd/*; do rm -f "$(unitdir)/$${unit##*/}"; done
	for page in man/*.[1-9]; do rm -f "$(mandir)/man$${page##*.}/$${page##*/}"; done
	rm -rf "$(libexecdir)" "$(datadir)/prompts" "$(datadir)/apparmor" "$(datadir)/systemd"
	scripts/directories remove "$(MADE)"
	$(LDCONFIG)

# The loader's list of libraries; in a tree that somebody packs it is none of our business.
LDCONFIG = @[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || PATH="$$PATH:/usr/sbin:/sbin" ldconfig

# Debian packages, in build/deb: built in a copy, because packing leaves much behind.
deb:
	scripts/deps build deb
	rm -rf build/deb
	mkdir -p build/deb/retort
	tar -c --exclude=./build --exclude=./.git --exclude=node_modules --exclude=__pycache__ . | tar -x -C build/deb/retort
	cd build/deb/retort && dpkg-buildpackage -b -us -uc -jauto
	cd build/deb && lintian --allow-root --fail-on error --tag-display-limit 0 *.changes
	ls build/deb/*.deb

clean:
	rm -rf build

.PHONY: all modules docs tests deps check check-asan check-tsan soak check-vm check-fresh fuzz bench bench-kit bench-programs demo lint check-prefix install uninstall deb clean
.SECONDARY:
-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
