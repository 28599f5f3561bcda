import Foundation
import Testing

/// Real files with their own formats of dates and numbers, which options describe.
@Suite("Format options")
struct SpellingOptionTests {
    private let folder = TemporaryFolder()

    private func strata(_ arguments: String...) throws -> Tool.Result { try Tool.reference.run(arguments, in: folder) }

    private func employees(_ store: String = "s") throws -> String {
        try strata("export", "--entity", "employee", "--store", store, "--columns", "salary,dateHired", "--no-header")
            .output
    }

    @Test("options for date and number formats apply to all columns or to a named column")
    func realFiles() throws {
        try folder.write(
            "firstName,lastName,hired,salary\nJon,Stewart,1/11/99,\"2,192,098\"\nAda,L,12/31/68,12\n", to: "guests.csv")
        let result = try strata(
            "import", "guests.csv", "--entity", "employee", "--store", "s", "--map", "hired=dateHired", "--date-format",
            "hired=%m/%d/%y",
            "--group", ",")
        result.expect(status: 0)
        #expect(try employees() == "2192098,1999-01-11T00:00:00Z\n12,2068-12-31T00:00:00Z\n")
        try folder.write(
            "[{\"Title\":1776,\"last\":\"x\",\"day\":\"Jun 12 1998\",\"salary\":\"3.400\"}]", to: "movies.json")
        let base = [
            "import", "movies.json", "--entity", "employee", "--store", "t", "--map", "Title=firstName", "--map",
            "last=lastName",
            "--map", "day=dateHired", "--date-format", "%b %d %Y", "--group", ".",
        ]
        let refused = try Tool.reference.run(base, in: folder)
        refused.expect(status: 65)
        #expect(
            refused.errors
                == "movies.json:1: record 1, column Title: \"1776\": a number found, but a string is expected\n",
            "\(refused.errors)")
        try Tool.reference.run(base + ["--numbers-as-text"], in: folder).expect(status: 0)
        #expect(try employees("t") == "3400,1998-06-12T00:00:00Z\n")
    }

    @Test("a value that does not match the requested date or number format is reported with its location")
    func located() throws {
        try folder.write(
            "firstName;lastName;salary;dateHired\na;b;1.000,5;1.2.2003\nc;d;1.000;2003-02-01\n", to: "in.csv")
        let result = try strata(
            "validate", "in.csv", "--entity", "employee", "--decimal", ",", "--group", ".", "--date-format", "%d.%m.%Y")
        result.expect(status: 65)
        #expect(
            result.errors.hasPrefix(
                """
                in.csv:2: record 1, column salary: "1.000,5" is not a whole number
                in.csv:3: record 2, column dateHired: "2003-02-01" is not a date in the format "%d.%m.%Y"

                """), "\(result.errors)")
    }

    @Test(
        "a mistake in a format option is reported before a file is opened",
        arguments: [
            (
                ["--date-format", "%Q"],
                "option --date-format: \"%Q\" is not a valid date format: %Q is unknown; the "
                    + "letters are "
            ),
            (
                ["--date-format", "dateHired=%d.%m."],
                "option --date-format: \"%d.%m.\" is not a valid date format: the format has no year (%Y or %y)\n"
            ),
            (
                ["--date-format", "DD/MM/YYYY"],
                "option --date-format: \"DD/MM/YYYY\" is not a valid date format: the format has no part of a date; "
            ),
            (
                ["--date-format", "a=%F", "--date-format", "a=%D"],
                "option --date-format: the column \"a\" is given twice\n"
            ),
            (["--decimal", "ab"], "option --decimal: \"ab\" is not one character\n"),
            (["--group", "1"], "option --group: \"1\" cannot be a sign, because it can be part of numbers or words\n"),
            (["--group", ".", "--group", ","], "option --group is given twice for all columns\n"),
            (["--group", ".", "--decimal", "."], "--decimal and --group are the same character, .\n"),
            (
                ["--true", ""],
                "option --true: \"\" is not allowed; the word must have at least one character and no NUL character\n"
            ),
            (
                ["--max-record", "0"],
                "option --max-record: \"0\" is not a size (1 to 128M; write a whole number of bytes, optionally "
                    + "followed by K, M or G)\n"
            ),
            (["--max-record", "129M"], "option --max-record: \"129M\" is not a size (1 to 128M; "),
            (["--max-record", "M"], "option --max-record: \"M\" is not a size"),
            (["--max-record", "-1"], "option --max-record: \"-1\" is not a size"),
            (["--max-record", "9999999999999G"], "option --max-record: \"9999999999999G\" is not a size"),
            (
                ["--encoding", "utf-32"],
                "option --encoding: \"utf-32\" is not one of utf-8, utf-16, utf-16le, utf-16be, latin-1, windows-1252\n"
            ),
            (
                ["--date-format", "%H:%M"],
                "option --date-format: \"%H:%M\" is not a date format for any column: no dataset has times of day\n"
            ),
            (
                ["--date-format", "%F"],
                "option --date-format: \"%F\" is not a date format for any column: no dataset has dates or days\n"
            ),
            (
                ["--true", "ja"],
                "option --true: \"ja\" is not a word for true for any column: no dataset has truth values\n"
            ),
            (["--numbers-as-text"], "--numbers-as-text can be used only for JSON, not for CSV\n"),
        ])
    func mistakes(options: [String], message: String) throws {
        try folder.write("firstName,lastName\n", to: "in.csv")
        for command in [["import", "--store", "s"], ["validate"]] {
            let result = try Tool.reference.run(command + ["in.csv", "--entity", "boss"] + options, in: folder)
            result.expect(status: 64)
            #expect(result.errors.hasPrefix("strata: " + message), "\(result.errors)")
        }
        #expect(try folder.files == ["in.csv"])
    }

    @Test("a format option for one column applies only to the datasets that have the column")
    func severalFiles() throws {
        try folder.write("id,firstName,lastName,salary,dateHired\n1,a,b,\"1,000\",1.2.2003\n", to: "employees.csv")
        try folder.write("id,hex,dateCreated\n1,#fff,02/01/03\n", to: "colors.csv")
        let result = try strata(
            "import", "employees.csv", "colors.csv", "--store", "s", "--date-format", "dateHired=%d.%m.%Y",
            "--date-format",
            "dateCreated=%m/%d/%y", "--group", "salary=,")
        result.expect(status: 0)
        #expect(try employees() == "1000,2003-02-01T00:00:00Z\n")
        let misspelled = try strata("import", "employees.csv", "colors.csv", "--store", "t", "--group", "sallary=,")
        misspelled.expect(status: 65)
        #expect(
            misspelled.errors.contains("there is no column \"sallary\" for this option (did you mean \"salary\"?)"))
    }

    @Test("dates with too many digits are errors, or are rounded and counted with --round-dates")
    func rounding() throws {
        try folder.write(
            "hex,dateCreated\n#fff,2003-02-08T21:00:40.891775658+02:00\n#000,2003-02-08T21:00:40.891\n", to: "in.csv")
        let refused = try strata("import", "in.csv", "--entity", "color", "--store", "s")
        refused.expect(status: 65)
        #expect(
            refused.errors == """
                in.csv:2: record 1, column dateCreated: "2003-02-08T21:00:40.891775658+02:00": more fractional digits \
                than a date can store; round the date to 2003-02-08T19:00:40.89177566Z, or round all dates \
                (--round-dates)

                """)
        let rounded = try strata(
            "import", "in.csv", "--entity", "color", "--store", "s", "--round-dates", "--report", "r")
        #expect(
            rounded.status == 0
                && rounded.errors.hasSuffix("imported 2 Color records (1 date rounded) from in.csv into s\n"))
        #expect(
            rounded.errors.hasPrefix("in.csv: column dateCreated: 2 cells will be exported differently, first \"2003"))
        #expect(try folder.text("r").split(separator: "\"roundedDates\":1,").count == 3)
        let dates = try strata("export", "--entity", "color", "--store", "s", "--columns", "dateCreated", "--no-header")
            .output
        #expect(dates == "2003-02-08T19:00:40.89177566Z\n2003-02-08T21:00:40.891Z\n")
        // Rejects have the spelling of the input.
        try folder.write("dateCreated=\n", to: "x")
        let again = try strata("export", "--entity", "color", "--store", "s", "--output", "out.csv")
        again.expect(status: 0)
        try strata("import", "out.csv", "--entity", "color", "--store", "t").expect(status: 0)
        #expect(try strata("export", "--entity", "color", "--store", "t").output == (try folder.text("out.csv")))
    }

    @Test("an unclosed quote affects no other record with --lenient")
    func lenient() throws {
        try folder.write("hex,name\n#fff,\"abc\n#000,d\n", to: "in.csv")
        let result = try strata("import", "in.csv", "--entity", "color", "--store", "s", "--lenient")
        result.expect(status: 0)
        #expect(
            result.errors == """
                in.csv: repaired: quote that is never closed, taken as a character (line 2)
                imported 2 Color records from in.csv into s

                """)
        let names = try strata("export", "--entity", "color", "--store", "s", "--columns", "name", "--no-header").output
        #expect(names == "\"\"\"abc\"\nd\n")
    }

    @Test("files with the encodings and separators of Windows and spreadsheets can be read and written")
    func windows() throws {
        let text = "sep=;\r\nhex;name\r\n#fff;Weiß\r\n"
        let encodings: [(name: String, encoding: String.Encoding)] = [
            ("le", .utf16LittleEndian), ("be", .utf16BigEndian),
        ]
        for (name, order) in encodings {
            let bytes = try #require(text.data(using: order))
            try bytes.write(to: URL(fileURLWithPath: folder.path("in.csv")))
            for encoding in [[], ["--encoding", "utf-16\(name)"], ["--encoding", "utf-16"]] {
                let result = try Tool.reference.run(
                    [
                        "import", "in.csv", "--entity", "color", "--store",
                        "s\(name)\(encoding.count)\(encoding.last ?? "")",
                    ] + encoding, in: folder)
                result.expect(status: 0)
                #expect(
                    result.errors.contains("recognized UTF-16\(name.uppercased())")
                        == (encoding.last != "utf-16\(name)"), "\(result.errors)")
            }
        }
        let names = try strata("export", "--entity", "color", "--store", "sle0", "--columns", "name", "--no-header")
        #expect(names.output == "Weiß\n")
    }

    @Test("invalid elements of a JSON array are rejected, or the error reports the position at which reading stopped")
    func elements() throws {
        try folder.write(
            "[\n{\"hex\":\"#fff\"},\n{\"hex\":#000},\n{\"hex\":\"#111},\n{\"hex\":\"#222\"}\n]\n", to: "in.json")
        let result = try strata("import", "in.json", "--entity", "color", "--store", "s", "--rejects", "bad.json")
        result.expect(status: 65)
        #expect(
            try folder.text("bad.json") == """
                #strata-rejects of in.json
                #strata-reject: line 3, record 2: expected a value, found "#"
                {"hex":#000}
                #strata-reject: line 4, record 3: control character 10 in a string; write it with an escape
                {"hex":"#111}

                """)
        #expect(result.errors.contains("imported 2 Color records (2 rejected) from in.json into s\n"))
        // The corrected records are imported.
        try folder.write(
            try folder.text("bad.json").replacing(":#000", with: ":\"#000\"").replacing("#111}", with: "#111\"}"),
            to: "bad.json")
        try strata("import", "bad.json", "--entity", "color", "--store", "s").expect(status: 0)
        try folder.write("[{\"hex\":\"#fff\"},\n{\"hex\":\"#000},{\"hex\":\"#111\"}]", to: "in.json")
        let lost = try strata("import", "in.json", "--entity", "color", "--store", "t", "--on-error", "reject")
        lost.expect(status: 65)
        #expect(
            lost.errors == """
                in.json:2: record 2: expected a comma or }, found "h"; the beginning of the next record is unknown, so that nothing was read \
                from line 2 on

                """, "\(lost.errors)")
    }
}
