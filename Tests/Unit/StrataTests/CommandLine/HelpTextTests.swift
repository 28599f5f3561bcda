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
              --map COLUMN=NAME         Rename a column. May be given more than once.
              --ignore-unknown-columns  Drop the columns that match no attribute, and say
                                        which they are.
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
