import Foundation
import StrataTestSupport
import Testing

/// Tests that rejected records keep their form: line ends, compression, counts.
@Suite("Form of rejects and reports")
struct RejectsFormTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.reference.run(line.split(separator: " ").map(String.init), in: folder)
    }

    @Test(
        "a rejects file has the same line ends as the imported file", arguments: ["\n", "\r\n", "\r"],
        [("csv", ""), ("csv", "x"), ("ndjson", ""), ("ndjson", "x")])
    func lineEnds(lineBreak: String, form: (format: String, end: String)) throws {
        // The second bad record fails only when it is stored. The last record gets a line break even if the file has
        // none.
        let inner = lineBreak == "\n" ? "\r" : "\n"
        let lines =
            form.format == "csv"
            ? ["id,firstName,lastName", "1,a,b", "x,\"c\(inner)d\",e", "2,f,g", "1,h,i"]
            : [
                "{\"id\":1,\"firstName\":\"a\",\"lastName\":\"b\"}", "{\"id\":\"x\"}",
                "{\"id\":1,\"lastName\":\"c\",\"firstName\":\"d\"}",
            ]
        let text = lines.joined(separator: lineBreak) + (form.end.isEmpty ? "" : lineBreak)
        try folder.write(text, to: "in.\(form.format)")
        let result = try strata("import in.\(form.format) --entity boss --store s --rejects out --quiet")
        result.expect(status: 65)
        let rejects = try folder.text("out")
        let bad = form.format == "csv" ? [lines[2], lines[4]] : [lines[1], lines[2]]
        let header = form.format == "csv" ? [lines[0]] : []
        // Lines added by the tool have the same line ends.
        let records = rejects.components(separatedBy: lineBreak).filter { !$0.hasPrefix("#strata-") }
        #expect(records == header + bad + [""], "\(rejects.debugDescription)")
        #expect(rejects.components(separatedBy: lineBreak).count == header.count + 2 * bad.count + 2)
        // The corrected rejects can be imported.
        let repaired = rejects.replacing(
            form.format == "csv" ? "x,\"c" : "\"x\"}",
            with: form.format == "csv" ? "3,\"c" : "3,\"firstName\":\"j\",\"lastName\":\"k\"}")
        try folder.write(
            repaired.replacing("1,h", with: "4,h").replacing("\"id\":1,\"last", with: "\"id\":4,\"last"),
            to: "repaired.\(form.format)")
        try strata("import repaired.\(form.format) --entity boss --store s --quiet").expect(status: 0)
    }

    @Test("if an imported file has mixed line ends, each record in the rejects file has its original line end")
    func mixed() throws {
        try folder.write("firstName,lastName\r\na,b\n,c\n,d\r\n,e", to: "in.csv")
        try strata("import in.csv --entity boss --store s --rejects out --quiet").expect(status: 65)
        let text = try folder.text("out")
        #expect(
            text.hasPrefix("#strata-rejects of in.csv\r\nfirstName,lastName\r\n#strata-reject: line 3, "),
            "\(text.debugDescription)")
        #expect(text.contains("mandatory\n,c\n#strata") && text.contains("mandatory\r\n,d\r\n#strata"))
        #expect(text.hasSuffix("mandatory\r\n,e\r\n"))
    }

    @Test(
        "a rejects file named .gz or .zst is compressed, and can be imported directly", .needs("gzip"),
        .needs("zstd"),
        arguments: ["gz", "zst"])
    func compressed(ending: String) throws {
        let rows = (1...30).map { $0 % 5 == 0 ? "\($0),,x\n" : "\($0),a,b\n" }.joined()
        try folder.write("id,firstName,lastName\n" + rows, to: "in.csv")
        try strata("import in.csv --entity boss --store s --rejects plain.csv --quiet").expect(status: 65)
        let expected = try folder.text("plain.csv")
        // Rejects are written at the end, or in parts before each commit.
        for (number, options) in ["", " --commit-every 7"].enumerated() {
            let name = "out\(number).csv.\(ending)"
            #expect(
                try strata("import in.csv --entity boss --store t\(number) --rejects \(name) --quiet" + options).status
                    == 65)
            let tool = ending == "gz" ? "gzip" : "zstd -q"
            #expect(try Tool.reference.shell("\(tool) -dc \(name)", in: folder).output == expected)
            let again = try strata("import \(name) --entity boss --store t\(number)")
            again.expect(status: 65)
            #expect(again.errors.contains("firstName: null is not allowed"), "\(again.errors)")
        }
    }

    @Test("the report of a failed import contains the counts of records")
    func failedCounts() throws {
        try folder.write("id,firstName,lastName\n1,a,b\n2,,b\n3,c,d\n4,,d\n5,e,f\n", to: "in.csv")
        let result = try strata(
            "import in.csv --entity boss --store s --on-error reject --max-errors 1 --report r --quiet")
        result.expect(status: 65)
        let text = try folder.text("r")
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let total = try #require(object?["total"] as? [String: Any])
        #expect(object?["outcome"] as? String == "failed")
        #expect(total["inserted"] as? Int == 0 && total["rejected"] as? Int == 2)
        #expect(total["read"] as? Int == 5)
        // Records committed before the failure are counted.
        let parts = try strata(
            "import in.csv --entity boss --store t --commit-every 1 --on-error reject --max-errors 1 --report r --quiet"
        )
        parts.expect(status: 65)
        let counts = try folder.text("r")
        #expect(counts.contains("\"inserted\":2,"), "\(counts)")
        #expect(counts.contains("\"read\":4,"), "\(counts)")
    }
}
