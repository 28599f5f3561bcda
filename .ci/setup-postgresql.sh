#!/usr/bin/env bash
# Makes sure that a PostgreSQL server and libpq's header are there, for the store behind the trait PostgreSQL; nothing else needs them.
#
# Usage: .ci/setup-postgresql.sh
set -euo pipefail

packages=()
# Debian keeps the server's programs out of the path.
if ! command -v initdb >/dev/null && ! compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; then
    packages+=(postgresql)
fi
if ! command -v pkg-config >/dev/null; then packages+=(pkg-config); fi
if ! pkg-config --exists libpq 2>/dev/null; then packages+=(libpq-dev); fi
if [ ${#packages[@]} -gt 0 ]; then "$(dirname "$0")/setup-packages.sh" "${packages[@]}"; fi
