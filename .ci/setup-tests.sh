#!/usr/bin/env bash
# Installs optional programs that some tests need, if apt-get, and root or sudo, are available. Never fails: a test
# without its program is skipped and reports the reason, and 'make check' lists it.
#
# Usage: .ci/setup-tests.sh
set -euo pipefail

# Prints lines of a program and the package that contains it.
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

# Installs frictionless, which validates the Data Packages that Strata writes and supplies valid ones for Strata to
# read. It has its own virtual environment.
install_frictionless() {
    local folder
    folder="$(dirname "$0")/../.build/frictionless"
    if [ -x "$folder/bin/frictionless" ]; then return; fi
    if ! { python3 -m venv "$folder" && "$folder/bin/pip" install --quiet frictionless==5.19.0; } >&2; then
        rm -rf "$folder"
        echo "setup-tests: cannot install frictionless from PyPI; the tests that need it are skipped" >&2
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
    echo "setup-tests: cannot install ${packages[*]}; tests that need them are skipped" >&2
    exit 0
fi

install_packages() {
    ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --no-install-recommends "$@" >&2
}

echo "setup-tests: installing ${packages[*]}" >&2
${as_root[@]+"${as_root[@]}"} apt-get update >&2 || true
if install_packages "${packages[@]}"; then exit 0; fi
# Install the packages one by one, so that an unavailable package does not prevent the others.
for package in "${packages[@]}"; do
    install_packages "$package" || echo "setup-tests: cannot install $package; tests that need it are skipped" >&2
done
