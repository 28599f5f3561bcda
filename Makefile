# Everything that is done with this repository; `make help` lists it.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.NOTPARALLEL:

BUILD_PATH ?= .build
PREFIX ?= /usr/local
DESTDIR ?=

comma := ,
hash := \#

build_path := $(abspath $(BUILD_PATH))
# SwiftPM reads XCTest's tests from the index and needs no index of the system's modules.
index_flags := -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules

# Lines for the traces of what crashes; what a debugger says of variables takes a tenth of a debug build: DEBUG_INFO=-g. A build from
# nothing goes without the lines too, which take another tenth; `make retest` has them.
DEBUG_INFO ?= -gline-tables-only

# The debug build of `make build`, which compiles again what an edit touched and nothing else: warnings of a
# newer compiler do not prevent tests.
debug_flags := --build-path $(build_path) $(index_flags) -Xswiftc $(DEBUG_INFO)

# For a build from nothing: each module's files are read once, by one compiler, which makes the module on the way. An edit then
# compiles its module as a whole, and all modules above it.
whole_flags := -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -no-emit-module-separately-wmo \
	-Xswiftc -disable-batch-mode
whole_debug_info := -Xswiftc $(if $(filter command line environment,$(origin DEBUG_INFO)),$(DEBUG_INFO),-gnone)

# The debug build of `make test`, in a folder of its own: neither way builds over the other. It has no index and no XCTest (Package.swift
# says why), and leaves exclusive access unchecked, which `make retest` and `make check` check: a twentieth of the build and of the tests.
# The linker of Linux leaves out libraries that nothing is taken from: `import Foundation` names ICU too, of which nothing is, and
# which doubles the time that the tool takes to start, thousands of times. What SwiftPM's own flags say stands behind the libraries.
link_environment := $(if $(filter Linux,$(shell uname -s)),CCC_OVERRIDE_OPTIONS='$(hash)^-Wl$(comma)--as-needed')
test_environment := STRATA_TESTS_WITHOUT_INDEX=1 $(link_environment)
test_flags := --build-path $(build_path)/whole --disable-index-store $(whole_flags) -Xswiftc -enforce-exclusivity=unchecked \
	$(whole_debug_info)
# XCTest must be disabled, and Swift Testing enabled, by name where the entry point is not SwiftPM's.
without_xctest := --disable-xctest --enable-swift-testing
run_tests := $(test_environment) .ci/in-memory.sh swift test $(without_xctest) $(test_flags)

# The debug build of `make check`, in a folder of its own: warnings are errors, a layer imports only what Package.swift
# says, and public symbols are written out for the documentation. CI builds from nothing, so modules are compiled as a
# whole here, too.
strict_path := $(build_path)/strict
symbol_graphs := $(strict_path)/symbol-graphs
strict_flags := --build-path $(strict_path) --disable-index-store $(whole_flags) $(whole_debug_info) \
	--explicit-target-dependency-import-check error -Xswiftc -warnings-as-errors \
	-Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc $(symbol_graphs) \
	-Xswiftc -symbol-graph-skip-synthesized-members

# The build whose tool `make demo` and `make test-browser` try: with STRICT=1 that of `make check`, so that CI builds once.
tool_flags := $(if $(STRICT),$(strict_flags),$(test_flags))

# Static but for libsqlite3 and the system's C and C++ libraries, and stripped: what debuggers read need not be made, which is a
# tenth of the build. TRAITS=PostgreSQL brings stores on a server, and needs libpq, which is not linked statically.
release_flags = --build-path $(build_path)$(if $(TRAITS),/with-$(TRAITS)) -c release --static-swift-stdlib -Xlinker -s \
	-debug-info-format none $(if $(TRAITS),--traits $(TRAITS)) --product strata

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-18s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: setup
setup: ## Install libsqlite3-dev where it is missing
	@.ci/setup.sh

.PHONY: setup-tests
setup-tests: ## Install what some tests need; a test that lacks something is off and says why
	@.ci/setup-tests.sh

.PHONY: build
build: setup ## Build everything for debugging, the tests too, and after an edit what it touched
	swift build $(debug_flags) --build-tests

.PHONY: strict
strict: setup ## Build everything as CI does: warnings are errors, layers are kept, symbols are written out
	$(test_environment) swift build $(strict_flags) --build-tests

.PHONY: release
release: setup ## Build the tool for release: static, stripped; TRAITS=PostgreSQL builds one for stores on a server, too
	$(if $(findstring PostgreSQL,$(TRAITS)),.ci/setup-postgresql.sh)
	swift build $(release_flags)

.PHONY: test
test: setup ## Before each commit: build for debugging and run all tests, except those that need a release build
	$(run_tests)

.PHONY: retest
retest: setup ## After each edit: build what was edited, and run the tests again, or those that FILTER names
	swift test $(debug_flags) $(if $(FILTER),--filter '$(FILTER)')

# What CI runs of the tests. The release tool is tested, too: its size, its libraries, that it does what the debug build
# does, and what takes more rows than a debug build moves in a reasonable time.
.PHONY: test-strict
test-strict: strict release ## In CI: run all tests of the strict build; list what was off and the slowest
	$(test_environment) STRATA_RELEASE_TOOL="$$(swift build $(release_flags) --show-bin-path)/strata" .ci/in-memory.sh \
		.ci/test-report.sh $(build_path)/test-events.jsonl --skip-build $(without_xctest) $(strict_flags)

# Few seeds find most faults. A change of the stores or of the contexts deserves all of them once.
.PHONY: test-soak
test-soak: setup ## Once per issue: run all seeds and places, optimized, and on a server under load
	STRATA_SEEDS=all $(run_tests)
	STRATA_SEEDS=10000 $(run_tests) --filter 'RandomMigrationTests|DamageTests|RoundTripTests'
	$(MAKE) test-release
	if .ci/setup-postgresql.sh && Tests/PostgreSQL/with-server.sh true; then STRATA_SEEDS=all $(MAKE) test-postgres SOAK_SECONDS=60; \
		else echo "test-soak: no PostgreSQL server is available; the tests of the store on a server did not run" >&2; fi

.PHONY: test-tsan
test-tsan: setup ## Once per issue that changed locks, queues or tasks: run all tests under the thread sanitizer
	swift test --build-path $(build_path)/tsan --sanitize=thread

# What must hold under load: counters counted up by many tasks, contexts and processes sum up, and the sanitizer finds no race.
.PHONY: test-stress
test-stress: setup ## Once per issue that changed contexts or locks: stress them under the thread sanitizer
	STRATA_STRESS_SECONDS=$${STRATA_STRESS_SECONDS:-30} swift test --build-path $(build_path)/tsan --sanitize=thread \
		--filter 'StressTests|TwoProcessesTests|DeadlockTests|CancellationTests|LedgerWalkTests'

# What users run is optimised: objects then live no longer than to their last use, and the message of a precondition is lost.
.PHONY: test-release
test-release: release ## Once per issue (part of test-soak): run all tests in an optimized build
	STRATA_RELEASE_TOOL="$$(swift build $(release_flags) --show-bin-path)/strata" \
		swift test --build-path $(build_path)/release-tests -c release -Xswiftc -enable-testing

.PHONY: test-asan
test-asan: setup ## Once per issue that changed C calls or unsafe code: test under the address sanitizer
	LSAN_OPTIONS=suppressions=$(CURDIR)/.ci/leaks.supp:print_suppressions=0 \
		swift test --build-path $(build_path)/asan --sanitize=address

# Strata as a dependency, from outside of its package. Built as a whole, with the index that finds the tests.
packages_flags := --package-path Tests/Packages --build-path $(build_path)/packages $(index_flags) $(whole_flags) \
	$(whole_debug_info) --explicit-target-dependency-import-check error
server_flags := $(packages_flags) --traits PostgreSQL

.PHONY: test-packages
test-packages: setup ## In CI: test packages that depend on Strata: a service, layers, a store, a server
	if ! .ci/setup-postgresql.sh; then \
		echo "test-packages: libpq is not available; the store on a server was not built" >&2; \
		.ci/in-memory.sh swift test $(packages_flags); \
	elif ! Tests/PostgreSQL/with-server.sh true; then \
		echo "test-packages: no PostgreSQL server is available; the store on a server was not tested" >&2; \
		.ci/in-memory.sh swift test $(server_flags); \
	else $(MAKE) test-packages-on-server; fi

.PHONY: test-packages-on-server
test-packages-on-server:
	swift build $(server_flags) --build-tests
	.ci/in-memory.sh Tests/PostgreSQL/with-server.sh swift test $(server_flags) --skip-build
	Tests/PostgreSQL/with-server.sh Tests/PostgreSQL/tool.sh "$$(swift build $(server_flags) --show-bin-path)/strata"

# The tests that know every kind of store take the one on a server along, where the trait is on and there is one. Packages of the system
# bring it where none is installed.
postgresql_flags := --build-path $(build_path)/postgresql --traits PostgreSQL $(without_xctest) \
	--disable-index-store $(whole_flags) -Xswiftc $(DEBUG_INFO)

SOAK_SECONDS ?= 10
# One after the other, each with a server of its own: all at once take several times as long.
postgresql_targets := ^PostgreSQLTests ^StoreTests ^ContextTests ^PersistenceTests ^MigrationTests ^RepositoriesTests \
	^InterchangeTests ^ReportsTests

.PHONY: test-postgres
test-postgres: setup ## Once per issue that changed stores or SQL: test on a PostgreSQL server; FILTER=TESTS
	.ci/setup-postgresql.sh
	$(test_environment) swift build $(postgresql_flags) --build-tests
	for filter in $(if $(FILTER),'$(FILTER)',$(postgresql_targets)); do $(test_environment) .ci/in-memory.sh \
		Tests/PostgreSQL/with-server.sh swift test $(postgresql_flags) --skip-build --filter "$$filter" || exit; done
	$(if $(FILTER),,Tests/PostgreSQL/with-server.sh Tests/PostgreSQL/tool.sh "$$(swift build $(postgresql_flags) --show-bin-path)/strata")
	$(if $(FILTER),,Tests/PostgreSQL/with-server.sh Tests/PostgreSQL/soak.sh \
		"$$(swift build $(postgresql_flags) --show-bin-path)/strata" $(SOAK_SECONDS))

# Citus is in no distribution: where it is not installed, this says so and is done.
.PHONY: test-citus
test-citus: setup ## Once per issue that changed the server's store: test it on Citus, and move tenants
	if Tests/PostgreSQL/with-citus.sh --is-installed; then $(MAKE) test-citus-here; fi

.PHONY: test-citus-here
test-citus-here:
	$(test_environment) swift build $(postgresql_flags) --build-tests
	$(test_environment) .ci/in-memory.sh Tests/PostgreSQL/with-citus.sh swift test $(postgresql_flags) --skip-build \
		--filter '$(or $(FILTER),^PostgreSQLTests\.(Container|Check|Fault|Following|RemoteChange)Tests)'
	swift build $(server_flags) --build-tests
	.ci/in-memory.sh Tests/PostgreSQL/with-citus.sh swift test $(server_flags) --skip-build \
		--filter '$(or $(FILTER),^ServerContractTests\.)'
	Tests/PostgreSQL/with-citus.sh Tests/PostgreSQL/tool.sh "$$(swift build $(postgresql_flags) --show-bin-path)/strata"
	Tests/PostgreSQL/with-citus.sh Tests/PostgreSQL/tenants.sh "$$(swift build $(postgresql_flags) --show-bin-path)/strata"

# Installs Chromium from the system's packages where it is missing; screenshots are kept in BUILD_PATH/browser.
.PHONY: test-browser
test-browser: setup ## Once per issue that changed reports: inspect the pages of 'strata report' with a real browser
	$(test_environment) swift build $(tool_flags) --product strata
	Tests/ReportBrowser/browser.sh $(build_path)/browser "$$(swift build $(tool_flags) --show-bin-path)/strata"

.PHONY: lint
lint: strict ## In CI: check format, layering, labels, documentation and warnings
	swift format lint --strict --parallel --recursive Modules Apps Tests Package.swift
	.ci/layering.sh
	.ci/layering-test.sh
	.ci/labels.sh
	.ci/documentation.sh $(symbol_graphs) $(build_path)/documentation

# Only a list: how long the compiler takes depends on the machine. It type-checks all sources again, so it is no part
# of lint.
.PHONY: slow-expressions
slow-expressions: strict ## Once per issue that made the build slower: list the slowest expressions
	.ci/slow-expressions.sh "$$(swift build $(strict_flags) --show-bin-path)"

.PHONY: format
format: ## Format all sources in place
	swift format --in-place --recursive Modules Apps Tests Package.swift

.PHONY: docs
docs: strict ## Render the documentation of every module below BUILD_PATH/docs
	.ci/documentation.sh $(symbol_graphs) $(build_path)/documentation $(build_path)/docs

.PHONY: check
check: ## Before each pull request: run what CI runs, and print the seconds of each step
	.ci/run

.PHONY: demo
demo: setup ## In CI: import, show, report and export the real datasets of Fixtures/, and generate others
	$(test_environment) swift build $(tool_flags) --product strata
	.ci/demo.sh "$$(swift build $(tool_flags) --show-bin-path)/strata"

# Ten minutes for each of csv, json, predicate and import; FUZZ_SECONDS=30 for a try, FUZZ=csv for one of them.
.PHONY: fuzz
fuzz: setup ## Once per issue that changed a reader: fuzz the readers of files, predicates and stores
	Tests/Fuzz/fuzz.sh $(build_path)/fuzz $(FUZZ)

# RUNS=7 interleaved pairs of ROWS=1000000 rows by default; MEMORY_ROWS=10000000 measures the memory of so many rows too.
.PHONY: bench
bench: release ## Compare import and export of a million rows with sqlite3's own
	Tests/InterchangeBenchmark/bench.sh $(build_path)/bench \
		"$$(swift build $(release_flags) --show-bin-path)/strata"

# RUNS=7 interleaved runs of ROWS=1000000 rows; Faker and mimesis make PEER_ROWS=20000 where they are installed.
.PHONY: bench-fixtures
bench-fixtures: release ## Compare the generator with a C program that makes the same bytes, Faker and mimesis
	Tests/FixtureBenchmark/bench.sh $(build_path)/bench-fixtures \
		"$$(swift build $(release_flags) --show-bin-path)/strata"

# Has a dependency that Strata must not have, so it is a package of its own. Its plan and its own code are rebuilt, or Strata's files would be
# those of the last build, and what is inlined of them too.
.PHONY: bench-stack
bench-stack: setup ## Compare the stack with GRDB on 100,000 employees, and the store in memory with SQLite
	rm -f $(build_path)/bench-stack/release.yaml $(build_path)/bench-stack/*/release/stack_benchmark.build/*.o
	swift run -c release --package-path Tests/StackBenchmark --build-path $(build_path)/bench-stack stack-benchmark

# RUNS=7 interleaved runs with ROWS=1000000 employees; a package of its own has the stage in Swift.
.PHONY: bench-migration
bench-migration: release ## Time migrations of a million rows, and compare with the sqlite3 shell doing the same by hand
	Tests/MigrationBenchmark/bench.sh $(build_path)/bench-migration \
		"$$(swift build $(release_flags) --show-bin-path)/strata"

# RUNS=5 interleaved pairs of ROWS=1000000 employees, CLIENTS=8 connections; on a server of its own. COMPARISONS="pg-import pg-lookup" for
# some of it.
.PHONY: bench-postgres
bench-postgres: override TRAITS := PostgreSQL
bench-postgres: release ## Compare the store on a server with psql's \copy and pgbench
	Tests/PostgreSQL/with-server.sh Tests/PostgreSQLBenchmark/bench.sh $(build_path)/bench-postgres \
		"$$(swift build $(release_flags) --show-bin-path)/strata" $(COMPARISONS)

# Against the commit BASE, or the last one, with ROWS=20000 records; JOBS="import lookup" for some of it.
.PHONY: bench-instructions
bench-instructions: setup ## Once per issue that changed its paths: compare instructions with the commit BASE
	.ci/setup-valgrind.sh
	Tests/InstructionBenchmark/bench.sh $(build_path)/bench-instructions $(JOBS)

# MODULE=Core, SQL, SQLite, InMemory, Stack or Interchange; the same changes for the same SEED=1 and COUNT=40. MODULE="Core SQL" and
# SEED="1 2 3" build once for all. What no test can find is listed in Tests/Mutation/Survivors.md.
.PHONY: mutate
mutate: setup ## Once per issue, on the module it changed: list random changes that no test finds
	Tests/Mutation/mutate.sh $(build_path)/mutation "$(MODULE)" "$(or $(SEED),1)" "$(or $(COUNT),40)"

.PHONY: clean
clean: ## Remove everything that was built
	rm -rf -- "$(build_path)"

.PHONY: install
install: release ## Install the tool, its manual and completions below PREFIX (/usr/local)
	.ci/install.sh "$$(swift build $(release_flags) --show-bin-path)/strata" "$(DESTDIR)$(PREFIX)"

.PHONY: uninstall
uninstall: ## Remove from below PREFIX what install put there
	.ci/install.sh --remove "$(DESTDIR)$(PREFIX)"
