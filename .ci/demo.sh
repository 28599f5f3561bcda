#!/usr/bin/env bash
# Runs the main commands: imports, shows and exports the real datasets of Fixtures/, and generates others. All output is
# in a temporary folder, which the script deletes at the end.
#
# Usage: .ci/demo.sh STRATA    STRATA is the path of the built tool
set -euo pipefail

if [ $# -ne 1 ]; then
    echo "usage: .ci/demo.sh STRATA" >&2
    exit 64
fi
tool=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
fixtures=$(cd "$(dirname "$0")/../Fixtures" && pwd)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
ln -s "$fixtures" Fixtures

# Prints a command in shell syntax, then runs it.
strata() {
    local word
    printf '\n$ strata'
    for word in "$@"; do
        case $word in
        *[!A-Za-z0-9_./=,-]*) printf " '%s'" "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    "$tool" "$@"
}

# Prints the first lines of an output file.
show() {
    printf '\n$ head -n %s %s\n' "$2" "$1"
    head -n "$2" "$1"
}

people=(--map employee_id=id --ignore-unknown-columns)

strata import Fixtures/colors/xkcd.json --model reference --entity Color --store demo.sqlite --root colors \
    --map color=name
strata import Fixtures/colors/crayola.json --entity Color --store demo.sqlite --root colors --map color=name
strata import Fixtures/oracle-hr/employees.csv --entity Boss --store demo.sqlite "${people[@]}"
strata import Fixtures/oracle-hr/employees.csv --entity Employee --store demo.sqlite "${people[@]}" \
    --map manager_id=boss --map hire_date=dateHired

strata info --store demo.sqlite
strata show --entity Employee --store demo.sqlite --columns id,lastName,salary,boss.lastName=boss \
    --where 'salary >= 12000' --sort 'salary desc' --limit 8
strata show --entity Color --store demo.sqlite --where 'name beginswith "dark s"' --sort name --columns id,hex,name

strata export --entity Color --store demo.sqlite --output colors.csv
show colors.csv 6
strata export --entity Boss --store demo.sqlite --output bosses.csv
show bosses.csv 4
strata export --entity Employee --store demo.sqlite --output employees.csv
show employees.csv 6
strata export --entity Employee --store demo.sqlite --format json --output employees.json
show employees.json 6
strata report --store demo.sqlite --output report.html

strata generate --model reference --seed 42 --count Employee=1000,Boss=20,Color=500,Item=200 --output fixtures
show fixtures/Employee.csv 6
strata generate --check fixtures
strata generate --model reference --hostile --count Item=3 --entity Item
strata import fixtures --model reference --store fixtures.sqlite
