# The commands for work on this repository; `make help` lists them.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.NOTPARALLEL:

BUILD_PATH ?= .build
PREFIX ?= /usr/local
DESTDIR ?=

comma := ,
hash := \#

build_path := $(abspath $(BUILD_PATH))
# SwiftPM reads XCTest's tests from the index. This does not need the system's modules in the index.
index_flags := -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules

# The debug information contains line numbers for crash traces. Information about variables would take a tenth of the
# time of a debug build: DEBUG_INFO=-g. A build from scratch also omits line numbers, which take another tenth;
# `make retest` includes them.
DEBUG_INFO ?= -gline-tables-only

# The incremental debug build of `make build`, which compiles only what an edit affects. Warnings of a newer compiler do
# not prevent tests.
debug_flags := --build-path $(build_path) $(index_flags) -Xswiftc $(DEBUG_INFO)

# Flags for a build from scratch: one compiler process reads the files of a module once and also emits the module. After
# an edit, the whole module and all modules above it are compiled again.
whole_flags := -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -no-emit-module-separately-wmo \
	-Xswiftc -disable-batch-mode
whole_debug_info := -Xswiftc $(if $(filter command line environment,$(origin DEBUG_INFO)),$(DEBUG_INFO),-gnone)

# The debug build of `make test`, in a separate folder, so that neither kind of build overwrites the other. It has no
# index and no XCTest (see Package.swift). It does not check exclusive access, which takes a twentieth of the build and
# of the tests; `make retest` and `make check` check it.
#
# On Linux, the linker omits unused libraries: `import Foundation` also links ICU, which the tool does not use. Loading
# it doubles the tool's startup time, and tests start the tool thousands of times. SwiftPM adds its own linker flags
# after the libraries, where they have no effect.
link_environment := $(if $(filter Linux,$(shell uname -s)),CCC_OVERRIDE_OPTIONS='$(hash)^-Wl$(comma)--as-needed')
test_environment := STRATA_TESTS_WITHOUT_INDEX=1 STRATA_WITHOUT_PLUGIN=1 $(link_environment)
test_flags := --build-path $(build_path)/whole --disable-index-store $(whole_flags) -Xswiftc -enforce-exclusivity=unchecked \
	$(whole_debug_info)
# With an entry point that SwiftPM did not generate, flags must disable XCTest and enable Swift Testing.
without_xctest := --disable-xctest --enable-swift-testing
run_tests := $(test_environment) .ci/in-memory.sh swift test $(without_xctest) $(test_flags)

# The debug build of `make check`, in a separate folder: warnings are errors, a layer imports only the dependencies in
# Package.swift, and symbol graphs are written for the documentation. CI builds from scratch, so this build also
# compiles whole modules.
strict_path := $(build_path)/strict
symbol_graphs := $(strict_path)/symbol-graphs
strict_flags := --build-path $(strict_path) --disable-index-store $(whole_flags) $(whole_debug_info) \
	--explicit-target-dependency-import-check error -Xswiftc -warnings-as-errors \
	-Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc $(symbol_graphs) \
	-Xswiftc -symbol-graph-skip-synthesized-members

# The build whose tool `make demo` and `make test-browser` run. With STRICT=1 it is the build of `make check`, so that
# CI builds only once.
tool_flags := $(if $(STRICT),$(strict_flags),$(test_flags))

# A static build except for libsqlite3 and the system's C and C++ libraries, and stripped. It omits debug information,
# which takes a tenth of the build. TRAITS=PostgreSQL adds stores on a server, and needs libpq, which is linked
# dynamically. The linker removes functions that the tool does not use, which requires a section for each function and
# no exported symbols, and merges equal functions whose addresses are not compared; this saves 9 %.
release_flags = --build-path $(build_path)$(if $(TRAITS),/with-$(TRAITS)) -c release --static-swift-stdlib -Xlinker -s \
	-Xlinker --no-export-dynamic -Xlinker --icf=safe -Xswiftc -Xfrontend -Xswiftc -function-sections \
	-debug-info-format none $(if $(TRAITS),--traits $(TRAITS)) --product strata

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' \
		$(firstword $(MAKEFILE_LIST))

##@ Build

.PHONY: setup
setup: ## Install libsqlite3-dev if it is missing
	@.ci/setup.sh

.PHONY: setup-tests
setup-tests: ## Install optional programs; a test without its program is skipped and reports the reason
	@.ci/setup-tests.sh

.PHONY: build
build: setup ## Build all targets and tests for debugging; after an edit, build only what it affects
	swift build $(debug_flags) --build-tests

.PHONY: strict
strict: setup ## Build like CI: warnings and layer violations are errors, symbol graphs are written
	$(test_environment) swift build $(strict_flags) --build-tests

.PHONY: release
release: setup ## Build the static, stripped release tool; TRAITS=PostgreSQL adds stores on a server
	$(if $(findstring PostgreSQL,$(TRAITS)),.ci/setup-postgresql.sh)
	swift build $(release_flags)

.PHONY: clean
clean: ## Delete all build products
	rm -rf -- "$(build_path)"

##@ Tests

.PHONY: test
test: setup ## Before each commit: build for debugging and run all tests, except those that need a release build
	$(run_tests)

.PHONY: retest
retest: setup ## After each edit: build the changes and run the tests that FILTER selects (default: all)
	swift test $(debug_flags) $(if $(FILTER),--filter '$(FILTER)')

# The tests of CI. They also test the release tool: its size, its libraries, its equivalence with the debug build, and
# row counts that would take too long in a debug build.
.PHONY: test-strict
test-strict: strict release ## In CI: run all tests of the strict build; list the skipped and the slowest tests
	$(test_environment) STRATA_RELEASE_TOOL="$$(swift build $(release_flags) --show-bin-path)/strata" .ci/in-memory.sh \
		.ci/test-report.sh $(build_path)/test-events.jsonl --skip-build $(without_xctest) $(strict_flags)

# Few seeds detect most faults. A change of the stores or the contexts should be tested once with all seeds.
.PHONY: test-soak
test-soak: setup ## Once per issue: run all seeds and fault locations, also optimized and on a server under load
	STRATA_SEEDS=all $(run_tests)
	STRATA_SEEDS=10000 $(run_tests) --filter 'RandomMigrationTests|DamageTests|RoundTripTests'
	$(MAKE) test-release
	$(MAKE) test-mutations
	$(MAKE) test-generated-code
	if .ci/setup-postgresql.sh && Tests/Tools/PostgreSQL/with-server.sh true; then STRATA_SEEDS=all $(MAKE) test-postgres SOAK_SECONDS=60; \
		else echo "test-soak: no PostgreSQL server is available; the tests of the store on a server did not run" >&2; fi

# The count of random changes to files of each foreign format.
MUTATIONS ?= 1000000

.PHONY: test-generated-code
test-generated-code: setup ## Once per issue (part of test-soak): compile the code of MODELS=1000 random models
	swift build --product strata --build-path $(build_path)
	Tests/Tools/GeneratedCode/run.sh $(build_path)/debug/strata $(or $(MODELS),1000)

.PHONY: test-mutations
test-mutations: setup ## Once per issue (part of test-soak): read a million random changes of each foreign format, optimized
	STRATA_MUTATIONS=$(MUTATIONS) swift test --build-path $(build_path)/release-tests -c release -Xswiftc -enable-testing \
		--filter '/mutated'

.PHONY: test-tsan
test-tsan: setup ## Once per issue that changed locks, queues or tasks: run all tests under the thread sanitizer
	swift test --build-path $(build_path)/tsan --sanitize=thread

# The invariants under load: counters that many tasks, contexts and processes increment have the expected sums, and the
# sanitizer reports no race.
.PHONY: test-stress
test-stress: setup ## Once per issue that changed contexts or locks: stress them under the thread sanitizer
	STRATA_STRESS_SECONDS=$${STRATA_STRESS_SECONDS:-30} swift test --build-path $(build_path)/tsan --sanitize=thread \
		--filter 'StressTests|ObservingTests|TwoProcessesTests|DeadlockTests|CancellationTests|LedgerWalkTests'

# Users run optimized code, in which objects may be released after their last use, and preconditions have no message.
.PHONY: test-release
test-release: release ## Once per issue (part of test-soak): run all tests in an optimized build
	STRATA_RELEASE_TOOL="$$(swift build $(release_flags) --show-bin-path)/strata" \
		swift test --build-path $(build_path)/release-tests -c release -Xswiftc -enable-testing

.PHONY: test-asan
test-asan: setup ## Once per issue that changed C calls or unsafe code: test under the address sanitizer
	LSAN_OPTIONS=suppressions=$(CURDIR)/.ci/leaks.supp:print_suppressions=0 \
		swift test --build-path $(build_path)/asan --sanitize=address

# Packages with Strata as a dependency, built as whole modules, with the index that SwiftPM needs to find the tests.
packages_flags := --package-path Tests/Packages --build-path $(build_path)/packages $(index_flags) $(whole_flags) \
	$(whole_debug_info) --explicit-target-dependency-import-check error
server_flags := $(packages_flags) --traits PostgreSQL

.PHONY: test-packages
test-packages: setup ## In CI: test packages that depend on Strata: a service, layers, a store, a server
	if ! .ci/setup-postgresql.sh; then \
		echo "test-packages: libpq is not available; the store on a server was not built" >&2; \
		.ci/in-memory.sh swift test $(packages_flags); \
	elif ! Tests/Tools/PostgreSQL/with-server.sh true; then \
		echo "test-packages: no PostgreSQL server is available; the store on a server was not tested" >&2; \
		.ci/in-memory.sh swift test $(server_flags); \
	else $(MAKE) test-packages-on-server; fi

.PHONY: test-packages-on-server
test-packages-on-server:
	swift build $(server_flags) --build-tests
	.ci/in-memory.sh Tests/Tools/PostgreSQL/with-server.sh swift test $(server_flags) --skip-build
	Tests/Tools/PostgreSQL/with-server.sh Tests/Tools/PostgreSQL/tool.sh "$$(swift build $(server_flags) --show-bin-path)/strata"

# If the trait is enabled and a server runs, the tests of all kinds of stores include the store on a server. A missing
# server is installed from the system's packages.
postgresql_flags := --build-path $(build_path)/postgresql --traits PostgreSQL $(without_xctest) \
	--disable-index-store $(whole_flags) -Xswiftc $(DEBUG_INFO)

SOAK_SECONDS ?= 10
# The test targets run one after the other, each with its own server. All at once would take several times as long.
postgresql_targets := ^PostgreSQLTests ^StoreTests ^ContextTests ^PersistenceTests ^MigrationTests ^RepositoriesTests \
	^InterchangeTests ^ReportsTests

.PHONY: test-postgres
test-postgres: setup ## Once per issue that changed stores or SQL: test on a PostgreSQL server; FILTER selects tests
	.ci/setup-postgresql.sh
	$(test_environment) swift build $(postgresql_flags) --build-tests
	for filter in $(if $(FILTER),'$(FILTER)',$(postgresql_targets)); do $(test_environment) .ci/in-memory.sh \
		Tests/Tools/PostgreSQL/with-server.sh swift test $(postgresql_flags) --skip-build --filter "$$filter" || exit; done
	$(if $(FILTER),,Tests/Tools/PostgreSQL/with-server.sh Tests/Tools/PostgreSQL/tool.sh "$$(swift build $(postgresql_flags) --show-bin-path)/strata")
	$(if $(FILTER),,Tests/Tools/PostgreSQL/with-server.sh Tests/Tools/PostgreSQL/soak.sh \
		"$$(swift build $(postgresql_flags) --show-bin-path)/strata" $(SOAK_SECONDS))

# No distribution contains Citus. If it is not installed, this target reports that and does nothing.
.PHONY: test-citus
test-citus: setup ## Once per issue that changed the store on a server: test it on Citus and move tenants
	if Tests/Tools/PostgreSQL/with-citus.sh --is-installed; then $(MAKE) test-citus-here; fi

.PHONY: test-citus-here
test-citus-here:
	$(test_environment) swift build $(postgresql_flags) --build-tests
	$(test_environment) .ci/in-memory.sh Tests/Tools/PostgreSQL/with-citus.sh swift test $(postgresql_flags) --skip-build \
		--filter '$(or $(FILTER),^PostgreSQLTests\.(Container|Check|Fault|Following|RemoteChange)Tests)'
	swift build $(server_flags) --build-tests
	.ci/in-memory.sh Tests/Tools/PostgreSQL/with-citus.sh swift test $(server_flags) --skip-build \
		--filter '$(or $(FILTER),^ServerContractTests\.)'
	Tests/Tools/PostgreSQL/with-citus.sh Tests/Tools/PostgreSQL/tool.sh "$$(swift build $(postgresql_flags) --show-bin-path)/strata"
	Tests/Tools/PostgreSQL/with-citus.sh Tests/Tools/PostgreSQL/tenants.sh "$$(swift build $(postgresql_flags) --show-bin-path)/strata"

# Installs Chromium from the system's packages if it is missing. Screenshots are in BUILD_PATH/browser.
.PHONY: test-browser
test-browser: setup ## Once per issue that changed reports: inspect pages of 'strata report' in a headless browser
	$(test_environment) swift build $(tool_flags) --product strata
	Tests/Tools/ReportBrowser/browser.sh $(build_path)/browser "$$(swift build $(tool_flags) --show-bin-path)/strata"

# The count of files with executed lines shows through how much code a save passes. The limit is what a save needs today.
.PHONY: test-saved-files
test-saved-files: setup ## Once per issue that changed saves: list the source files that a save of one employee executes
	Tests/Tools/SavedFiles/saved-files.sh $(build_path)/saved-files 74

##@ The example service

# A separate package, because it has dependencies and Strata has none. SERVICE_STORE is a path or postgres://…, which
# requires TRAITS=PostgreSQL. The store is seeded with the datasets of Fixtures if it is empty.
service_flags = --package-path Apps/service --build-path $(build_path)/service $(index_flags) -Xswiftc $(DEBUG_INFO) \
	$(if $(TRAITS),--traits $(TRAITS))
service_program = "$$(swift build $(service_flags) --show-bin-path)/strata-service"
service_tests := Apps/service/Tests/Processes

SERVICE_STORE ?= $(build_path)/service.sqlite
SERVICE_PORT ?= 8080

.PHONY: service
service: setup ## Build the example service, run it on loopback with sample data, and print its URL
	swift build $(service_flags) --product strata-service
	STRATA_STORE="$(SERVICE_STORE)" exec $(service_program) --seed Fixtures --port $(SERVICE_PORT)

# The count of seconds with stops and kills under load.
SERVICE_SECONDS ?= 20

.PHONY: test-service
test-service: setup ## In a job of ci.yml: test the example service: handlers, server, processes, page, PostgreSQL
	if .ci/setup-postgresql.sh && Tests/Tools/PostgreSQL/with-server.sh true; then \
		$(MAKE) test-service-here TRAITS=PostgreSQL; \
	else \
		echo "test-service: no PostgreSQL server is available; several instances were not tested" >&2; \
		$(MAKE) test-service-here; \
	fi

.PHONY: test-service-here
test-service-here:
	swift build $(service_flags) --build-tests
	.ci/in-memory.sh swift test $(service_flags) --skip-build $(without_xctest)
	.ci/in-memory.sh python3 -B $(service_tests)/service_processes.py $(service_program) soak $(SERVICE_SECONDS)
	$(if $(findstring PostgreSQL,$(TRAITS)),Tests/Tools/PostgreSQL/with-server.sh python3 -B \
		$(service_tests)/service_processes.py $(service_program) instances)
	python3 -B Tests/Tools/service-deployment-check.py
	$(service_tests)/with-service.sh $(service_program) Tests/Tools/service-browser.sh $(build_path)/browser

##@ Checks and pages

.PHONY: lint
lint: strict ## In CI: check format, structure, language, documentation and warnings
	swift format lint --strict --parallel --recursive Modules Apps Tests Package.swift
	.ci/structure.sh $(build_path)/structure
	.ci/structure-test.sh $(build_path)/structure/structure
	.ci/language.sh
	.ci/documentation.sh $(symbol_graphs) $(build_path)/documentation
	.ci/public-symbols.sh $(symbol_graphs) 1750

# Only lists expressions, because the times depend on the machine. It is not part of lint because it type-checks all
# sources again.
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

##@ Fuzzers and mutations

# Runs each fuzzer for ten minutes by default. FUZZ_SECONDS=30 limits the time; FUZZ=csv selects one fuzzer.
.PHONY: fuzz
fuzz: setup ## Once per issue that changed a reader: fuzz the readers of files, predicates and stores
	Tests/Fuzzers/fuzz.sh $(build_path)/fuzz $(FUZZ)

# MODULE is Core, SQL, SQLite, InMemory, Stack or Interchange. The same SEED=1 and COUNT=40 (the defaults) produce the
# same changes. Several modules (MODULE="Core SQL") and seeds (SEED="1 2 3") share one build.
# Tests/Tools/Mutation/Survivors.md lists changes that no test can detect.
.PHONY: mutate
mutate: setup ## Once per issue, on the changed module: list random code changes that no test detects
	Tests/Tools/Mutation/mutate.sh $(build_path)/mutation "$(MODULE)" "$(or $(SEED),1)" "$(or $(COUNT),40)"

##@ Benchmarks

# Defaults: RUNS=7 interleaved pairs, ROWS=1000000. MEMORY_ROWS=10000000 also measures the memory for that count of
# rows.
.PHONY: bench
bench: release ## Compare import and export of a million rows with the sqlite3 shell
	Tests/Benchmarks/Interchange/bench.sh $(build_path)/bench \
		"$$(swift build $(release_flags) --show-bin-path)/strata"

# Defaults: RUNS=7 interleaved runs, ROWS=1000000. Faker and mimesis generate PEER_ROWS=20000 rows if they are
# installed.
.PHONY: bench-fixtures
bench-fixtures: release ## Compare the generator with Faker, mimesis and a C program that writes the same bytes
	Tests/Benchmarks/Fixtures/bench.sh $(build_path)/bench-fixtures \
		"$$(swift build $(release_flags) --show-bin-path)/strata"

# A separate package, because it has a dependency and Strata has none. Its build plan and its own code are always
# rebuilt: otherwise it would use the file list of the last build and inlined code from it.
.PHONY: bench-stack
bench-stack: setup ## Compare the stack with GRDB on 100,000 employees, and the store in memory with SQLite
	rm -f $(build_path)/bench-stack/release.yaml $(build_path)/bench-stack/*/release/stack_benchmark.build/*.o
	swift run -c release --package-path Tests/Benchmarks/Stack --build-path $(build_path)/bench-stack stack-benchmark

# Defaults: RUNS=7 interleaved runs, ROWS=1000000 employees. A separate package contains the stage in Swift.
.PHONY: bench-migration
bench-migration: release ## Compare migrations of a million rows with equivalent SQL in the sqlite3 shell
	Tests/Benchmarks/Migration/bench.sh $(build_path)/bench-migration \
		"$$(swift build $(release_flags) --show-bin-path)/strata"

# Defaults: RUNS=5 interleaved pairs, ROWS=1000000 employees, CLIENTS=8 connections, on a separate server.
# COMPARISONS="pg-import pg-lookup" selects comparisons.
.PHONY: bench-postgres
bench-postgres: override TRAITS := PostgreSQL
bench-postgres: release ## Compare the store on a server with psql's \copy and pgbench
	Tests/Tools/PostgreSQL/with-server.sh Tests/Benchmarks/PostgreSQL/bench.sh $(build_path)/bench-postgres \
		"$$(swift build $(release_flags) --show-bin-path)/strata" $(COMPARISONS)

# It needs an hour with the defaults. ROWS and RUNS apply to all benchmarks; TARGETS="bench bench-stack" selects some.
.PHONY: bench-report
bench-report: release ## Run the benchmarks and write the page “Benchmarks”
	Tests/Benchmarks/report.sh Modules/Persistence/Stack/StrataPersistence.docc/Benchmarks.md $(TARGETS)

# Compares with the commit BASE (default: the last one), for ROWS=20000 records. JOBS="import lookup" selects jobs.
.PHONY: bench-instructions
bench-instructions: setup ## Once per issue that changed a measured path: compare instruction counts with BASE
	.ci/setup-valgrind.sh
	Tests/Benchmarks/Instructions/bench.sh $(build_path)/bench-instructions $(JOBS)

# Defaults: RUNS=3 interleaved runs of DURATION=5 seconds, with 16 connections of wrk. Separate packages, because both
# have dependencies.
.PHONY: bench-service
bench-service: setup ## Compare five routes of the example service with the same routes over GRDB
	if ! command -v wrk >/dev/null; then .ci/setup-packages.sh wrk; fi
	swift build -c release --package-path Apps/service --build-path $(build_path)/service-release --product strata-service
	swift build -c release --package-path Tests/Benchmarks/Service --build-path $(build_path)/bench-service \
		--product grdb-service
	Tests/Benchmarks/Service/bench.sh $(build_path)/service-release/release/strata-service \
		$(build_path)/bench-service/release/grdb-service

##@ Installation

.PHONY: install
install: release ## Install the tool, its manual and completions below PREFIX (/usr/local)
	.ci/install.sh "$$(swift build $(release_flags) --show-bin-path)/strata" "$(DESTDIR)$(PREFIX)"

.PHONY: uninstall
uninstall: ## Delete the installed files below PREFIX
	.ci/install.sh --remove "$(DESTDIR)$(PREFIX)"
