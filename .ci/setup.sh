#!/usr/bin/env bash
# Checks that a Swift toolchain is installed, and installs SQLite's header if it is missing. Returns immediately if both
# are installed.
set -euo pipefail

if ! command -v swift >/dev/null; then
    echo "setup: no 'swift' in PATH; install a Swift 6.2 toolchain or newer from https://www.swift.org/install" >&2
    exit 1
fi

has_sqlite() {
    local compiler
    for compiler in clang cc; do
        command -v "$compiler" >/dev/null || continue
        printf '#include <sqlite3.h>\n' | "$compiler" -x c -fsyntax-only - 2>/dev/null
        return
    done
    [ -e /usr/include/sqlite3.h ]
}

if has_sqlite; then exit 0; fi

if ! command -v apt-get >/dev/null; then
    echo "setup: sqlite3.h is missing, and apt-get is not available;" \
        "install SQLite's development files (libsqlite3-dev, sqlite-devel) with your package manager" >&2
    exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: sqlite3.h is missing; run 'apt-get install libsqlite3-dev' as root" >&2
        exit 1
    fi
    as_root=(sudo)
fi

echo "setup: installing libsqlite3-dev" >&2
install_sqlite() {
    ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --no-install-recommends libsqlite3-dev >&2
}

# On a new machine the package lists are empty or outdated, so they are updated only if the installation fails.
if ! install_sqlite 2>/dev/null; then
    ${as_root[@]+"${as_root[@]}"} apt-get update >&2
    install_sqlite
fi

if ! has_sqlite; then
    echo "setup: libsqlite3-dev is installed, but the compiler does not find sqlite3.h" >&2
    exit 1
fi
