import Testing

@Suite("Dialect options")
struct DialectOptionTests {
    private let folder = TemporaryFolder()

    private func boss(_ text: String, _ options: String...) throws -> Tool.Result {
        try folder.write(text, to: "in.csv")
        let imported = try Tool.reference.run(
            ["import", "in.csv", "--entity", "boss", "--store", "s"] + options, in: folder)
        guard imported.status == 0 else { return imported }
        return try Tool.reference.run(["export", "--entity", "boss", "--store", "s", "--no-header"], in: folder)
    }

    @Test("--escape applies an escape character")
    func escape() throws {
        #expect(
            try boss("id,firstName,lastName\n1,a\\,b,\"x\\\"y\"\n", "--escape", "\\").output == "1,\"a,b\",\"x\"\"y\"\n"
        )
    }

    @Test("--header-rows joins several header rows")
    func headerRows() throws {
        let text = "id,first,last\n,Name,Name\n1,a,b\n"
        #expect(try boss(text, "--header-rows", "1,2", "--header-join", "").output == "1,a,b\n")
    }

    @Test("--comment-rows omits rows by their numbers")
    func commentRows() throws {
        #expect(try boss("x\nid,firstName,lastName\n-,-,-\n1,a,b\n", "--comment-rows", "1,3").output == "1,a,b\n")
    }

    @Test("--skip-initial-space skips spaces after separators")
    func initialSpace() throws {
        #expect(
            try boss("id, firstName, lastName\n1, \"a,b\", c \n", "--skip-initial-space").output == "1,\"a,b\",\"c \"\n"
        )
    }

    @Test(
        "a contradictory or invalid dialect option is rejected",
        arguments: [
            (["--escape", "ab"], "option --escape: \"ab\" is not one ASCII character"),
            (["--escape", "\""], "the quote and the escape character are the same; use doubled quotes instead"),
            (
                ["--escape", "\\", "--lenient"],
                "files with escape characters or quotes that are not doubled cannot be repaired"
            ),
            (
                ["--header-rows", "2,1"],
                "option --header-rows: \"2,1\" is not a list of row numbers such as 1,2: ascending numbers from 1 to "
                    + "1000000"
            ),
            (
                ["--comment-rows", "x"],
                "option --comment-rows: \"x\" is not a list of row numbers such as 1,2: ascending numbers from 1 to "
                    + "1000000"
            ),
            (["--header-join", "_"], "--header-join requires several --header-rows, as in 1,2"),
            (
                ["--header-rows", "1,2", "--skip-lines", "1"],
                "--header-rows counts rows from the beginning of the file and cannot be combined with --skip-lines"
            ),
            (
                ["--header-rows", "2", "--no-header", "--columns", "id,firstName,lastName"],
                "--no-header and --header-rows cannot be combined"
            ),
            (
                ["--header-rows", "2", "--comment-rows", "2"],
                "row 2 is both a header row and a comment row"
            ),
        ])
    func refused(options: [String], message: String) throws {
        try folder.write("id,firstName,lastName\n1,a,b\n", to: "in.csv")
        let result = try Tool.reference.run(
            ["import", "in.csv", "--entity", "boss", "--store", "s"] + options, in: folder)
        #expect(result.status == 64 && result.errors.contains(message), "\(result.errors)")
    }

    @Test("dialect options are rejected for other formats than CSV")
    func documents() throws {
        try folder.write("[]", to: "in.json")
        let result = try Tool.reference.run(
            ["import", "in.json", "--entity", "boss", "--store", "s", "--escape", "\\"], in: folder)
        #expect(
            result.status == 64 && result.errors.contains("--escape can be used only for CSV and TSV, not for JSON"))
    }
}
