import Foundation
import GRDB
import StrataPersistence
import StrataStoreKit

/// Batches that change and delete a million rows, compared with equivalent SQL statements on copies of the same file.
struct BatchComparisons {
    static let names = ["batch-update", "batch-update-checked", "batch-delete"]

    private static let rowCount: Int64 = 1_100_000
    /// The first selected row; earlier rows are unchanged.
    private static let firstSelected: Int64 = 100_000

    let folder: URL

    /// Prints a line `ratio NAME VALUE` for each name, and the memory growth of the process.
    func report(_ names: [String], rounds: Int) throws {
        if names.isEmpty { return }
        let base = folder.appendingPathComponent("readings.sqlite")
        try Self.fill(base)
        for name in names {
            let (strata, byHand) = (copy(of: base), copy(of: base))
            let result = try Self.comparison(name, strata, byHand).run(rounds: rounds)
            print(
                "\(name): Strata \(result.strata.median.text(1)) ms (least \(result.strata.least.text(1))),",
                terminator: " ")
            print("by hand \(result.grdb.median.text(1)) ms (least \(result.grdb.least.text(1)))")
            print("ratio \(name) \(result.ratio.text(3))")
            for side in ["strata", "grdb"] {
                let place = copy(of: base)
                try place.make()
                try PeakMemory.report(name, side, at: place.url)
                try place.remove()
            }
            for place in [strata, byHand] { try place.remove() }
        }
    }

    /// Prints the peak memory growth of this process while one side performs its work once.
    ///
    /// - Parameters:
    ///   - name: The comparison.
    ///   - side: `strata` or `grdb`.
    ///   - url: A separate store, filled by another process.
    /// - Throws: The error of the side.
    static func reportMemory(_ name: String, _ side: String, at url: URL) throws {
        guard let memory = PeakMemory() else { return }
        _ = try side == "strata" ? runStrata(name, url, value: 1) : runByHand(name, url, value: 1)
        guard let growth = memory.growth else { return }
        print("\(name): \(side) takes at most \(growth.text(1)) MiB more")
    }

    // MARK: Rounds

    private static func comparison(_ name: String, _ strata: StoreCopy, _ byHand: StoreCopy) -> Comparison {
        var (strataRound, handRound) = (0, 0)
        return Comparison(
            name: name,
            strata: {
                strataRound += 1
                return try round(name, strata) { try runStrata(name, $0, value: strataRound) }
            },
            grdb: {
                handRound += 1
                return try round(name, byHand) { try runByHand(name, $0, value: handRound) }
            })
    }

    /// Runs a round with a new value, so that all rows change; deleted rows are restored from a copy.
    private static func round(
        _ name: String, _ place: StoreCopy, _ body: (URL) throws -> (Duration, Int)
    ) throws -> (Duration, Checksum) {
        if name == "batch-delete" || !place.exists { try place.make() }
        let (time, count) = try body(place.url)
        var checksum = Checksum()
        checksum.add(
            id: Int64(count), name: "", salary: 0, dateHired: Date(timeIntervalSinceReferenceDate: 0), boss: nil)
        return (time, checksum)
    }

    private static func runStrata(_ name: String, _ url: URL, value: Int) throws -> (Duration, Int) {
        name == "batch-update-checked"
            ? try run(name, CheckedReading.self, url, [.set(\.score, to: value)])
            : try run(name, Reading.self, url, [.set(\.score, to: value)])
    }

    private static func run<Record: PersistentRecord>(
        _ name: String, _ type: Record.Type, _ url: URL, _ assignments: [BatchAssignment<Record>]
    ) throws -> (Duration, Int) {
        let container = try PersistentContainer(
            model: try ManagedObjectModel(records: [Record.self]), .sqlite(at: url), mainQueue: .private)
        let isSelected = RecordFilter<Record>.condition(
            .compare(.property("number"), .greaterOrEqual, .constant(.integer(firstSelected))))
        var count = 0
        let time = try ContinuousClock().measure {
            let result =
                try name == "batch-delete"
                ? container.batchDelete(type, where: isSelected)
                : container.batchUpdate(type, where: isSelected, assignments)
            count = result.count
        }
        try container.close()
        return (time, count)
    }

    private static func runByHand(_ name: String, _ url: URL, value: Int) throws -> (Duration, Int) {
        var configuration = Configuration()
        configuration.journalMode = .wal
        let queue = try DatabaseQueue(path: url.path, configuration: configuration)
        var count = 0
        let time = try ContinuousClock().measure {
            count = try queue.write { db in
                if name == "batch-delete" {
                    try db.execute(sql: "DELETE FROM Reading WHERE number >= ?", arguments: [firstSelected])
                } else {
                    try db.execute(
                        sql: "UPDATE Reading SET score = ?, _version = _version + 1 WHERE number >= ?",
                        arguments: [value, firstSelected])
                }
                return db.changesCount
            }
        }
        try queue.close()
        return (time, count)
    }

    // MARK: Files

    private func copy(of base: URL) -> StoreCopy {
        StoreCopy(base: base, url: folder.appendingPathComponent("readings-\(UUID().uuidString).sqlite"))
    }

    private static func fill(_ url: URL) throws {
        let container = try PersistentContainer(
            model: try ManagedObjectModel(records: [Reading.self]), .sqlite(at: url), mainQueue: .private)
        try container.batchInsert(into: "Reading") { rows in
            for id in 1...rowCount {
                try rows.insert(
                    id: id, values: [.string("reading \(id)"), .integer(id - 1), .integer(0)],
                    location: RowLocation(line: Int(id), record: Int(id)))
            }
        }
        // After the close, the store's file is the only one in the folder.
        try container.close()
    }
}

/// A copy of a file.
private struct StoreCopy {
    let base: URL
    let url: URL

    var exists: Bool { FileManager.default.fileExists(atPath: url.path) }

    /// Creates the copy, or replaces an earlier one.
    func make() throws {
        try remove()
        try FileManager.default.copyItem(at: base, to: url)
    }

    func remove() throws {
        for path in [url.path, url.path + "-wal", url.path + "-shm"] where FileManager.default.fileExists(atPath: path)
        {
            try FileManager.default.removeItem(atPath: path)
        }
    }
}

/// A record with rules in the model only.
private struct Reading: PersistentRecord, Hashable {
    let id: RecordID<Reading>
    var text: String
    var number: Int
    var score: Int

    static let entity = RecordEntity<Reading>(
        "Reading", id: \.id,
        [.attribute("text", \.text), .attribute("number", \.number), .attribute("score", \.score)], rules: .model
    ) { Reading(id: try $0.id(), text: try $0.next(), number: try $0.next(), score: try $0.next()) }
}

/// A record of the same rows whose initializer may reject rows.
private struct CheckedReading: PersistentRecord, Hashable {
    let id: RecordID<CheckedReading>
    var text: String
    var number: Int
    var score: Int

    init(id: RecordID<CheckedReading>, text: String, number: Int, score: Int) throws {
        guard score <= number + 1_000 else { throw BenchmarkError("the score is too high") }
        (self.id, self.text, self.number, self.score) = (id, text, number, score)
    }

    static let entity = RecordEntity<CheckedReading>(
        "Reading", id: \.id,
        [.attribute("text", \.text), .attribute("number", \.number), .attribute("score", \.score)]
    ) { row in try CheckedReading(id: row.id(), text: row.next(), number: row.next(), score: row.next()) }
}
