#!/usr/bin/env bash
# Makes sure that valgrind is there, with which 'make bench-instructions' counts; nothing else needs it.
#
# Usage: .ci/setup-valgrind.sh
set -euo pipefail

if ! command -v valgrind >/dev/null; then "$(dirname "$0")/setup-packages.sh" valgrind; fi
