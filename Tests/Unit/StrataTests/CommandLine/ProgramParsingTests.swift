import Testing

@testable import strata

@Suite("Program calls")
struct ProgramParsingTests {
    @Test(
        "every common way to request help is accepted despite other mistakes in the command line",
        arguments: [
            (["--help"], nil), (["-h"], nil), (["help"], nil), (["nonsense", "-h"], nil),
            (["help", "import"], "import"), (["import", "--help"], "import"), (["--help", "info"], "info"),
            (["import", "--store", "--help"], "import"), (["import", "--zzz", "-h"], "import"),
        ] as [([String], String?)]
    )
    func help(words: [String], command: String?) throws {
        let expected = Invocation.help(command.flatMap { SampleProgram.program.command(named: $0) })
        #expect(try SampleProgram.program.parse(words) == expected)
    }

    @Test("--version requests the version")
    func version() throws {
        #expect(try SampleProgram.program.parse(["--version"]) == .version)
    }

    @Test(
        "a wrong command line is rejected with the mistake and advice",
        arguments: [
            ([], "missing command"),
            (["improt", "f"], "unknown command \"improt\"; did you mean import?"),
            (["halp"], "unknown command \"halp\"; did you mean help?"),
            (["xyzzy"], "unknown command \"xyzzy\""),
            (["-"], "unknown command \"-\""),
            (["--verison"], "unknown option --verison; did you mean --version?"),
            (["--store=s", "import"], "option --store is before the command; write it after the command"),
            (["--version", "x"], "unexpected argument \"x\" after --version"),
            (["help", "improt"], "unknown command \"improt\"; did you mean import?"),
            (["help", "info", "import"], "unexpected argument \"import\" after help info"),
        ]
    )
    func wrong(words: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try SampleProgram.program.parse(words) }
        #expect(error?.description == "\(message)\nRun 'strata --help' for usage.")
    }

    @Test("wrong usage exits 64")
    func exitCode() {
        #expect(UsageError.exitCode == 64)
    }
}
