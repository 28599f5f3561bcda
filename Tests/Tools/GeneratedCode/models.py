"""Writes random model files, for a test that compiles the Swift code generated from them.

Usage: models.py DIRECTORY COUNT SEED
"""
import json
import random
import sys

WORDS = """id name Name e-mail total state version type Type self init class default status order date Date key text
entity create context hash 1st _x a.b Größe 名前 😀 record""".split() + ["lent to", "price (EUR)", "", "x\"y\\z"]
VALUES = ["", "a", "A", "a b", "a-b", "none", "self", "default", "é", "日本", "1", "\"", "\\", "\n", "IN_USE"]


def unique_names(count, rng):
    names = []
    while len(names) < count:
        name = rng.choice(WORDS) or "blank"
        if rng.random() < 0.4:
            name += str(rng.randrange(20))
        if name not in names:
            names.append(name)
    return names


def field(name, rng):
    constraints, field = {}, {"name": name}
    kind = rng.choice(
        ["string", "string", "integer", "number", "scaled", "boolean", "date", "time", "instant", "uuid", "binary",
         "small", "enum", "email", "year"])
    default = None
    if kind in ("string", "enum", "email"):
        field["type"] = "string"
        if kind == "email":
            field["format"] = "email"
        elif kind == "enum":
            constraints["enum"] = rng.sample(VALUES, rng.randrange(1, 6))
            default = rng.choice(constraints["enum"])
        else:
            default = rng.choice(VALUES)
            if rng.random() < 0.3:
                constraints["maxLength"] = rng.randrange(5, 90)
            if rng.random() < 0.2:
                constraints["pattern"] = rng.choice(["[^#]*", "\\p{L}*.*", "(a|\"b\"|\\\\|.|\\n)*"])
    elif kind in ("integer", "small"):
        field["type"] = "integer"
        if kind == "small":
            field["strata:type"] = rng.choice(["integer16", "integer32"])
        default = rng.randrange(-50, 50)
        if rng.random() < 0.3:
            constraints.update({"minimum": -50, "maximum": rng.choice([50, 30000])})
    elif kind in ("number", "scaled"):
        field["type"] = "number"
        default = rng.randrange(-5, 5)
        if kind == "number":
            field["strata:type"] = "double"
        else:
            field["strata:scale"] = rng.randrange(0, 6)
            if field["strata:scale"] == 2:
                default = rng.choice([-1.25, 0.5, 92233720368547758.07])
        if rng.random() < 0.3 and default < 6:
            constraints["exclusiveMaximum"] = rng.randrange(6, 100)
        elif rng.random() < 0.2:
            field["strata:renamedValues"] = [[1, 2]]
    elif kind == "boolean":
        field["type"], default = "boolean", rng.random() < 0.5
        if rng.random() < 0.2:
            field["trueValues"], field["falseValues"] = ["ja"], ["nein"]
    elif kind == "date":
        field["type"], default = "date", "2024-02-29"
        if rng.random() < 0.3:
            constraints["minimum"] = "1999-12-31"
        if rng.random() < 0.3:
            field["format"] = "%d.%m.%Y"
    elif kind == "time":
        field["type"], default = "time", "23:59:59"
    elif kind == "instant":
        field["type"], field["strata:type"] = "datetime", "date"
        default = rng.choice([{"function": "now"}, "2024-02-29T00:00:00.125Z"])
    elif kind == "uuid":
        field["type"], field["strata:type"] = "string", "uuid"
        default = rng.choice([{"function": "newUUID"}, "123E4567-E89B-12D3-A456-426614174000"])
    elif kind == "binary":
        field["type"], field["format"], default = "string", "binary", "AAEC"
    else:
        field["type"] = "year"
    if rng.random() < 0.5:
        constraints["required"] = True
    if rng.random() < 0.15:
        constraints["unique"] = True
        default = None
    if default is not None and rng.random() < 0.4:
        field["strata:default"] = default
    if rng.random() < 0.2:
        field["strata:indexed"] = True
    if rng.random() < 0.1:
        field["strata:constant"] = True
    if rng.random() < 0.2:
        field["title"] = rng.choice(["A title", "With \"quotes\".", "Lines\nof text */"])
    if rng.random() < 0.1:
        field["strata:renamedFrom"] = ["earlier" + str(rng.randrange(99))]
    if constraints:
        field["constraints"] = constraints
    return field


def model(rng):
    tables = []
    for name in unique_names(rng.randrange(1, 5), rng):
        fields = [field(column, rng) for column in unique_names(rng.randrange(1, 9), rng)]
        schema = {"fields": fields}
        key = rng.choice(["none", "identifier", "text", "composite"])
        taken = {item["name"] for item in fields}
        if key == "identifier":
            column = next(c for c in ["id", "no.", "row"] if c not in taken)
            fields.insert(0, {"name": column, "type": "integer"})
            schema["primaryKey"] = [column]
        elif key != "none":
            keys = [fields[0]["name"]] if key == "text" or len(fields) < 2 else [f["name"] for f in fields[:2]]
            for item in fields:
                if item["name"] in keys:
                    item.setdefault("constraints", {})["required"] = True
                    item.pop("strata:default", None)
            schema["primaryKey"] = keys
        table = {"name": name, "path": f"{len(tables)}.csv", "schema": schema}
        if rng.random() < 0.2:
            table["title"] = "Some \"rows\"\nof a table"
        if key == "identifier" and rng.random() < 0.2:
            table["strata:order"] = "file"
        tables.append(table)
    for number in range(rng.randrange(0, 5)):
        source, target = rng.choice(tables), rng.choice(tables)
        key = target["schema"].get("primaryKey")
        if not key:
            continue
        columns = [f"ref {number}.{index}" for index in range(len(key))]
        types = {item["name"]: item for item in target["schema"]["fields"]}
        for column, name in zip(columns, key):
            copied = {k: v for k, v in types[name].items() if k in ("type", "strata:type", "strata:scale")}
            if rng.random() < 0.3 and len(columns) == 1:
                copied["constraints"] = {"unique": True}
            source["schema"]["fields"].append({"name": column, **copied})
        foreign = {"fields": columns, "reference": {"resource": target["name"], "fields": key}}
        if rng.random() < 0.3:
            foreign["strata:inverse"] = None
        source["schema"].setdefault("foreignKeys", []).append(foreign)
    if rng.random() < 0.4:
        source, target = rng.choice(tables), rng.choice(tables)
        identified = [t for t in (source, target) if t["schema"].get("primaryKey") in (["id"], ["no."], ["row"])]
        if len(identified) == 2:
            source["strata:links"] = [{"name": "links", "resource": target["name"], "inverse": "linked"}]
    return {"resources": tables}


def main():
    directory, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for number in range(count):
        with open(f"{directory}/{number}.model.json", "w", encoding="utf-8") as file:
            json.dump(model(random.Random(seed * 1_000_003 + number)), file, ensure_ascii=False, indent=1)


main()
