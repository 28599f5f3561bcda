import FixtureDatasets
import FixtureGeneration
import Foundation
import Interchange
import Repositories
import Testing

@Suite("A check finds every difference between a directory and what its manifest makes")
struct CheckTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private var made: String { "\(folder.path)/made" }

    private func findings(threads: Int = 2) throws -> [String] {
        try FixtureCheck(directory: made, model: try ReferenceModel.model(), threads: threads).run().map {
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

    @Test("what was just made is as it should be", arguments: DatasetFormat.allCases)
    func untouched(format: DatasetFormat) throws {
        try make(format)
        #expect(try findings() == [])
    }

    @Test("a changed byte is shown with its line")
    func changed() throws {
        try make()
        try change("Boss.csv") { $0[$0.count - 2] = UInt8(ascii: "!") }
        #expect(
            try findings()
                == ["Boss.csv:3: differs: there is \"2,Błażej,Wójci!\", and \"2,Błażej,Wójcik\" should be there"])
    }

    @Test("a line too much, a line too few, and a missing file are said")
    func lines() throws {
        try make()
        try change("Boss.csv") { $0 += Array("3,Ada,Ito\n".utf8) }
        try change("Color.csv") { bytes in
            bytes.removeLast(bytes.reversed().dropFirst().prefix { $0 != 0x0A }.count + 1)
        }
        try FileManager.default.removeItem(atPath: "\(made)/Item.csv")
        let found = try findings()
        #expect(found.count == 3)
        #expect(found[0].hasPrefix("Color.csv:4: differs: there is nothing more, and \"3,#"))
        #expect(found[1] == "Boss.csv:4: differs: there is \"3,Ada,Ito\", and nothing more should be there")
        #expect(found[2] == "Item.csv: is missing")
    }

    @Test("far behind in a long line both are shown around the difference")
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
                "Boss.csv:2: differs: there is \"…\(before)b\(after)…\", and \"…\(before)a\(after)…\" should be there"
            ])
    }

    @Test("datasets that were made before and are no more are said, and other files are nobody's business")
    func leftovers() throws {
        try make(.json)
        try make(.csv)
        try folder.write([], to: "made/notes.csv")
        try folder.write([], to: "made/colors.csv.gz")
        #expect(
            try findings()
                == ["Boss.json", "Color.json", "Employee.json", "Item.json", "colors.csv.gz"].map {
                    "\($0): is a dataset that the manifest does not make; remove it"
                })
    }

    @Test("every single changed byte of a file is found, in large files too")
    func everywhere() throws {
        try make()
        let whole = try folder.bytes("made/Employee.csv")
        for place in Array(stride(from: 0, to: whole.count, by: 49_999)) + [whole.count - 1] {
            try change("Employee.csv") { $0[place] ^= 1 }
            #expect(try findings().count == 1, "byte \(place)")
            try folder.write(whole, to: "made/Employee.csv")
        }
    }

    @Test("a changed manifest is said")
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

    @Test("a manifest that names another seed makes every file differ")
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

    @Test("a manifest of an export, which nobody generated, is refused")
    func export() throws {
        try make()
        try change("manifest.json") { bytes in
            bytes = Array(
                String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "fixtures", with: "others").utf8)
        }
        let error = #expect(throws: FixtureError.self) { () throws -> [String] in try findings() }
        #expect(
            error?.description
                == "\(made)/manifest.json:1:1: does not say what made the files (\"fixtures\"); only what generate wrote can be made again"
        )
    }

    @Test("a directory without a manifest is no input")
    func nowhere() throws {
        let error = #expect(throws: InterchangeError.self) { () throws -> [String] in try findings() }
        #expect(error?.code == .inputNotFound)
    }
}
