#!/usr/bin/env bash
# Installs what some tests need besides a toolchain, where apt-get, and root or sudo, are there. Never fails: a test that lacks
# something is off and says why, and 'make check' lists it.
#
# Usage: .ci/setup-tests.sh
set -euo pipefail

# A program, and the package that brings it.
needed() {
    cat <<'END'
fish fish
groff groff
gzip gzip
mandoc mandoc
python3 python3
readelf binutils
script bsdutils
setpriv util-linux
sqlite3 sqlite3
unshare util-linux
zsh zsh
zstd zstd
faketime faketime
END
}

# Reads Data Packages as we do, so that each finds the other's valid; in an environment of its own.
install_frictionless() {
    local folder
    folder="$(dirname "$0")/../.build/frictionless"
    if [ -x "$folder/bin/frictionless" ]; then return; fi
    if ! { python3 -m venv "$folder" && "$folder/bin/pip" install --quiet frictionless==5.19.0; } >&2; then
        rm -rf "$folder"
        echo "setup-tests: cannot install frictionless from PyPI; the test that needs it is off" >&2
    fi
}

packages=()
while read -r program package; do
    if ! command -v "$program" >/dev/null; then packages+=("$package"); fi
done < <(needed)
if ! python3 -c 'import yaml' 2>/dev/null; then packages+=(python3-yaml); fi
if ! python3 -c 'import ensurepip' 2>/dev/null; then packages+=(python3-venv); fi
trap install_frictionless EXIT
if [ ${#packages[@]} -eq 0 ]; then exit 0; fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo --non-interactive); fi
if ! command -v apt-get >/dev/null || { [ ${#as_root[@]} -gt 0 ] && ! command -v sudo >/dev/null; }; then
    echo "setup-tests: cannot install ${packages[*]}; tests that need them are off" >&2
    exit 0
fi

install_packages() {
    ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --no-install-recommends "$@" >&2
}

echo "setup-tests: installing ${packages[*]}" >&2
${as_root[@]+"${as_root[@]}"} apt-get update >&2 || true
if install_packages "${packages[@]}"; then exit 0; fi
# One that this system does not have must not keep the others away.
for package in "${packages[@]}"; do
    install_packages "$package" || echo "setup-tests: no $package; tests that need it are off" >&2
done
