# Retort. `make demo` shows it, `make check` tests it; HACKING.md says more.
#
# The object lists are explicit because the link line of a program is its privilege boundary: what is not
# linked into the supervisor cannot run with its privileges. scripts/boundary proves it with nm.

VERSION := $(shell sed -n 's/^\#define RETORT_VERSION "\(.*\)"/\1/p' include/retort.h)
SOVERSION = 0
PREFIX ?= /usr/local
DESTDIR ?=
CC = gcc

# VARIANT: empty (release), asan, ablation, clang; each has a directory of its own.
VARIANT ?=
B = build$(if $(VARIANT),/$(VARIANT))

CPPFLAGS = -Isrc -Iinclude -D_GNU_SOURCE -include src/base/banned.h
CFLAGS = -std=gnu17 -Wall -Wextra -Werror -O2 -g
HARDEN = -fstack-protector-strong -D_FORTIFY_SOURCE=2
LDFLAGS = -Wl,-z,relro -Wl,-z,now -Wl,--as-needed

ifeq ($(VARIANT),asan)
HARDEN = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
LDFLAGS += -fsanitize=address,undefined
endif
ifeq ($(VARIANT),ablation)
CPPFLAGS += -DRETORT_ABLATION
endif
ifeq ($(VARIANT),clang)
CC = clang
endif

# A first build takes all processors, unless the caller has said -j himself.
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

# ---- what each module is made of --------------------------------------------------------------------------

BASE = src/base/base64.o src/base/buf.o src/base/err.o src/base/hash.o src/base/io.o src/base/jsonout.o src/base/name.o src/base/toolschema.o
WIRE = src/wire/collect.o src/wire/control.o src/wire/frame.o
SANDBOX = src/sandbox/landlock.o src/sandbox/seccomp.o \
	src/sandbox/cgroup.o src/sandbox/cgroup1.o src/sandbox/cgroup2.o src/sandbox/cgroup_find.o \
	src/sandbox/cgroup_root.o src/sandbox/uidrange.o src/sandbox/proctree.o \
	src/sandbox/devices.o src/sandbox/lockdown.o src/sandbox/rootfs.o
SUPERVISOR = src/supervisor/main.o src/supervisor/loop.o src/supervisor/keeper.o \
	src/supervisor/environment.o src/supervisor/session.o src/supervisor/first.o \
	src/supervisor/collector.o src/supervisor/tree.o src/supervisor/zygote.o src/supervisor/variables.o \
	src/supervisor/branch.o src/supervisor/copy.o src/supervisor/gate.o src/supervisor/nest.o \
	src/supervisor/process.o
LEDGER = src/ledger/browse.o src/ledger/db.o src/ledger/expire.o \
	src/ledger/export.o src/ledger/export_agent.o src/ledger/export_html.o src/ledger/export_ipynb.o src/ledger/export_table.o \
	src/ledger/flush.o src/ledger/history.o src/ledger/lease.o src/ledger/log.o src/ledger/note.o \
	src/ledger/open.o src/ledger/outcome.o src/ledger/refs.o src/ledger/schema.o src/ledger/store.o \
	src/ledger/store_read.o src/ledger/lane.o src/ledger/verify.o
ENGINE = src/engine/engine.o src/engine/session.o src/engine/execute.o src/engine/cell.o \
	src/engine/frames.o src/engine/result.o src/engine/stream.o src/engine/files.o \
	src/engine/keep.o src/engine/state.o src/engine/past.o src/engine/account.o src/engine/idle.o src/engine/toolcall.o src/engine/output.o src/engine/record.o src/engine/history.o src/engine/differ.o src/engine/branch.o src/engine/nest.o src/engine/compare.o \
	src/engine/ledgerapi.o src/engine/environment.o src/engine/statedir.o src/engine/libexec.o src/engine/fingerprint.o src/engine/fileapi.o src/engine/upload.o src/engine/limits.o src/engine/interpreter.o src/engine/doctor.o src/engine/doctor_host.o \
	src/engine/leftover.o src/engine/measure.o src/engine/room.o
AGENT = src/agent/agent.o src/agent/blocks.o src/agent/card.o src/agent/cassette.o \
	src/agent/claims.o src/agent/claims_mask.o src/agent/derive.o src/agent/evidence.o \
	src/agent/extract.o src/agent/extract_json.o src/agent/ground.o src/agent/ground_report.o \
	src/agent/http.o src/agent/literals.o src/agent/loop.o src/agent/memory.o src/agent/model.o \
	src/agent/model_anthropic.o src/agent/model_openai.o src/agent/model_reply.o src/agent/num.o \
	src/agent/numwords.o src/agent/observe.o src/agent/prompts.o src/agent/prompts_built_in.o \
	src/agent/pylex.o src/agent/repair.o src/agent/repeat.o src/agent/run_events.o \
	src/agent/run_finish.o src/agent/run_talk.o src/agent/runner_engine.o src/agent/secret.o \
	src/agent/similar.o src/agent/sql.o src/agent/sse.o src/agent/template.o src/agent/testbed.o \
	src/agent/testbed_code.o src/agent/testbed_files.o src/agent/words.o
SERVE = src/serve/activation.o src/serve/agents.o src/serve/call.o src/serve/door.o src/serve/environments.o \
	src/serve/fault.o src/serve/caps.o src/serve/guard.o src/serve/handlers.o src/serve/history.o src/serve/http.o \
	src/serve/http_files.o src/serve/http_routes.o src/serve/http_strict.o src/serve/hub.o src/serve/json.o src/serve/lines.o \
	src/serve/mcp.o src/serve/mcp_facts.o src/serve/mcp_files.o src/serve/mcp_http.o src/serve/mcp_lines.o \
	src/serve/mcp_progress.o src/serve/mcp_result.o src/serve/mcp_retort.o src/serve/mcp_state.o \
	src/serve/mcp_visit.o src/serve/methods.o src/serve/methods_check.o \
	src/serve/methods_doc.o src/serve/metrics.o src/serve/openapi.o src/serve/outbox.o \
	src/serve/registry.o src/serve/rpc.o src/serve/rpc_lines.o src/serve/serve.o src/serve/sessions.o \
	src/serve/tools.o src/serve/unix.o
CLI = src/cli/main.o src/cli/fail.o src/cli/opt.o src/cli/options.o src/cli/outdir.o src/cli/upload.o src/cli/term.o \
	src/cli/ledgercmd.o src/cli/ledger_entries.o src/cli/cmd_run.o src/cli/cmd_doctor.o \
	src/cli/cmd_log.o src/cli/cmd_verify.o src/cli/cmd_replay.o src/cli/cmd_export.o \
	src/cli/cmd_forget.o
# Commands that need HTTP, TLS, a model's API or a line editor.
DOORS = src/cli/doors.o src/cli/fail.o src/cli/opt.o src/cli/options.o src/cli/outdir.o src/cli/upload.o src/cli/term.o \
	src/cli/ledgercmd.o src/cli/ledger_entries.o src/cli/elapsed.o src/cli/editor.o src/cli/shell_code.o \
	src/cli/shell_colour.o src/cli/shell_picture.o src/cli/shell_input.o \
	src/cli/shell_show.o src/cli/shell_commands.o src/cli/shell_branches.o src/cli/cmd_shell.o src/cli/agent_view.o \
	src/cli/agent_chat.o src/cli/cmd_agent.o src/cli/cmd_export.o \
	src/cli/cmd_stdio.o src/cli/cmd_serve.o src/cli/unprivileged.o

# ---- what each program is made of -------------------------------------------------------------------------

LIBRETORT = $(BASE) $(WIRE) $(LEDGER) $(ENGINE)
LIBRETORT_LIBS = -ljansson -lsqlite3 -lcrypto -lpthread -lm

RETORT = $(CLI) $(LIBRETORT)
RETORT_LIBS = -ljansson -lsqlite3 -lcrypto -lpthread -lm
# Archives, with what they need in turn, which differs between releases.
RETORT_ARCHIVES = $(shell pkg-config --static --libs jansson sqlite3 libcrypto) -lm

RETORT_DOORS = $(DOORS) $(SERVE) $(AGENT) $(LIBRETORT)
RETORT_DOORS_LIBS = $(LIBRETORT_LIBS) -lcurl -lmicrohttpd -ledit

ifeq ($(VARIANT),ablation)
SANDBOX += src/sandbox/ablation.o src/sandbox/failpoint.o
endif

# No library but libc: everything here may run with privilege.
RETORT_SUPERVISOR = $(SUPERVISOR) $(SANDBOX) src/base/err.o src/base/io.o src/wire/collect.o src/wire/control.o

# Loaded into the interpreter by the zygote.
RETORT_PYTHON = guest/python/_retort.o guest/python/pages.o $(SANDBOX) src/base/err.o src/base/io.o src/wire/control.o

GUEST = $(wildcard guest/python/*.py guest/node/*.js)

UNIT = test_jsonout test_toolschema test_mcp test_queues test_guard test_agent_card test_agent_claims test_agent_extract test_agent_ground test_agent_loop \
	test_agent_model test_agent_observe test_agent_odds test_agent_repeat test_agent_sql test_base64 test_buf \
	test_call test_cgroup test_frame test_hash test_io test_keeper test_landlock test_ledger test_ledger_export \
	test_ledger_faults test_ledger_schema test_ledger_store test_ledger_verify test_measure \
	test_methods test_proctree test_rpc test_seccomp test_uidrange
FUZZ = fuzz_collect fuzz_control fuzz_table fuzz_mcp fuzz_rpc fuzz_answer fuzz_cell fuzz_frame fuzz_model

PROGRAMS = retort retort-doors retort-supervisor retort-init libretort.so libretort.a \
	guest/python/_retort.abi3.so guest/node/limit.so guest/shim.so guest/.stamp

# ---- building ---------------------------------------------------------------------------------------------

all: $(addprefix $(B)/,$(PROGRAMS))

objects = $(addprefix $(B)/obj/,$(1))

# Position independent throughout: one object serves the programs, the library and the guest's module.
$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(HARDEN) -fPIC -MMD -MP -c -o $@ $<

# The prompts are files, and built in as well.
PROMPTS = $(wildcard src/agent/prompts/*.md)

$(B)/obj/src/agent/prompts_built_in.c: $(PROMPTS) scripts/embed-prompts
	@mkdir -p $(@D)
	scripts/embed-prompts $(PROMPTS) > $@

$(B)/obj/src/agent/prompts_built_in.o: $(B)/obj/src/agent/prompts_built_in.c
	$(CC) $(CPPFLAGS) $(CFLAGS) $(HARDEN) -fPIC -MMD -MP -c -o $@ $<

# What a cold run starts is static: the dynamic linker would cost it a quarter of a millisecond for each, and
# loading and relocating shared libraries as much as its namespaces do.
ifeq ($(VARIANT),asan)
STATIC = -pie
RETORT_STATIC = $(RETORT_LIBS)
else
STATIC = -static-pie
RETORT += src/cli/no_dlopen.o
RETORT_STATIC = $(RETORT_ARCHIVES) -Wl,--wrap=dlopen
endif

# Put in place only when whole: a run under way keeps its program, a failed link the last good one.
$(B)/retort: $(call objects,$(RETORT))
	$(CC) $(LDFLAGS) $(STATIC) -o $@.$$$$ $^ $(RETORT_STATIC) && mv $@.$$$$ $@

$(B)/retort-doors: $(call objects,$(RETORT_DOORS))
	$(CC) $(LDFLAGS) -pie -o $@.$$$$ $^ $(RETORT_DOORS_LIBS) && mv $@.$$$$ $@

$(B)/retort-supervisor: $(call objects,$(RETORT_SUPERVISOR))
	$(CC) $(LDFLAGS) $(STATIC) -o $@.$$$$ $^ && mv $@.$$$$ $@

$(B)/libretort.a: $(call objects,$(LIBRETORT))
	@rm -f $@
	ar rcs $@ $^

$(B)/libretort.so: $(call objects,$(LIBRETORT)) src/engine/libretort.map
	$(CC) $(LDFLAGS) -shared -Wl,-soname,libretort.so.$(SOVERSION) \
	    -Wl,--version-script=src/engine/libretort.map -o $@.$(VERSION) $(filter %.o,$^) $(LIBRETORT_LIBS)
	ln -sf libretort.so.$(VERSION) $(B)/libretort.so.$(SOVERSION)
	ln -sf libretort.so.$(VERSION) $@

# Pid 1 of a session: no libc, so nothing but what stands in the file.
$(B)/obj/src/sandbox/init.o: src/sandbox/init.c
	@mkdir -p $(@D)
	$(CC) -Isrc -Iinclude -D_GNU_SOURCE -std=gnu17 -Wall -Wextra -Werror -Os -g -ffreestanding \
	    -fno-stack-protector -fno-pic -fno-asynchronous-unwind-tables -MMD -MP -c -o $@ $<

$(B)/retort-init: $(B)/obj/src/sandbox/init.o
	$(CC) -nostdlib -static -Wl,--build-id=none -Wl,-z,noexecstack -o $@ $<

# The guest's module never carries a sanitizer: the interpreter that loads it has none.
GUEST_CFLAGS = $(CPPFLAGS) $(CFLAGS) -fstack-protector-strong -fPIC -fvisibility=hidden
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

# Preloaded into interpreters of deterministic sessions.
$(B)/guest/shim.so: $(B)/obj/pic/guest/shim/shim.o
	@mkdir -p $(@D)
	$(CC) -Wl,-z,relro -Wl,-z,now -shared -o $@.$$$$ $^ && mv $@.$$$$ $@

# Byte code that trusts its source: copies of the tree have other times, and a session could not write it anew.
$(B)/guest/.stamp: $(GUEST) $(B)/retort-init Makefile
	@mkdir -p $(B)/guest/python $(B)/guest/node
	$(if $(GUEST),for f in $(GUEST); do cp $$f $(B)/$$f; done)
	cp $(B)/retort-init $(B)/guest/init
	/usr/bin/python3 -m compileall -q -f --invalidation-mode unchecked-hash $(B)/guest/python
	@touch $@

# ---- tests ------------------------------------------------------------------------------------------------

# Unit tests may reach every module, whatever program it belongs to.
TESTABLE = $(filter-out %/main.o src/cli/doors.o,$(sort $(LIBRETORT) $(SANDBOX) $(SUPERVISOR) $(AGENT) $(SERVE) $(CLI) $(DOORS)))

$(B)/tests/all.a: $(call objects,$(TESTABLE))
	@mkdir -p $(@D)
	@rm -f $@
	ar rcs $@ $^

$(B)/tests/test_%: $(B)/obj/tests/unit/test_%.o $(B)/tests/all.a
	$(CC) $(LDFLAGS) -pie -o $@ $^ -lcmocka $(RETORT_DOORS_LIBS)

$(B)/obj/src/serve/openapi.o: src/serve/openapi.json
$(B)/obj/src/serve/mcp_retort.o: src/serve/mcp_tools.json

$(B)/tests/mcp_fixture: $(B)/obj/tests/clients/mcp_fixture.o $(B)/tests/all.a
	$(CC) $(LDFLAGS) -pie -o $@ $^ $(RETORT_DOORS_LIBS)

# The corpora are replayed with sanitizers on, whatever the variant; `make fuzz` looks for new inputs.
FUZZED = src/base/buf.c src/base/err.c src/base/io.c src/wire/collect.c src/wire/control.c src/wire/frame.c
FUZZED_AGENT = src/agent/blocks.c src/agent/claims.c src/agent/claims_mask.c src/agent/derive.c \
	src/agent/evidence.c src/agent/extract.c src/agent/extract_json.c src/agent/ground.c \
	src/agent/ground_report.c src/agent/literals.c src/agent/model_anthropic.c \
	src/agent/model_openai.c src/agent/model_reply.c src/agent/num.c src/agent/numwords.c \
	src/agent/pylex.c src/agent/repair.c src/agent/sse.c src/agent/words.c
FUZZ_CFLAGS = -std=gnu17 -Wall -Wextra -Werror -O1 -g -fno-sanitize-recover=all

$(B)/tests/replay_%: tests/fuzz/fuzz_%.c tests/fuzz/replay.c $(FUZZED)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(FUZZ_CFLAGS) -fsanitize=address,undefined -o $@ $^ -Wl,--as-needed $(RETORT_LIBS) -lm

FUZZED_RPC = src/base/jsonout.c src/serve/fault.c src/serve/json.c src/serve/rpc.c src/serve/methods_check.c \
	src/base/toolschema.c src/serve/guard.c src/serve/caps.c
FUZZED_CELL = src/base/jsonout.c src/engine/frames.c src/engine/toolcall.c src/engine/account.c src/engine/stream.c src/engine/output.c \
	src/engine/result.c src/base/base64.c
FUZZED_MCP = src/base/jsonout.c src/serve/fault.c src/serve/json.c src/serve/rpc.c src/serve/mcp.c src/serve/mcp_state.c \
	src/base/toolschema.c

$(B)/tests/replay_cell build/fuzz/fuzz_cell: $(FUZZED_CELL)
$(B)/tests/replay_table build/fuzz/fuzz_table: src/ledger/export_table.c
$(B)/tests/replay_rpc build/fuzz/fuzz_rpc: $(FUZZED_RPC)
$(B)/tests/replay_mcp build/fuzz/fuzz_mcp: $(FUZZED_MCP)
$(B)/tests/replay_answer $(B)/tests/replay_model: $(FUZZED_AGENT)
build/fuzz/fuzz_answer build/fuzz/fuzz_model: $(FUZZED_AGENT)

build/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(FUZZED)
	@mkdir -p $(@D)
	clang $(CPPFLAGS) $(FUZZ_CFLAGS) -fsanitize=fuzzer,address,undefined -o $@ $^ \
	    -Wl,--as-needed $(RETORT_LIBS) -lm

# Static and without sanitizers, because it runs inside sessions and every call it makes counts.
SYSCALLS_TABLE = src/sandbox/syscalls.def src/sandbox/syscalls.h
$(B)/tests/probe_syscalls: tests/hostile/probe_syscalls.c src/sandbox/seccomp.c src/base/err.c tests/policy.h \
    $(SYSCALLS_TABLE)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -static -o $@ $(filter %.c,$^)

$(B)/tests/syscalls_doc: src/sandbox/syscalls_doc.c $(SYSCALLS_TABLE)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $<

docs: $(B)/tests/syscalls_doc
	$< > docs/syscalls.md

tests: all $(addprefix $(B)/tests/,$(UNIT) $(FUZZ:fuzz_%=replay_%) probe_syscalls syscalls_doc mcp_fixture)

deps:
	scripts/deps build demo test

check: deps
	+$(MAKE) $(JOBS) tests
	+$(MAKE) $(JOBS) VARIANT=ablation all
	scripts/check --build $(B) $(if $(T),-T '$(T)')

check-asan: deps
	+$(MAKE) $(JOBS) VARIANT=asan tests
	+$(MAKE) $(JOBS) VARIANT=ablation all
	scripts/check --build build/asan --time-limit 7200 $(if $(T),-T '$(T)')

soak: deps
	+$(MAKE) $(JOBS) tests
	+$(MAKE) $(JOBS) VARIANT=ablation all
	RETORT_SOAK=1 scripts/check --build $(B) --time-limit 14400 $(if $(T),-T '$(T)')

check-vm:
	scripts/deps build demo test vm
	+$(MAKE) $(JOBS) tests
	+$(MAKE) $(JOBS) VARIANT=ablation tests
	tests/vm/run $(if $(T),'$(T)')

# SYSTEMS='trixie:demo bookworm/user' keeps systems, callers and steps; tests/fresh/run --help says more.
check-fresh:
	scripts/deps fresh
	tests/fresh/run $(if $(T),-T '$(T)') $(SYSTEMS)

FUZZ_SECONDS ?= 60
fuzz: deps
	+$(MAKE) $(JOBS) $(FUZZ:%=build/fuzz/%)
	for f in $(FUZZ); do \
	    mkdir -p build/fuzz/new/$$f && \
	    build/fuzz/$$f -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=build/fuzz/ -print_final_stats=1 \
	        build/fuzz/new/$$f tests/fuzz/corpus/$${f#fuzz_} || exit 1; \
	done

# Timings belong here and not into the tests: programs measured side by side in one run.
BENCH = bench_engine bench_doors bench_agent bench_ledger floors.so
BENCH_CFLAGS = -I. $(CPPFLAGS) $(CFLAGS)

$(B)/bench/bench_engine: bench/bench_engine.c bench/server.h $(B)/libretort.so
	@mkdir -p $(@D)
	$(CC) $(BENCH_CFLAGS) -o $@ $< $(B)/libretort.so -Wl,-rpath,'$$ORIGIN/..' -lpthread

$(B)/bench/bench_doors: bench/bench_doors.c bench/server.h
	@mkdir -p $(@D)
	$(CC) $(BENCH_CFLAGS) -o $@ $<

$(B)/bench/bench_agent $(B)/bench/bench_ledger: $(B)/bench/%: bench/%.c bench/server.h $(B)/tests/all.a
	@mkdir -p $(@D)
	$(CC) $(BENCH_CFLAGS) -o $@ $< $(B)/tests/all.a $(LDFLAGS) $(RETORT_DOORS_LIBS)

$(B)/bench/floors.so: bench/floors.c bench/server.h
	@mkdir -p $(@D)
	$(CC) $(BENCH_CFLAGS) -fPIC -shared -o $@ $<

bench-programs: all $(addprefix $(B)/bench/,$(BENCH))

bench:
	scripts/deps build demo test bench
	+$(MAKE) $(JOBS) bench-programs
	bench/run --build $(B) --json $(B)/bench/latest.json --html $(B)/bench/index.html

demo:
	scripts/deps build demo
	+$(MAKE) $(JOBS) all
	scripts/demo $(B)

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
	scripts/directories make "$(MADE)" "$(datadir)/prompts" "$(datadir)/apparmor" "$(bindir)" "$(libdir)/pkgconfig" \
	    "$(libexecdir)" "$(includedir)" "$(mandir)/man1" "$(mandir)/man3" "$(unitdir)" "$(bashdir)" "$(zshdir)" "$(fishdir)"
	install -m 755 $(B)/retort "$(bindir)/"
	install -m 644 $(PROMPTS) "$(datadir)/prompts/"
	install -m 755 $(B)/retort-supervisor $(B)/retort-doors "$(libexecdir)/"
	rm -rf "$(libexecdir)/guest"
	cp -R $(B)/guest "$(libexecdir)/guest"
	rm -f "$(libexecdir)/guest/.stamp"
	chmod -R u=rwX,go=rX "$(libexecdir)/guest"
	install -m 644 $(B)/libretort.a "$(libdir)/"
	install -m 755 $(B)/libretort.so.$(VERSION) "$(libdir)/"
	ln -sf libretort.so.$(VERSION) "$(libdir)/libretort.so.$(SOVERSION)"
	ln -sf libretort.so.$(SOVERSION) "$(libdir)/libretort.so"
	install -m 644 include/retort.h "$(includedir)/"
	$(PLACED) retort.pc.in >"$(libdir)/pkgconfig/retort.pc"
	$(PLACED) contrib/apparmor/retort >"$(datadir)/apparmor/retort"
	for unit in contrib/systemd/*; do $(PLACED) $$unit >"$(unitdir)/$${unit##*/}" || exit 1; done
	install -m 644 contrib/completions/retort.bash "$(bashdir)/retort"
	install -m 644 contrib/completions/_retort "$(zshdir)/"
	install -m 644 contrib/completions/retort.fish "$(fishdir)/"
	for page in man/*.[1-9]; do install -m 644 $$page "$(mandir)/man$${page##*.}/" || exit 1; done
	$(LDCONFIG)

uninstall: check-prefix
	rm -f "$(bindir)/retort" "$(libdir)/libretort.a" "$(libdir)/libretort.so" "$(libdir)"/libretort.so.*
	rm -f "$(includedir)/retort.h" "$(libdir)/pkgconfig/retort.pc"
	rm -f "$(bashdir)/retort" "$(zshdir)/_retort" "$(fishdir)/retort.fish"
	for unit in contrib/systemd/*; do rm -f "$(unitdir)/$${unit##*/}"; done
	for page in man/*.[1-9]; do rm -f "$(mandir)/man$${page##*.}/$${page##*/}"; done
	rm -rf "$(libexecdir)" "$(datadir)/prompts" "$(datadir)/apparmor"
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

.PHONY: all docs tests deps check check-asan soak check-vm check-fresh fuzz bench bench-programs demo lint check-prefix install uninstall deb clean
.SECONDARY:
-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
