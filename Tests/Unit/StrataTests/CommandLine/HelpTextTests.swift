import Testing

@testable import strata

@Suite("Help text")
struct HelpTextTests {
    private let help = HelpText(program: SampleProgram.program)

    @Test("the program's help lists its commands")
    func program() {
        let expected = """
            Moves datasets.

            Usage: strata COMMAND [ARGUMENTS] [OPTIONS]

            Commands:
              import  Read a file into a store.
              info    Show what a store holds.

            Options:
              -h, --help     Show this help.
              -V, --version  Show the version.

            Run 'strata help COMMAND' for the options of a command and examples.

            """
        #expect(help.text(for: nil) == expected)
    }

    @Test("the help of a command lists usage, arguments, options and examples")
    func command() {
        let expected = """
            Read a file into a store.

            Usage: strata import FILE --entity NAME --store FILE [--count N]
                          [--map COLUMN=NAME]... [--ignore-unknown-columns]

            Arguments:
              FILE  The file to read; - is standard input.

            Options:
              --entity NAME             The entity of the rows. Required.
              --store FILE              The store to write to. Required.
              --count N                 How many.
              --map COLUMN=NAME         Rename a column. Repeatable.
              --ignore-unknown-columns  Skip the columns that match no attribute, and report
                                        them.
              -h, --help                Show this help.

            Examples:
              strata import a.csv --entity Color --store a.sqlite

            """
        #expect(help.text(for: SampleProgram.importing) == expected)
    }

    @Test("the help omits empty sections and encloses optional arguments in brackets")
    func short() {
        let expected = """
            Show what a store holds.

            Usage: strata info [STORE]

            Arguments:
              STORE  The store.

            Options:
              -h, --help  Show this help.

            """
        #expect(help.text(for: SampleProgram.info) == expected)
    }

    @Test("the help prints the description of an entry that is too long for the left column on the next line")
    func longEntry() {
        let rows = TextColumns.rows([
            ("--a", "Short."), ("--a-very-long-option-name PLACEHOLDER", "Long."),
        ])
        #expect(rows == "  --a  Short.\n  --a-very-long-option-name PLACEHOLDER\n       Long.")
    }

    @Test("every option and argument has at most two lines of help, and no details", arguments: Strata.program.commands)
    func twoLines(command: CommandSpecification) throws {
        let text = HelpText(program: Strata.program).text(for: command)
        let entries =
            command.positionals.map { (left: $0.placeholder, help: $0.help, note: "", details: $0.details) }
            + command.options.map { option in
                let left = option.forms.joined(separator: ", ") + (option.placeholder.map { " \($0)" } ?? "")
                return (left, option.help, option.note, option.details)
            }
        for (left, help, note, details) in entries {
            let lines = try Self.description(of: left, in: text)
            #expect(lines.count <= 2 && lines.allSatisfy { $0.count <= 80 }, "\(command.name): \(lines)")
            #expect(lines.map { $0.drop { $0 == " " } }.joined(separator: " ") == help + note)
            #expect(help.hasSuffix(".") && (details.isEmpty || details.hasSuffix(".")), "\(command.name): \(left)")
        }
    }

    /// Returns the lines of an entry's description, the first without the entry.
    private static func description(of left: String, in text: String) throws -> [Substring] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == "  \(left)" || $0.hasPrefix("  \(left)  ") }, "\(left)")
        let first = lines[start].dropFirst(left.count + 2)
        return (first.isEmpty ? [] : [first]) + lines[(start + 1)...].prefix { $0.hasPrefix("    ") }
    }

    @Test("every command's summary is one sentence of at most 80 columns", arguments: Strata.program.commands)
    func summary(command: CommandSpecification) {
        #expect(command.summary.count <= 80 && command.summary.hasSuffix("."), "\(command.summary)")
        #expect(!command.summary.contains(". "), "\(command.summary)")
    }

    @Test("no line of the help exceeds 80 columns unless the line contains a long word")
    func width() {
        let words = (0..<60).map { String(repeating: "w", count: 1 + $0 % 13) }
        let lines = TextColumns.wrapped(words, indentation: 24).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(String(repeating: " ", count: 24) + "w") })
        let long = String(repeating: "l", count: 90)
        #expect(TextColumns.wrapped(["a", long, "b"], indentation: 2) == "a\n  \(long)\n  b")
    }
}
