import Dispatch
import Foundation
import StrataPersistence
import StrataStoreKit

/// Comparisons of Strata's incremental work with its bulk work, or with work without an expensive rule.
struct WorkComparisons {
    static let names = ["stream", "ordered-append", "ordered-append-saved", "counted-append"]

    private static let recordCount: Int64 = 100_000
    private static let lineCount: Int64 = 10_000
    private static let addedCount = 1_000

    let folder: URL

    /// Prints a line `ratio NAME VALUE` for each name.
    func report(_ names: [String], rounds: Int) throws {
        for name in names {
            let result = try result(name, rounds)
            let (work, base) = (result.strata, result.grdb)
            print("\(name): \(work.median.text(1)) ms (least \(work.least.text(1))),", terminator: " ")
            print("without it \(base.median.text(1)) ms (least \(base.least.text(1)))")
            print("ratio \(name) \(result.ratio.text(3))")
        }
    }

    private func result(_ name: String, _ rounds: Int) throws -> Comparison.Result {
        switch name {
        case "stream": try stream(rounds)
        case "ordered-append":
            try Comparison(
                name: name, strata: { try append(Self.addOneByOne) }, grdb: { try append(Self.addAtOnce) }
            ).run(rounds: rounds)
        default:
            try Comparison(
                name: name,
                strata: {
                    try append {
                        try name == "counted-append"
                            ? Self.addSaving($0, $1, to: \.stamps) : Self.addSaving($0, $1, to: \.lines)
                    }
                },
                grdb: { try append { try Self.addSaving($0, $1, to: \.notes) } }
            ).run(rounds: rounds)
        }
    }

    // MARK: Streaming

    /// Streams all records, compared with a single fetch.
    private func stream(_ rounds: Int) throws -> Comparison.Result {
        let container = try makeContainer()
        try Self.fill(container, "Note", Self.recordCount) { _ in [.string("note"), .null] }
        let context = container.newBackgroundContext()
        let result = try Comparison(
            name: "stream",
            strata: {
                try waiting {
                    try await timedAsync {
                        var count = 0
                        for try await note in context.stream(FetchRequest<Note>()) { count += note.text.utf8.count }
                        return count
                    }
                }
            },
            grdb: {
                try waiting {
                    try await timedAsync {
                        try await context.fetch(FetchRequest<Note>()).reduce(0) { $0 + $1.text.utf8.count }
                    }
                }
            }
        ).run(rounds: rounds)
        try container.destroyPersistentStore()
        return result
    }

    // MARK: Appending

    private typealias Work = (ManagedObjectContext, LineID) throws -> Void

    /// Appends to a bill with many lines, notes and stamps, in a new store for each round.
    private func append(_ work: Work) throws -> (Duration, Checksum) {
        let container = try makeContainer()
        try Self.fill(container, "Bill", 1) { _ in [.string("bill")] }
        try Self.fill(container, "Line", Self.lineCount) { [.string("line"), .integer($0 * 1024), .integer(1)] }
        for entity in ["Note", "Stamp"] {
            try Self.fill(container, entity, Self.lineCount) { _ in [.string("note"), .integer(1)] }
        }
        let context = container.newBackgroundContext()
        let result = try timed {
            try work(context, LineID(1))
        } seen: {
            // Both sides have added the same count of rows; in ordered relationships the new ones are the last.
            try context.performAndWait { context in
                let bill = try context.existingObject(with: LineID(1), of: Bill.self)
                let counts = try [
                    context.count(\.lines, of: bill), context.count(\.notes, of: bill),
                    context.count(\.stamps, of: bill),
                ]
                let isNew = { (line: Managed<Line>) in line.text == "new" }
                let lines = try context.objects(\.lines, of: bill)
                let added = lines.filter(isNew).count
                guard lines.suffix(added).allSatisfy(isNew) else { throw BenchmarkError("new lines are not the last") }
                var checksum = Checksum()
                checksum.add(
                    id: Int64(counts.reduce(0, +)), name: "", salary: 0,
                    dateHired: Date(timeIntervalSinceReferenceDate: 0), boss: nil)
                return checksum
            }
        }
        try container.destroyPersistentStore()
        return result
    }

    private static func addOneByOne(_ context: ManagedObjectContext, _ bill: LineID) throws {
        try context.performTransactionAndWait { context in
            let bill = try context.existingObject(with: bill, of: Bill.self)
            for _ in 1...addedCount {
                let line = try context.insert(Line.self) { Line(id: $0, text: "new") }
                try context.add(line, to: \.lines, of: bill)
            }
        }
    }

    private static func addAtOnce(_ context: ManagedObjectContext, _ bill: LineID) throws {
        try context.performTransactionAndWait { context in
            let bill = try context.existingObject(with: bill, of: Bill.self)
            let lines = try (1...addedCount).map { _ in
                try context.insert(Line.self) { Line(id: $0, text: "new") }
            }
            try context.add(lines, to: \.lines, of: bill)
        }
    }

    /// Adds each item in a separate unit of work.
    private static func addSaving<Item: BillItem>(
        _ context: ManagedObjectContext, _ bill: LineID, to relationship: KeyPath<Bill.Type, ToMany<Bill, Item>>
    ) throws {
        // SAFETY: a key path of a literal captures nothing.
        nonisolated(unsafe) let relationship = relationship
        for _ in 1...addedCount {
            try context.performTransactionAndWait { context in
                let bill = try context.existingObject(with: bill, of: Bill.self)
                let item = try context.insert(Item.self) { Item(id: $0, text: "new") }
                try context.add(item, to: relationship, of: bill)
            }
        }
    }

    // MARK: Stores

    private func makeContainer() throws -> PersistentContainer {
        let file = folder.appendingPathComponent("work-\(UUID().uuidString).sqlite")
        return try PersistentContainer(
            model: try ManagedObjectModel(records: [Bill.self, Line.self, Note.self, Stamp.self]), .sqlite(at: file),
            mainQueue: .private)
    }

    private static func fill(
        _ container: PersistentContainer, _ entity: String, _ count: Int64, _ values: (Int64) -> [StoredValue]
    ) throws {
        try container.batchWrite { writer in
            let inserter = try writer.inserter(of: entity, InsertOptions(onMissingReference: .error))
            for id in 1...count {
                try inserter.insert(
                    id: id, values: values(id), location: RowLocation(line: Int(id), record: Int(id)))
            }
        }
    }
}

private func timedAsync(_ body: () async throws -> Int) async throws -> (Duration, Checksum) {
    let clock = ContinuousClock()
    let start = clock.now
    let count = try await body()
    let time = start.duration(to: clock.now)
    var checksum = Checksum()
    checksum.add(
        id: Int64(count), name: "", salary: 0, dateHired: Date(timeIntervalSinceReferenceDate: 0), boss: nil)
    return (time, checksum)
}

/// Waits for asynchronous work on a separate thread.
func waiting<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) throws -> Result {
    let end = DispatchSemaphore(value: 0)
    // SAFETY: The task writes the variable before it signals, and it is read after that.
    nonisolated(unsafe) var result: Swift.Result<Result, any Error>?
    Task {
        do { result = .success(try await work()) } catch { result = .failure(error) }
        end.signal()
    }
    end.wait()
    guard let result else { throw BenchmarkError("the work gave nothing") }
    return try result.get()
}

private typealias LineID = RecordID<Bill>

private struct Bill: PersistentRecord, Hashable {
    let id: LineID
    var name: String

    static let lines = ToMany<Bill, Line>("lines", to: "Line", inverse: "bill", orderedBy: "rank")
    static let notes = ToMany<Bill, Note>("notes", to: "Note", inverse: "bill")
    static let stamps = ToMany<Bill, Stamp>("stamps", to: "Stamp", inverse: "bill", maximumCount: 1_000_000)
    static let entity = RecordEntity<Bill>(
        "Bill", id: \.id,
        [.attribute("name", \.name), .relationship(lines), .relationship(notes), .relationship(stamps)]
    ) { Bill(id: try $0.id(), name: try $0.next()) }
}

/// A record of which a bill has many.
private protocol BillItem: PersistentRecord {
    init(id: ID, text: String)
}

private struct Line: BillItem, Hashable {
    let id: RecordID<Line>
    var text: String
    var rank = 0
    var bill: LineID?

    init(id: RecordID<Line>, text: String) { (self.id, self.text) = (id, text) }

    static let entity = RecordEntity<Line>(
        "Line", id: \.id,
        [
            .attribute("text", \.text), .attribute("rank", \.rank),
            .toOne("bill", \.bill, to: "Bill", inverse: "lines"),
        ]
    ) { row in
        var line = Line(id: try row.id(), text: try row.next())
        line.rank = try row.next()
        line.bill = try row.next()
        return line
    }
}

private struct Note: BillItem, Hashable {
    let id: RecordID<Note>
    var text: String
    var bill: LineID?

    init(id: RecordID<Note>, text: String) { (self.id, self.text) = (id, text) }

    static let entity = RecordEntity<Note>(
        "Note", id: \.id,
        [.attribute("text", \.text), .toOne("bill", \.bill, to: "Bill", inverse: "notes")]
    ) { row in
        var note = Note(id: try row.id(), text: try row.next())
        note.bill = try row.next()
        return note
    }
}

/// A note with a maximum count per bill.
private struct Stamp: BillItem, Hashable {
    let id: RecordID<Stamp>
    var text: String
    var bill: LineID?

    init(id: RecordID<Stamp>, text: String) { (self.id, self.text) = (id, text) }

    static let entity = RecordEntity<Stamp>(
        "Stamp", id: \.id,
        [.attribute("text", \.text), .toOne("bill", \.bill, to: "Bill", inverse: "stamps")]
    ) { row in
        var stamp = Stamp(id: try row.id(), text: try row.next())
        stamp.bill = try row.next()
        return stamp
    }
}
