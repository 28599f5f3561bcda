import Foundation
import Testing

/// Options that do not fit a directory or several files, which are reported instead of ignored.
@Suite("Options for several datasets")
struct DirectoryOptionTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.reference.run(line.split(separator: " ").map(String.init), in: folder)
    }

    private func prepare() throws {
        try folder.write("id,firstName,lastName\n1,Ada,Ito\n2,Bo,Ito\n", to: "bosses.csv")
        try folder.write("{\"id\":1,\"hex\":\"#000000\"}\n", to: "colors.ndjson")
        try strata("import bosses.csv --store s").expect(status: 0)
        try strata("export --all --store s --output dump").expect(status: 0)
    }

    @Test("an import of a file whose record count differs from the manifest fails", arguments: ["", "3,Cy,Ito\n"])
    func records(end: String) throws {
        try prepare()
        try folder.write(
            "id,firstName,lastName\n1,Ada,Ito\n2,Bo,Ito\n".dropLast(end.isEmpty ? 9 : 0) + end, to: "dump/Boss.csv")
        let count = end.isEmpty ? "1 record" : "3 records"
        let result = try strata("import dump --store t")
        result.expect(status: 65)
        #expect(
            result.errors
                == "dump/Boss.csv: the file differs from the manifest: the file has \(count) instead of 2; the file "
                + "was edited, or an export was interrupted; use --ignore-digests to import files that were edited on "
                + "purpose\n")
        try strata("validate dump").expect(status: 65)
        #expect(try !folder.files.contains("t"))
        try strata("import dump/Boss.csv --store t").expect(status: 0)
    }

    @Test(
        "an option that does not fit the imported datasets or another option is rejected",
        arguments: [
            (
                "bosses.csv dump/Boss.csv --root x",
                "--root can be used only for JSON, but none of the datasets has this "
                    + "format"
            ),
            (
                "bosses.csv colors.ndjson --root x",
                "--root can be used only for JSON documents, but none of the "
                    + "datasets has this format"
            ),
            ("dump --key-as id", "--key-as can be used only for JSON, but none of the datasets has this format"),
            (
                "colors.ndjson colors.ndjson --trim",
                "--trim can be used only for CSV and TSV, but none of the datasets "
                    + "has this format"
            ),
            (
                "dump --format json",
                "--format can be used only for single datasets; dump determines the format of its "
                    + "files"
            ),
            ("bosses.csv --delimiter ; --quote ;", "--delimiter and --quote must be different characters"),
            ("colors.ndjson --key-as hex --value-as hex", "--key-as and --value-as name the same attribute, hex"),
            (
                "dump --delimiter ;",
                "--delimiter can be used only for single datasets; dump determines the format of "
                    + "its files"
            ),
        ])
    func options(arguments: String, message: String) throws {
        try prepare()
        let result = try strata("validate \(arguments)")
        result.expect(status: 64)
        #expect(result.errors.hasPrefix("strata: \(message)\n"), "\(result.errors)")
    }
}

@Suite("Reports of failed imports")
struct FailedReportTests {
    private let folder = TemporaryFolder()

    @Test(
        "a report contains the error that aborted the import, even if the error has no line",
        arguments: [
            ("[{\"hex\":\"#fff\"}", "colors.json", ""), ("{}", "colors.json", " --on-error reject"),
            ("id,hexx\n", "colors.csv", " --on-error reject"), ("", "colors.csv", ""),
            ("\u{1F}\u{8B}", "colors.csv", " --on-error reject"),
        ])
    func fatal(text: String, name: String, options: String) throws {
        try folder.write(text, to: name)
        let line = "import \(name) --store s --report r --quiet --model reference" + options
        let result = try Tool.reference.run(line.split(separator: " ").map(String.init), in: folder)
        result.expect(status: 65)
        let report = try folder.text("r")
        #expect(report.contains("\"outcome\":\"failed\""))
        #expect(report.components(separatedBy: "\"message\":").count == 2, "\(report)")
    }
}
