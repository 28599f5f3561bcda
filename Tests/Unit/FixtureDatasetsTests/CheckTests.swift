import Foundation
import StrataFixtureDatasets
import StrataFixtures
import StrataInterchange
import StrataReferenceFixtures
import StrataRepositories
import StrataTestSupport
import Testing

@Suite("Checks of generated directories")
struct CheckTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private var made: String { "\(folder.path)/made" }

    private func findings(threads: Int = 2) throws -> [String] {
        let check = try FixtureCheck(
            directory: made, model: try ReferenceModel.model(), schema: ReferenceEntities.all(version: 1),
            threads: threads)
        return try check.run().map {
            $0.description.replacingOccurrences(of: "\(made)/", with: "")
        }
    }

    private func make(_ format: DatasetFormat = .csv) throws {
        let dataset = try FixtureDataset.reference(counts: ["Color": 3, "Boss": 2, "Employee": 5_000, "Item": 0])
        try dataset.write(to: made, options: ExportOptions(format: format))
    }

    private func change(_ name: String, _ body: (inout [UInt8]) -> Void) throws {
        var bytes = try folder.bytes("made/\(name)")
        body(&bytes)
        try folder.write(bytes, to: "made/\(name)")
    }

    @Test("a newly generated dataset passes the check", arguments: Seeds.spread(2, of: DatasetFormat.allCases))
    func untouched(format: DatasetFormat) throws {
        try make(format)
        #expect(try findings() == [])
    }

    @Test("the check reports a changed byte with its line")
    func changed() throws {
        try make()
        try change("Boss.csv") { $0[$0.count - 2] = UInt8(ascii: "!") }
        #expect(
            try findings()
                == [
                    "Boss.csv:3: the file differs: \"2,Błażej,Wójci!\" was found, "
                        + "but \"2,Błażej,Wójcik\" was expected"
                ])
    }

    @Test("the check reports a surplus line, a missing line and a missing file")
    func lines() throws {
        try make()
        try change("Boss.csv") { $0 += Array("3,Ada,Ito\n".utf8) }
        try change("Color.csv") { bytes in
            bytes.removeLast(bytes.reversed().dropFirst().prefix { $0 != 0x0A }.count + 1)
        }
        try FileManager.default.removeItem(atPath: "\(made)/Item.csv")
        let found = try findings()
        #expect(found.count == 3)
        #expect(found[0].hasPrefix("Color.csv:4: the file differs: nothing more was found, but \"3,#"))
        #expect(found[1] == "Boss.csv:4: the file differs: \"3,Ada,Ito\" was found, but nothing more was expected")
        #expect(found[2] == "Item.csv: the file is missing")
    }

    @Test("the check reports changed line breaks and escapes control characters")
    func lineBreaks() throws {
        try make()
        try change("Boss.csv") { bytes in bytes = bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] } }
        try change("Color.csv") { $0 = Array("id,\u{1B}[31m\u{202E}".utf8) }
        let found = try findings()
        #expect(
            found[0]
                == #"Color.csv:1: the file differs: "id,\u{1B}[31m\u{202E}" was found, "#
                + #"but "id,hex,name,dateCreated" was expected"#
        )
        #expect(
            found[1]
                == #"Boss.csv:1: the file differs: "id,firstName,lastName\r" was found, "#
                + #"but "id,firstName,lastName" was expected"#
        )
    }

    @Test("the generator rejects export options that the manifest cannot store")
    func options() throws {
        let dataset = try FixtureDataset.reference(counts: ["Color": 3, "Boss": 2, "Employee": 5, "Item": 1])
        let changes: [(inout ExportOptions) -> Void] = [
            { $0.lineEnding = .crlf }, { $0.quotesAll = true }, { $0.hasByteOrderMark = true },
            { $0.escapesFormulas = true },
        ]
        for change in changes {
            var options = ExportOptions(format: .csv)
            change(&options)
            let error = #expect(throws: InterchangeError.self) { try dataset.write(to: made, options: options) }
            #expect(error?.code == .unsupported)
        }
        var pretty = ExportOptions(format: .json)
        pretty.isPretty = true
        #expect(throws: InterchangeError.self) { try dataset.write(to: made, options: pretty) }
        #expect(try folder.files == [])
    }

    @Test("the manifest stores the separator and the null token for the check", arguments: [nil, "", "NULL", "-"])
    func kept(token: String?) throws {
        var options = ExportOptions(format: .csv)
        options.separator = .semicolon
        options.nullToken = token
        try FixtureDataset.reference(counts: ["Color": 50, "Boss": 2, "Employee": 50, "Item": 1], isHostile: true)
            .write(to: made, options: options)
        #expect(try findings() == [])
    }

    @Test("concurrent writers of one directory leave a consistent dataset")
    func atOnce() async throws {
        let made = made
        for round in 0..<4 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for seed in 1...4 {
                    group.addTask {
                        let counts = ["Color": 1, "Boss": 1, "Employee": 2, "Item": 1]
                        try FixtureDataset.reference(seed: UInt64(10 * round + seed), counts: counts)
                            .write(to: made, options: ExportOptions(format: .csv))
                    }
                }
                try await group.waitForAll()
            }
            #expect(try findings() == [])
        }
    }

    @Test("the check reports a difference in a long line with the surrounding text")
    func longLine() throws {
        let description = try FixtureDescription(
            json: Array(
                #"{"entities": {"Boss": {"count": 1, "fixed": [{"firstName": "\#(String(repeating: "a", count: 70_000))"}]}}}"#
                    .utf8),
            source: "test")
        try FixtureDataset(description, model: ReferenceModel.model()).write(
            to: made, options: ExportOptions(format: .csv))
        try change("Boss.csv") { $0[60_000] = UInt8(ascii: "b") }
        let (before, after) = (String(repeating: "a", count: 80), String(repeating: "a", count: 79))
        #expect(
            try findings() == [
                "Boss.csv:2: the file differs: \"…\(before)b\(after)…\" was found, "
                    + "but \"…\(before)a\(after)…\" was expected"
            ])
    }

    @Test("the check reports dataset files that the manifest does not contain, and ignores other files")
    func leftovers() throws {
        try make(.json)
        try make(.csv)
        try folder.write([], to: "made/notes.csv")
        try folder.write([], to: "made/colors.csv.gz")
        #expect(
            try findings()
                == ["Boss.json", "Color.json", "Employee.json", "Item.json", "colors.csv.gz"].map {
                    "\($0): the manifest does not contain this dataset; remove the file"
                })
    }

    @Test("the check finds a single changed byte at any position of a large file")
    func everywhere() throws {
        try make()
        let whole = try folder.bytes("made/Employee.csv")
        for place in Array(stride(from: 0, to: whole.count, by: 49_999)) + [whole.count - 1] {
            try change("Employee.csv") { $0[place] ^= 1 }
            #expect(try findings().count == 1, "byte \(place)")
            try folder.write(whole, to: "made/Employee.csv")
        }
    }

    @Test("the check reports a changed manifest")
    func manifest() throws {
        try make()
        try change("manifest.json") { bytes in
            let text = String(decoding: bytes, as: UTF8.self).replacingOccurrences(
                of: "\"rows\": 3", with: "\"rows\": 4")
            bytes = Array(text.utf8)
        }
        let found = try findings()
        #expect(found.count == 1 && found[0].hasPrefix("manifest.json:"))
    }

    @Test("the check reports every file with rows if the manifest has another seed")
    func seed() throws {
        try make()
        try change("manifest.json") { bytes in
            let text = String(decoding: bytes, as: UTF8.self).replacingOccurrences(
                of: "\"seed\": 42", with: "\"seed\": 43")
            bytes = Array(text.utf8)
        }
        #expect(
            try findings().map { $0.prefix { $0 != ":" } } == [
                "Color.csv", "Boss.csv", "Employee.csv", "manifest.json",
            ])
    }

    @Test("the check rejects a manifest that the generator did not write")
    func export() throws {
        try make()
        try change("manifest.json") { bytes in
            bytes = Array(
                String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "fixtures", with: "others").utf8)
        }
        let error = #expect(throws: FixtureError.self) { () throws -> [String] in try findings() }
        #expect(
            error?.description
                == "\(made)/manifest.json:1:1: the manifest has no description of the files (\"fixtures\"); only files "
                + "that strata generate wrote can be generated again"
        )
    }

    @Test("the check rejects a directory without a manifest")
    func nowhere() throws {
        let error = #expect(throws: InterchangeError.self) { () throws -> [String] in try findings() }
        #expect(error?.code == .inputNotFound)
    }
}
