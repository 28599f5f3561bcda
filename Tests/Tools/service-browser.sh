#!/usr/bin/env bash
# Tests the page of a running example service in a headless browser. Installs Chromium from the system's packages if it
# is missing. Stores screenshots in WORK-FOLDER.
#
# The test creates and deletes records, so the service needs a store for tests, with bosses and employees.
#
# Usage: Tests/Tools/service-browser.sh WORK-FOLDER ADDRESS [TOKEN-FILE]
set -euo pipefail

if [ $# -lt 2 ] || [ $# -gt 3 ]; then
    echo "usage: Tests/Tools/service-browser.sh WORK-FOLDER ADDRESS [TOKEN-FILE]" >&2
    exit 64
fi
here=$(cd "$(dirname "$0")" && pwd)

find_browser() {
    local name
    for name in chromium chromium-browser google-chrome; do
        if command -v "$name"; then return; fi
    done
    return 1
}

browser=$(find_browser) || {
    "$here/../../.ci/setup-packages.sh" chromium fonts-dejavu-core
    browser=$(find_browser)
}
mkdir -p "$1"
rm -f "$1"/service-*.png
python3 -B "$here/service-browser.py" "$browser" "$@"
