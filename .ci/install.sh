#!/usr/bin/env bash
# Installs the built tool with its manual and its completions, or removes them.
#
# Usage: .ci/install.sh STRATA ROOT
#        .ci/install.sh --remove ROOT
set -euo pipefail

if [ $# -ne 2 ]; then
    echo "usage: .ci/install.sh STRATA ROOT | --remove ROOT" >&2
    exit 64
fi
root=$2
tool=$root/bin/strata
manual=$root/share/man/man1/strata.1
bash=$root/share/bash-completion/completions/strata
zsh=$root/share/zsh/site-functions/_strata
fish=$root/share/fish/vendor_completions.d/strata.fish

if [ "$1" = --remove ]; then
    rm -f -- "$tool" "$manual" "$bash" "$zsh" "$fish"
    exit
fi

# The tool generates the manual and the completions, so that they match it. They are generated in a temporary folder
# first, so that a tool that fails to run causes no partial installation.
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$1" manual > "$made/manual"
for shell in bash zsh fish; do "$1" completions "$shell" > "$made/$shell"; done

install -D -m 755 -- "$1" "$tool"
install -D -m 644 -- "$made/manual" "$manual"
install -D -m 644 -- "$made/bash" "$bash"
install -D -m 644 -- "$made/zsh" "$zsh"
install -D -m 644 -- "$made/fish" "$fish"
