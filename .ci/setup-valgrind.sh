#!/usr/bin/env bash
# Installs valgrind if it is missing. Only 'make bench-instructions' needs it, to count instructions.
#
# Usage: .ci/setup-valgrind.sh
set -euo pipefail

if ! command -v valgrind >/dev/null; then "$(dirname "$0")/setup-packages.sh" valgrind; fi
