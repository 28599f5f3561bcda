#!/usr/bin/env python3
"""Writes the names and number tables of Modules/FixtureGeneration as a C header, for peer.c.

Usage: tables.py MODULE > tables.h
"""
import pathlib
import re
import sys

module = pathlib.Path(sys.argv[1])


def read(path):
    return (module / path).read_text(encoding="utf-8")


def numbers(path):
    body = read(path).split("static let table", 1)[1].split("= [", 1)[1].split("]", 1)[0]
    return [int(word.replace("_", "")) for word in re.findall(r"-?[\d_]+", body)]


def strings(body):
    return re.findall(r'"([^"\\]*)"', body)


def c_strings(name, texts):
    print(f"static const text {name}[] = {{")
    for text in texts:
        escaped = "".join(f"\\x{byte:02x}" for byte in text.encode())
        print(f'    {{"{escaped}", {len(text.encode())}}},')
    print("};")


print("typedef struct { const char *bytes; int length; } text;")
for name, kind, path in [
    ("normal_quantiles", "int32_t", "Distributions/NormalQuantiles.swift"),
    ("powers_of_two", "uint64_t", "Distributions/PowersOfTwo.swift"),
]:
    print(f"static const {kind} {name}[] = {{{', '.join(map(str, numbers(path)))}}};")

lists = {}
for path in sorted((module / "Words/Names").glob("*.swift")):
    for match in re.finditer(
        r"static let (\w+) = NameList\(\s*code: \"(\w+)\",\s*givenNames: \[(.*?)\],\s*familyNames: \[(.*?)\]",
        path.read_text(encoding="utf-8"),
        re.S,
    ):
        lists[match[1]] = (match[2], strings(match[3]), strings(match[4]))
order = re.findall(r"\.(\w+)", read("Words/Names/NameLists.swift").split("static let all", 1)[1].split("= [", 1)[1].split("]")[0])
weights = {
    code: int(weight)
    for code, weight in re.findall(
        r'"(\w\w)": (\d+)', read("Description/FixtureDescription.swift").split("standardLocales = [", 1)[1].split("]")[0]
    )
}
rows = []
total = 0
for name in order:
    code, given, family = lists[name]
    if code not in weights:
        continue
    total += weights[code]
    c_strings(f"given_{code}", given)
    c_strings(f"family_{code}", family)
    rows.append(f"{{{total}, given_{code}, {len(given)}, family_{code}, {len(family)}}}")
print("static const struct { int sum; const text *given; int given_count; const text *family; int family_count; }")
print(f"    locales[] = {{{', '.join(rows)}}};")
