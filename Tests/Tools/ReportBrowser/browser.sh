#!/usr/bin/env bash
# Checks pages of 'strata report' in a headless browser, with the width of a phone and of a desktop, in light and dark
# mode. Installs Chromium from the system's packages if it is missing. Stores screenshots in WORK-FOLDER.
#
# Usage: Tests/Tools/ReportBrowser/browser.sh WORK-FOLDER STRATA    STRATA is the path of the built tool
set -euo pipefail

if [ $# -ne 2 ]; then
    echo "usage: Tests/Tools/ReportBrowser/browser.sh WORK-FOLDER STRATA" >&2
    exit 64
fi
here=$(cd "$(dirname "$0")" && pwd)
fixtures=$(cd "$here/../../../Fixtures" && pwd)
mkdir -p "$1"
work=$(cd "$1" && pwd)
tool=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")

find_browser() {
    local name
    for name in chromium chromium-browser google-chrome; do
        if command -v "$name"; then return; fi
    done
    return 1
}

install_browser() {
    local as_root=()
    if ! command -v apt-get >/dev/null; then
        echo "browser: Chromium is missing, and apt-get is not available; install it with your package manager" >&2
        exit 1
    fi
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "browser: Chromium is missing; run 'apt-get install chromium' as root" >&2
            exit 1
        fi
        as_root=(sudo)
    fi
    echo "browser: installing chromium" >&2
    # On a new machine the package lists are empty or outdated, so they are updated only if the installation fails.
    ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --no-install-recommends chromium fonts-dejavu-core >&2 2>/dev/null || {
        ${as_root[@]+"${as_root[@]}"} apt-get update >&2
        ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
            apt-get install --yes --no-install-recommends chromium fonts-dejavu-core >&2
    }
}

browser=$(find_browser) || {
    install_browser
    browser=$(find_browser)
}

for part in full empty hostile; do rm -rf "${work:?}/$part".*; done
rm -f "$work"/*.png
cd "$work"

# The content of the stores.
make_full() {
    "$tool" generate --model reference --seed 1 --count Boss=100,Employee=20000,Item=3000 --store full.sqlite --quiet
    "$tool" import "$fixtures/colors/xkcd.json" --entity Color --store full.sqlite --root colors --map color=name --quiet
}

make_empty() {
    printf 'firstName,lastName\n' >none.csv
    "$tool" import none.csv --model reference --entity Boss --store empty.sqlite --quiet
}

make_hostile() {
    python3 -B "$here/hostile.py" .
    local entity
    for entity in Color Boss Employee Item; do
        "$tool" import "hostile-$entity.json" --model reference --entity "$entity" --store hostile.sqlite --quiet
    done
}

make_full
make_empty
make_hostile
for part in full empty; do "$tool" report --store "$part.sqlite" --output "$part.html" --quiet; done
"$tool" report --store hostile.sqlite --output hostile.html --quiet --title '<script>alert("title")</script> &amp; ‮right to left'

python3 -B "$here/check.py" "$browser" "$work" full empty hostile
