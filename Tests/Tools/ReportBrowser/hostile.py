"""Writes datasets that may break a page: markup, quotes, text directions, control characters, long texts, extremes.

Usage: hostile.py FOLDER
"""

import json
import sys
from pathlib import Path

TEXTS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</title></style></svg></table><h1>out",
    "\"'><svg onload=alert(1)>",
    "&lt;b&gt; &amp; &#39; ]]> <!-- -->",
    "javascript:alert(1)",
    "url(http://example.com/x.png)",
    "\u202eright to left\u202d and no way back",
    "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd (1)",
    "\u0627\u0644\u0633\u0644\u0627\u0645 123",
    "tab\there, bell\u0007, escape\u001b[31m, delete\u007f, \u0085",
    "W" * 5000,
    "many words " * 500,
    "e" + "\u0301" * 3000,
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\ufffe\uffff noncharacters",
    "   ",
    "",
]


def people(with_boss):
    rows = []
    for number, text in enumerate(TEXTS, start=1):
        row = {"id": number, "firstName": text, "lastName": TEXTS[-number]}
        if with_boss:
            row["salary"] = [0, 2**53, 9223372036854775807][number % 3]
            row["dateHired"] = ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "+900000-02-29T00:00:00Z"][number % 3]
            row["boss"] = None if number % 5 == 0 else number % 4 + 1
        rows.append(row)
    return rows


def colors():
    codes = ["#000000", "#FFFFFF", "#FFFEFB", "#16181B", "#FF0000", "#808080", "#00ff00", "#0000FF", "#123456"]
    return [
        {"id": number, "hex": codes[number % len(codes)], "name": None if number % 7 == 0 else text,
         "dateCreated": "2024-02-29T12:00:00Z"}
        for number, text in enumerate(TEXTS, start=1)
    ]


def items():
    return [
        {"id": number, "itemId": f"00000000-0000-0000-0000-{number:012}", "name": text,
         "dateCreated": f"2024-01-{number:02}T00:00:00Z", "unitCost": "0.00", "unitPrice": "92233720368547758.07",
         "stockCount": number % 2}
        for number, text in enumerate(TEXTS, start=1)
    ]


def main():
    folder = Path(sys.argv[1])
    datasets = {"Color": colors(), "Boss": people(False), "Employee": people(True), "Item": items()}
    for entity, rows in datasets.items():
        (folder / f"hostile-{entity}.json").write_text(json.dumps(rows), encoding="utf-8")


main()
