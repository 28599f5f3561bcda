#!/usr/bin/env bash
# Counts the functions and initializers of Modules and Apps that have three or more unlabeled parameters, whose meaning
# is not visible at the call. Prints their share, and fails if it is 2 % or more. Operators are not counted.
#
# Usage: .ci/labels.sh [--list]    --list prints each of them
set -euo pipefail
cd "$(dirname "$0")/.."

find Modules Apps -name '*.swift' -not -path '*/.build/*' -print0 | sort -z | xargs -0 awk -v list="${1:-}" '
    FNR == 1 { finish(); isText = 0 }
    {
        line = $0
        # Ignore the content of multi-line and single-line literals and of comments.
        if (isText) { if (line ~ /"""/) isText = 0; next }
        if (line ~ /"""/ && line !~ /""".*"""/) { isText = 1; sub(/""".*/, "", line) }
        gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
        sub(/\/\/.*/, "", line)
        if (declaration == "" && match(line, /(^|[ \t])(func[ \t]+[A-Za-z_`][A-Za-z0-9_`]*|(init[?!]?|subscript)[ \t]*[(<])/)) {
            head = substr(line, RSTART, RLENGTH)
            before = substr(line, 1, RSTART)
            # An initializer or subscript is a declaration only if nothing except attributes and modifiers precedes it.
            if (head ~ /func/ || before ~ /^[ \t]*((@[A-Za-z_]+(\([^)]*\))?|[a-z]+)[ \t]*)*$/) {
                declaration = substr(line, RSTART)
                place = FILENAME ":" FNR
                if (complete()) finish()
                next
            }
        }
        if (declaration != "") {
            declaration = declaration " " line
            if (complete()) finish()
        }
    }
    END {
        finish()
        printf "labels: %d of %d functions have three or more unlabeled parameters, %.1f %%\n", many, functions, 100 * many / functions
        exit 50 * many >= functions
    }

    # Returns true if the parentheses of the parameters are closed, and sets "parameters" to the text between them.
    function complete(    start, depth, index_, character) {
        start = opening(declaration)
        if (start == 0) return 0
        depth = 0
        for (index_ = start; index_ <= length(declaration); index_++) {
            character = substr(declaration, index_, 1)
            if (character ~ /[(\[{]/) depth++
            if (character ~ /[)\]}]/) depth--
            if (depth == 0) { parameters = substr(declaration, start + 1, index_ - start - 1); return 1 }
        }
        return 0
    }

    # Returns the position of the parenthesis that follows the name and the generic parameters.
    function opening(text,    angle, index_, character) {
        angle = 0
        for (index_ = 1; index_ <= length(text); index_++) {
            character = substr(text, index_, 1)
            if (character == "<") angle++
            if (character == ">") angle--
            if (character == "(" && angle == 0) return index_
        }
        return 0
    }

    function finish(    unlabeled, depth, index_, character, atStart) {
        if (declaration == "") return
        functions++
        unlabeled = 0; depth = 0; atStart = 1
        for (index_ = 1; index_ <= length(parameters); index_++) {
            character = substr(parameters, index_, 1)
            if (depth == 0 && atStart && character == "_" && substr(parameters, index_ + 1, 1) ~ /[ \t]/) unlabeled++
            # Attributes of a parameter precede its label.
            if (character !~ /[ \t@]/ && !(character ~ /[A-Za-z]/ && substr(parameters, index_ - 1, 1) == "@")) atStart = 0
            if (character ~ /[(\[{<]/) depth++
            if (character ~ /[)\]}]/ || (character == ">" && substr(parameters, index_ - 1, 1) != "-")) depth--
            if (character == "," && depth == 0) atStart = 1
        }
        if (unlabeled >= 3) { many++; if (list == "--list") print place ": " declaration }
        declaration = ""; parameters = ""
    }'
