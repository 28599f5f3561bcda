#!/usr/bin/env bash
# Fails if stores of the model in an earlier commit cannot migrate automatically, and without loss, to the model in the
# working tree.
#
# Usage: models.sh MODEL COMMIT    in a checkout that contains the commit, with strata in PATH; prints the reasons and
# exits with status 1 if the stores cannot migrate
set -euo pipefail

if [ $# -ne 2 ]; then
    echo "usage: models.sh MODEL COMMIT" >&2
    exit 64
fi
model=$1 commit=$2
if ! git cat-file -e "$commit^{commit}" 2>/dev/null; then
    echo "models.sh: the checkout does not contain the commit $commit; fetch the history (fetch-depth: 0)" >&2
    exit 66
fi
if ! git cat-file -e "$commit:$model" 2>/dev/null; then
    echo "$model is new: no store has to migrate"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The copy has the same name, because messages contain it.
git show "$commit:$model" >"$folder/$(basename "$model")"
strata model check "$model" --against "$folder/$(basename "$model")"
