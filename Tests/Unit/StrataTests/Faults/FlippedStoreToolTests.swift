import Foundation
import StrataTestSupport
import Testing

/// The tool on stores of generated rows with one flipped bit.
@Suite("The tool on stores with a flipped bit")
struct FlippedStoreToolTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.reference.run(line.split(separator: " ").map(String.init), in: folder)
    }

    private func prepare() throws -> Data {
        try folder.write(
            #"{"seed":7,"entities":{"Boss":{"count":32},"Color":{"count":40},"Employee":{"count":120},"Item":{"count":40}}}"#,
            to: "d.json")
        try strata("generate --description d.json --store s --quiet").expect(status: 0)
        return try folder.data("s")
    }

    /// Returns the rows that a table cannot contain: those with an invalid or unordered identifier or without a
    /// mandatory value.
    private func impossible(_ name: String, optional: [Int]) throws -> [String] {
        var last = 0
        var lines: [String] = []
        for line in try folder.text("out/\(name).csv").split(separator: "\n").dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            let id = Int(fields[0]) ?? 0
            let isWhole = fields.indices.allSatisfy { optional.contains($0) || !fields[$0].isEmpty }
            // A line with quotes may contain commas within fields.
            if id <= last || !isWhole && !line.contains("\"") { lines.append("\(name): \(line)") }
            last = id
        }
        return lines
    }

    @Test("an export with status 0 contains only valid rows, and check reports every fault that export rejects")
    func flips() throws {
        let data = try prepare()
        var statuses: [Int32: Int] = [:]
        for seed in 0..<Seeds.count(13, all: 300) {
            var generator = SeededGenerator(seed: UInt64(seed))
            let place = Int.random(in: 0..<(seed % 12 == 0 ? 100 : data.count), using: &generator)
            let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
            var damaged = data
            damaged[place] ^= bit
            for name in ["s-wal", "s-shm", "out"] where try folder.files.contains(name) {
                try FileManager.default.removeItem(atPath: folder.path(name))
            }
            try damaged.write(to: URL(fileURLWithPath: folder.path("s")))
            let export = try strata("export --all --store s -o out --quiet")
            let comment = Comment(rawValue: "byte \(place), bit \(bit): \(export.errors)")
            #expect([0, 65].contains(export.status), comment)
            if export.status == 0 {
                for (name, optional) in [("Boss", []), ("Color", [2]), ("Employee", [5]), ("Item", [])] {
                    #expect(try impossible(name, optional: optional) == [], comment)
                }
            }
            let check = try strata("check --store s")
            statuses[check.status, default: 0] += 1
            #expect([0, 65].contains(check.status), comment)
            #expect(export.status == 0 || check.status == 65, comment)
            let last = check.output.split(separator: "\n").last
            #expect(
                check.status == 0
                    ? last == "ok" : last?.hasSuffix("faults") ?? !check.errors.isEmpty || last == "1 fault",
                comment)
        }
        #expect(Set(statuses.keys) == [0, 65])
    }

    @Test("a row with an invalid identifier exits 65 with entity, attribute and identifier")
    func known() throws {
        // The byte with the row's number, in front of its header in the table's page: 0 is invalid, and 4 exists
        // before.
        let data = try prepare()
        let boss = try #require(
            try strata("export --entity boss --store s --no-header --limit 9").output
                .split(separator: "\n").dropFirst(8).first)
        let name = boss.split(separator: ",")[1]
        let title = try #require(data.firstRange(of: Data("\(name)".utf8)), "\(name)").lowerBound
        let header = try #require((5...16).map { title - $0 }.first { data[$0] == 5 && data[$0 + 1] == 0 })
        for (id, what) in [
            (UInt8(0), "row 0 has an identifier out of range (1 to 9007199254740991)"),
            (4, "row 4 follows row 8 and is not in ascending order"),
        ] {
            var damaged = data
            damaged[header - 1] = id
            try damaged.write(to: URL(fileURLWithPath: folder.path("s")))
            for line in [
                "export --entity boss --store s", "export --entity boss --store s --format json -o x.json",
                "export --all --store s -o all", "show --entity boss --store s", "report --store s -o r.html",
                "export --entity boss --store s --columns lastName",
            ] {
                let result = try strata(line)
                #expect(result.status == 65, "\(line): \(result.output.prefix(200))")
                #expect(
                    result.errors == "Boss.id: \(what); the file was damaged or changed by another program\n",
                    "\(line)")
            }
            #expect(try strata("check --store s").output.contains("Boss \(id) id: "))
            #expect(try !folder.files.contains("x.json"))
        }
    }
}
