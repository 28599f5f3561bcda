#!/usr/bin/env bash
# Installs Debian packages that a target needs, as root or with sudo.
#
# Usage: .ci/setup-packages.sh PACKAGE…
set -euo pipefail

if ! command -v apt-get >/dev/null; then
    echo "setup: $* is missing, and apt-get is not available; install it with your package manager" >&2
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

# On a new machine the package lists are empty or outdated, so they are updated only if the installation fails.
if ! install_packages "$@" 2>/dev/null; then
    ${as_root[@]+"${as_root[@]}"} apt-get update >&2
    install_packages "$@"
fi
