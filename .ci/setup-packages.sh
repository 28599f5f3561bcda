#!/usr/bin/env bash
# Installs packages of Debian's that some target needs, as root or by sudo.
#
# Usage: .ci/setup-packages.sh PACKAGE…
set -euo pipefail

if ! command -v apt-get >/dev/null; then
    echo "setup: $* is missing and there is no apt-get to install it with" >&2
    exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: run 'apt-get install $*' as root" >&2
        exit 1
    fi
    as_root=(sudo)
fi

echo "setup: installing $*" >&2
install_packages() {
    ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --no-install-recommends "$@" >&2
}

# The lists of a fresh machine are empty or old: only then are they fetched.
if ! install_packages "$@" 2>/dev/null; then
    ${as_root[@]+"${as_root[@]}"} apt-get update >&2
    install_packages "$@"
fi
