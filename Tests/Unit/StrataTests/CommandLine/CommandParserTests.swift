import Testing

@testable import strata

@Suite("Command line")
struct CommandParserTests {
    private static let required = ["--entity", "Color", "--store", "s"]

    @Test(
        "options are accepted anywhere, with the value attached or in the next argument",
        arguments: [
            ["import", "a.csv", "--entity", "Color", "--store", "s"],
            ["import", "--store=s", "a.csv", "--entity=Color"],
            ["import", "--entity", "Color", "--store", "s", "--", "a.csv"],
        ]
    )
    func order(words: [String]) throws {
        let arguments = try #require(try SampleProgram.arguments(words))
        #expect(arguments.command.name == "import")
        #expect(arguments.positionals == ["a.csv"])
        #expect(arguments.value("entity") == "Color")
        #expect(try arguments.required("store") == "s")
        #expect(arguments.value("count") == nil)
        #expect(!arguments.has("ignore-unknown-columns"))
    }

    @Test(
        "option values may contain dashes and equals signs, or be empty",
        arguments: [
            (["--map", "a=b"], ["a=b"]), (["--map=a=b"], ["a=b"]), (["--map="], [""]), (["--map", ""], [""]),
            (["--map", "-"], ["-"]), (["--map", "-3"], ["-3"]), (["--map=--x"], ["--x"]),
            (["--map", "b", "--map=a", "--map", "b"], ["b", "a", "b"]),
        ]
    )
    func values(words: [String], expected: [String]) throws {
        let arguments = try #require(try SampleProgram.arguments(["import", "f"] + Self.required + words))
        #expect(arguments.allValues("map") == expected)
    }

    @Test("a single dash and every word after -- are positional arguments", arguments: ["-", "--help", "-x", "--"])
    func positional(word: String) throws {
        let ended = try SampleProgram.arguments(["import"] + Self.required + ["--", word])
        #expect(ended?.positionals == [word])
        #expect(try SampleProgram.arguments(["import", "-"] + Self.required)?.positional(0) == "-")
    }

    @Test("a flag may be repeated")
    func flag() throws {
        let flag = "--ignore-unknown-columns"
        let arguments = try SampleProgram.arguments(["import", flag, "f", flag] + Self.required)
        #expect(arguments?.has("ignore-unknown-columns") == true)
        #expect(arguments?.positionals == ["f"])
    }

    /// The command lines with a mistake and their messages; the explicit type shortens type checking.
    private static let mistakes: [([String], String)] = [
        (["f"] + required + ["--entiy", "x"], "unknown option --entiy; did you mean --entity?"),
        (["f"] + required + ["--zzz=1"], "unknown option --zzz"),
        (["f"] + required + ["-store"], "unknown option -store; did you mean --store?"),
        (["f", "--store", "s", "--entity"], "missing value: --entity NAME"),
        (
            ["f", "--entity", "--store", "s"],
            "missing value: --entity NAME; write a value that begins with a dash as --entity=--store"
        ),
        (["f", "--store", "s", "--entity", "--"], "missing value: --entity NAME"),
        (["f"] + required + ["--store=t"], "option --store is given twice, but accepts only one value"),
        (
            ["f"] + required + ["--ignore-unknown-columns=no"],
            "option --ignore-unknown-columns does not accept a value"
        ),
        (["f"], "missing options --entity NAME, --store FILE"),
        (["f", "--store", "s"], "missing option --entity NAME"),
        (required, "missing argument FILE"),
        (["f", "g"] + required, "unexpected argument \"g\""),
    ]

    @Test(
        "a usage error names the wrong argument and suggests the right one",
        arguments: mistakes
    )
    func wrong(words: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try SampleProgram.program.parse(["import"] + words) }
        #expect(error?.description == "\(message)\nRun 'strata help import' for usage.")
    }

    @Test("an optional argument may be omitted")
    func optional() throws {
        #expect(try SampleProgram.arguments(["info"])?.positional(0) == nil)
        #expect(try SampleProgram.arguments(["info", "s"])?.positional(0) == "s")
    }

    @Test("a whole number within the range is accepted", arguments: [("1", 1), ("-5", -5), ("10", 10), ("+7", 7)])
    func integer(text: String, expected: Int) throws {
        let arguments = try #require(try SampleProgram.arguments(["import", "f"] + Self.required + ["--count", text]))
        #expect(try arguments.integer("count", in: -5...10) == expected)
    }

    @Test(
        "a value that is not a whole number within the range is rejected",
        arguments: ["", "x", "1.5", "11", "-6", "99999999999999999999", "1 "])
    func badInteger(text: String) throws {
        let arguments = try #require(try SampleProgram.arguments(["import", "f", "--count=\(text)"] + Self.required))
        let error = #expect(throws: UsageError.self) { try arguments.integer("count", in: -5...10) }
        #expect(error?.message == "option --count: \"\(text)\" is not a whole number from -5 to 10")
        #expect(error?.helpCall == "strata help import")
    }

    @Test("a choice is matched regardless of case, and the error for an unknown choice suggests a similar choice")
    func choice() throws {
        let arguments = try #require(try SampleProgram.arguments(["import", "f", "--count=CSV"] + Self.required))
        #expect(try arguments.choice("count", among: ["csv", "json"]) == "csv")
        #expect(try arguments.choice("map", among: ["csv"]) == nil)
        let error = #expect(throws: UsageError.self) { try arguments.choice("count", among: ["tsv", "json"]) }
        #expect(error?.message == "option --count: \"CSV\" is not one of tsv, json; did you mean tsv?")
    }
}
