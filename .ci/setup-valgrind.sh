#!/usr/bin/env bash
# Makes sure that valgrind is there, with which 'make bench-instructions' counts; nothing else needs it.
#
# Usage: .ci/setup-valgrind.sh
set -euo pipefail

if command -v valgrind >/dev/null; then exit 0; fi

if ! command -v apt-get >/dev/null; then
    echo "setup: valgrind is missing and there is no apt-get to install it with" >&2
    exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: valgrind is missing; run 'apt-get install valgrind' as root" >&2
        exit 1
    fi
    as_root=(sudo)
fi

echo "setup: installing valgrind" >&2
install_valgrind() {
    ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --no-install-recommends valgrind >&2
}

# The lists of a fresh machine are empty or old: only then are they fetched.
if ! install_valgrind 2>/dev/null; then
    ${as_root[@]+"${as_root[@]}"} apt-get update >&2
    install_valgrind
fi
