import Testing

/// The amount of messages, which are not data and are written to standard error.
@Suite("Quiet and verbose modes")
struct TalkTests {
    private let folder = TemporaryFolder()

    init() throws {
        try folder.write("id,firstName,lastName\n1,Ada,Lace\n", to: "b.csv")
        #expect(try strata("import", "b.csv", "--entity", "boss", "--store", "s", "-q").errors.isEmpty)
    }

    private func strata(_ arguments: String...) throws -> Tool.Result { try Tool.reference.run(arguments, in: folder) }

    @Test("export reports the written file by default, standard output only with -v, and nothing with -q")
    func exports() throws {
        let base = ["export", "--entity", "boss", "--store", "s"]
        func errors(_ arguments: String...) throws -> String {
            let result = try Tool.reference.run(base + arguments, in: folder)
            result.expect(status: 0)
            return result.errors
        }
        #expect(try errors("-o", "x.csv") == "exported 1 Boss record to x.csv\n")
        #expect(try errors("-o", "x.csv", "-q").isEmpty)
        #expect(try errors().isEmpty)
        #expect(try errors("-v") == "exported 1 Boss record to standard output\n")
    }

    @Test("export --all lists its files with -v")
    func exportsAll() throws {
        let quiet = try strata("export", "--all", "--store", "s", "-o", "d", "--quiet")
        #expect(quiet.status == 0 && quiet.errors.isEmpty)
        let verbose = try strata("export", "--all", "--store", "s", "-o", "d2", "--verbose").errors
        #expect(verbose.contains("\nBoss.csv: 1 Boss record\n"), "\(verbose)")
        #expect(verbose.hasSuffix("\nexported 1 record of 4 entities to d2\n"), "\(verbose)")
    }

    @Test("generate reports its output file, and reports nothing with -q")
    func generates() throws {
        let made = try strata("generate", "--entity", "boss", "--count", "1", "--seed", "1", "-o", "g.csv")
        #expect(made.errors == "generated 1 Boss record to g.csv\n")
        #expect(
            try strata("generate", "--entity", "boss", "--count", "1", "--seed", "1", "-o", "g.csv", "-q").errors
                .isEmpty)
    }
}
