import Foundation
import Testing

/// A file, the options of its import and the tool's message.
struct BadInput: Sendable, CustomTestStringConvertible {
    var name: String
    var content: String
    var entity: String
    var options: [String] = []
    var message: String

    var testDescription: String { message }
}

@Suite("Messages about bad data")
struct MessageTests {
    private static let colorColumns =
        "\nColor has id, hex, name, dateCreated; rename a column with --map COLUMN=ATTRIBUTE"

    static let located: [BadInput] = [
        BadInput(
            name: "colors.csv", content: "hex,name\n#fff,a\n#12,b\n", entity: "Color",
            message: "colors.csv:3: record 2, column hex: \"#12\" is not a color; use #RGB or #RRGGBB"),
        BadInput(
            name: "e.csv", content: "first_name,last_name,salary\r\n\"a\r\nb\",c,1\r\nx,y,abc\r\n", entity: "Employee",
            message: "e.csv:4: record 2, column salary: \"abc\" is not a whole number"),
        BadInput(
            name: "e.csv", content: "first_name,last_name,salary\n\u{E9},c,-3\n", entity: "Employee",
            message: "e.csv:2: record 1, column salary: -3 is less than 0"),
        BadInput(
            name: "e.csv", content: "first_name,last_name,salary\nx,,3\n", entity: "Employee",
            message: "e.csv:2: record 1, column last_name: null is not allowed, lastName is mandatory"),
        BadInput(
            name: "e.csv", content: "firstName,lastName,salary,dateHired\nx,y,3,2020-13-45\n", entity: "Employee",
            message: "e.csv:2: record 1, column dateHired: \"2020-13-45\": month 13 is not in 1...12"),
        BadInput(
            name: "e.csv", content: "firstName,lastName,salary,boss_id\nx,y,3,\nx,y,3,9\n", entity: "Employee",
            message: "e.csv:3: record 2, column boss_id: there is no Boss 9, neither in the store nor in this import"),
        BadInput(
            name: "e.csv", content: "firstName,lastName,salary\nx,y,99999999999999999999\n", entity: "Employee",
            message: "e.csv:2: record 1, column salary: \"99999999999999999999\" is out of range "
                + "(-9223372036854775808 to 9223372036854775807)"),
        BadInput(
            name: "i.csv", content: "name,unitCost,unitPrice\nx,0.125,1\n", entity: "Item",
            message:
                "i.csv:2: record 1, column unitCost: \"0.125\" is a decimal with more than 2 digits after the point"),
        BadInput(
            name: "b.csv", content: "id,firstName,lastName\n7,a,b\n7,c,d\n", entity: "Boss",
            message: "b.csv:3: record 2, column id: the identifier 7 already belongs to another object; use "
                + "--on-conflict ignore, update or replace to import such records"),
        BadInput(
            name: "b.csv", content: "id,firstName,lastName\n,a,b\n", entity: "Boss",
            message:
                "b.csv:2: record 1, column id: null is not allowed: each record must have an id if the file has a "
                + "column of ids; omit the column to number the records automatically"),
        BadInput(
            name: "b.ndjson", content: "{\"firstName\":\"a\"\n{\"id\":3}\n", entity: "Boss",
            message: "b.ndjson:2: record 1: expected a comma or }, found \"{\"; the record begins in line 1"),
        BadInput(
            name: "b.csv", content: "id,firstName,lastName\n0,a,b\n", entity: "Boss",
            message: "b.csv:2: record 1, column id: \"0\" is not an identifier (1 to 9007199254740991)"),
        BadInput(
            name: "b.csv", content: "firstName,lastName\na\n", entity: "Boss",
            message: "b.csv:2: record 1: 1 field, but the header has 2"),
        BadInput(
            name: "c.csv", content: "hexx,name,Name\n#fff,a,b\n", entity: "Color",
            message:
                "c.csv:1: unknown column \"hexx\" (did you mean \"hex\"?); 2 columns for name: \"name\", \"Name\"; "
                + "missing column \"hex\", which is mandatory" + colorColumns
                + ", leave one out with --map COLUMN=-, drop unknown ones with --ignore-unknown-columns"),
        BadInput(
            name: "c.csv", content: "hex\n#fff\n", entity: "Color", options: ["--map", "colour=name"],
            message: "c.csv:1: there is no column \"colour\" to be renamed" + colorColumns),
        BadInput(
            name: "e.csv", content: "firstName,lastName,salary\nx,y,\u{1B}[2J\u{7F}\u{9B}\n", entity: "Employee",
            message: "e.csv:2: record 1, column salary: \"\\u{1B}[2J\\u{7F}\\u{9B}\" is not a whole number"),
        BadInput(
            name: "c.csv", content: "", entity: "Color",
            message: "c.csv: the file is empty; its first line must name the columns"),
        BadInput(
            name: "c.json", content: ##"[{"hex":"#123"},{"hex":5}]"##, entity: "Color",
            message: #"c.json:1: record 2, column hex: "5": a number found, but a string is expected"#),
        BadInput(
            name: "c.json", content: #"{"colors":[]}"#, entity: "Color",
            message: "c.json: the document is an object, not an array; name the key of the array with --root: colors"),
        BadInput(
            name: "e.json", content: "[\n{\"firstName\":\"a\",\"lastName\":\"b\",\"salary\":1.5}]", entity: "Employee",
            message: "e.json:2: record 1, column salary: \"1.5\" is not a whole number"),
        BadInput(
            name: "e.json", content: "[\n{\"firstName\":\"a\",\"lastName\":null,\"salary\":1}]", entity: "Employee",
            message: "e.json:2: record 1, column lastName: null is not allowed, lastName is mandatory"),
    ]

    @Test(
        "a message about bad data names file, line, record, column, text and rule, and nothing is stored",
        arguments: located)
    func badInput(_ input: BadInput) throws {
        let folder = TemporaryFolder()
        try folder.write(input.content, to: input.name)
        let arguments = ["import", input.name, "--entity", input.entity, "--store", "app.sqlite"] + input.options
        let result = try Tool.reference.run(arguments, in: folder)
        #expect(result.errors == input.message + "\n")
        result.expect(status: 65)
        #expect(result.output == "")
        #expect(try folder.files == [input.name])
    }

    @Test("a failed import leaves an existing store unchanged")
    func leavesStore() throws {
        let folder = TemporaryFolder()
        try folder.write("hex\n#fff\n", to: "good.csv")
        try folder.write("hex\n#000\n#12\n", to: "bad.csv")
        let options = ["--entity", "Color", "--store", "app.sqlite"]
        try Tool.reference.run(["import", "good.csv"] + options, in: folder).expect(status: 0)
        let before = try Tool.reference.run(["export"] + options, in: folder).output
        try Tool.reference.run(["import", "bad.csv"] + options, in: folder).expect(status: 65)
        #expect(try Tool.reference.run(["export"] + options, in: folder).output == before)
        #expect(before.hasPrefix("id,hex,name,dateCreated\n1,#FFFFFF,,"))
    }

    @Test("usage errors show the correct command line", arguments: UsageCase.all)
    func usage(_ usage: UsageCase) throws {
        let result = try Tool.reference.run(usage.arguments, in: TemporaryFolder())
        #expect(result.errors == usage.message + "\n")
        result.expect(status: 64)
    }
}

/// A wrong command line with the tool's message.
struct UsageCase: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var message: String

    var testDescription: String { arguments.joined(separator: " ") }

    static let all: [UsageCase] = [
        UsageCase(
            arguments: ["imprt"],
            message: "strata: unknown command \"imprt\"; did you mean import?\nRun 'strata --help' for usage."),
        UsageCase(
            arguments: ["import", "a.csv", "--entity", "Employe", "--store", "x"],
            message: "strata: there is no entity \"Employe\"; did you mean Employee? "
                + "The entities are Color, Boss, Employee, Item.\nRun 'strata help import' for usage."),
        UsageCase(
            arguments: ["import", "-", "--entity", "Boss", "--store", "x"],
            message:
                "strata: standard input has no name, so the format is not known; use --format csv, tsv, json or "
                + "ndjson\n"
                + "Run 'strata help import' for usage."),
        UsageCase(
            arguments: ["export", "--output", "a.txt", "--entity", "Boss", "--store", "x"],
            message: "strata: the name \"a.txt\" does not end with .csv, .tsv, .json or .ndjson, "
                + "so the format is not known; use --format csv, tsv, json or ndjson\nRun 'strata help export' for "
                + "usage."),
        UsageCase(
            arguments: ["generate", "--output", "a.xlsx.gz", "--entity", "Boss", "--count", "1"],
            message: "strata: the name \"a.xlsx.gz\" does not end with .csv, .tsv, .json or .ndjson, "
                + "so the format is not known; use --format csv, tsv, json or ndjson\nRun 'strata help generate' for "
                + "usage."),
        UsageCase(
            arguments: ["info", "s.sqlite"],
            message:
                "strata: unexpected argument \"s.sqlite\"; did you mean --store s.sqlite?\nRun 'strata help info' for "
                + "usage."
        ),
        UsageCase(
            arguments: ["generate", "--entity", "Boss", "--count", "-1", "--seed", "1"],
            message: "strata: option --count: \"-1\" is not NAME=N with a whole number from 0 to 1000000000\n"
                + "Run 'strata help generate' for usage."),
        UsageCase(
            arguments: ["import", "a.csv", "--entity", "Boss", "--store", "x", "--map", "a"],
            message:
                "strata: option --map: \"a\" is not COLUMN=ATTRIBUTE, or COLUMN=- to leave it out\nRun 'strata help import' for usage."
        ),
        UsageCase(
            arguments: ["import", "a.csv", "--entity", "Color", "--store", "x", "--map", "color=nme"],
            message: "strata: option --map: Color has no attribute \"nme\" (did you mean \"name\"?)\n"
                + "Run 'strata help import' for usage."),
        UsageCase(
            arguments: ["import", "a.csv", "--entity", "Color", "--store", ""],
            message: "strata: option --store is empty; name a file\nRun 'strata help import' for usage."),
        UsageCase(arguments: ["info", "--store", "postgresql://host/database"], message: noServer),
        UsageCase(arguments: ["copy", "--store", "s.sqlite", "--to", "postgres://host/"], message: noServer),
        UsageCase(arguments: ["import", "a.csv", "--store", "postgresql:///?schema=a"], message: noServer),
        UsageCase(arguments: ["model", "show", "postgresql://host/database"], message: noServer),
    ]

    /// The message of the tests' program, which is built without the trait for PostgreSQL.
    private static let noServer =
        "strata: this strata was built without support for PostgreSQL; build strata with make release "
        + "TRAITS=PostgreSQL\n"
        + "Run 'strata --help' for usage."
}
