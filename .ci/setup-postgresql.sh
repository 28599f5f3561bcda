#!/usr/bin/env bash
# Installs a PostgreSQL server and libpq's header if they are missing. Only the store with the trait PostgreSQL needs
# them.
#
# Usage: .ci/setup-postgresql.sh
set -euo pipefail

packages=()
# Debian does not add the server's programs to PATH.
if ! command -v initdb >/dev/null && ! compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; then
    packages+=(postgresql)
fi
if ! command -v pkg-config >/dev/null; then packages+=(pkg-config); fi
if ! pkg-config --exists libpq 2>/dev/null; then packages+=(libpq-dev); fi
if [ ${#packages[@]} -gt 0 ]; then "$(dirname "$0")/setup-packages.sh" "${packages[@]}"; fi
