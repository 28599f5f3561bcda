#!/usr/bin/env bash
# Whether stores of a model, as it is in an earlier commit, can follow the one that is here by themselves and lose nothing.
#
# Usage: models.sh MODEL COMMIT, in a checkout that has the commit; strata is on the path. Status 1 where they cannot, with the reasons.
set -euo pipefail

if [ $# -ne 2 ]; then
    echo "usage: models.sh MODEL COMMIT" >&2
    exit 64
fi
model=$1 commit=$2
if ! git cat-file -e "$commit^{commit}" 2>/dev/null; then
    echo "models.sh: there is no commit $commit here; check out more of the history (fetch-depth: 0)" >&2
    exit 66
fi
if ! git cat-file -e "$commit:$model" 2>/dev/null; then
    echo "$model is new: no store has to follow it"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Under the same name, as messages say it.
git show "$commit:$model" >"$folder/$(basename "$model")"
strata model check "$model" --against "$folder/$(basename "$model")"
