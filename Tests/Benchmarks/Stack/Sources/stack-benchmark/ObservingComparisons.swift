import Dispatch
import Foundation
import GRDB
import StrataPersistence

/// The time from a commit to the observed value, compared with GRDB; saves with ten unrelated observers, and saves with
/// a history, compared with saves without.
struct ObservingComparisons {
    static let names = ["observe", "unobserved", "history-save"]

    private static let rowCount: Int64 = 100_000
    /// The count of observed rows.
    private static let groupSize: Int64 = 100
    private static let commits = 50
    private static let savedObjects = 10_000

    let folder: URL

    private struct Reading: PersistentRecord {
        let id: RecordID<Reading>
        var batch: Int
        var value: Int

        static let entity = RecordEntity<Reading>(
            "Reading", id: \.id, [.attribute("batch", \.batch, isIndexed: true), .attribute("value", \.value)]
        ) { row in Reading(id: try row.id(), batch: try row.next(), value: try row.next()) }
    }

    /// An entity that no measured save changes.
    private struct Other: PersistentRecord {
        let id: RecordID<Other>
        var name: String

        static let entity = RecordEntity<Other>("Other", id: \.id, [.attribute("name", \.name)]) { row in
            Other(id: try row.id(), name: try row.next())
        }
    }

    private struct GRDBReading: FetchableRecord, PersistableRecord {
        static let databaseTableName = "Reading"

        var id: Int64
        var batch: Int
        var value: Int

        init(id: Int64, batch: Int, value: Int) { (self.id, self.batch, self.value) = (id, batch, value) }

        init(row: Row) { (id, batch, value) = (row[0], row[1], row[2]) }

        func encode(to container: inout PersistenceContainer) {
            (container["id"], container["batch"], container["value"]) = (id, batch, value)
        }
    }

    /// Prints a line `ratio NAME VALUE` for each name.
    func report(_ names: [String], rounds: Int) throws {
        for name in names {
            let result =
                switch name {
                case "observe": try observe(rounds)
                case "unobserved": try unobserved(rounds)
                default: try historySave(rounds)
                }
            print(
                "\(name): \(result.strata.median.text(2)) ms (least \(result.strata.least.text(2))),", terminator: " ")
            print("compared with \(result.grdb.median.text(2)) ms (least \(result.grdb.least.text(2)))")
            print("ratio \(name) \(result.ratio.text(3))")
        }
    }

    private func container(
        _ name: String, rows: Int64 = rowCount, history: HistoryLevel? = nil
    ) throws -> PersistentContainer {
        var description = PersistentStoreDescription.sqlite(at: folder.appendingPathComponent(name))
        description.history = history
        let container = try PersistentContainer(
            model: try ManagedObjectModel(records: [Reading.self, Other.self]), description, mainQueue: .private)
        let readings = (0..<rows).compactMap { number in
            RecordID<Reading>(rawValue: number + 1).map {
                Reading(id: $0, batch: Int(number / Self.groupSize), value: 0)
            }
        }
        try container.batchInsert(Reading.entity, records: readings)
        return container
    }

    private func observe(_ rounds: Int) throws -> Comparison.Result {
        let container = try container("observed.sqlite")
        let context = container.newBackgroundContext()
        let (seen, other) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let request = FetchRequest<Reading>(where: #Predicate { $0.batch == 7 })
        let observer = Task.detached {
            for try await rows in container.observe(request) where rows.count == Self.groupSize { seen.signal() }
        }
        seen.wait()
        var configuration = Configuration()
        configuration.journalMode = .wal
        let queue = try DatabaseQueue(
            path: folder.appendingPathComponent("grdb.sqlite").path, configuration: configuration)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE Reading (id INTEGER PRIMARY KEY, batch INTEGER NOT NULL, value INTEGER NOT NULL);
                    CREATE INDEX Reading_batch ON Reading (batch)
                    """)
            for number in 0..<Self.rowCount {
                try GRDBReading(id: number + 1, batch: Int(number / Self.groupSize), value: 0).insert(db)
            }
        }
        let observation = ValueObservation.tracking { db in
            try GRDBReading.filter(Column("batch") == 7).fetchAll(db)
        }
        let cancellable = observation.start(
            in: queue, scheduling: .async(onQueue: DispatchQueue(label: "observer")), onError: { print($0) },
            onChange: { rows in if rows.count == Self.groupSize { other.signal() } })
        other.wait()
        // On Linux, GRDB fetches the first value twice.
        while other.wait(timeout: .now() + 0.2) == .success {}
        let first = 7 * Self.groupSize + 1
        guard let id = RecordID<Reading>(rawValue: first) else { throw BenchmarkError("no identifier") }
        let comparison = Comparison(
            name: "observe",
            strata: {
                try timed {
                    for _ in 0..<Self.commits {
                        try context.performAndWait { context in
                            try context.existingObject(with: id, of: Reading.self).value += 1
                            try context.save()
                        }
                        seen.wait()
                    }
                    return Checksum()
                }
            },
            grdb: {
                try timed {
                    for _ in 0..<Self.commits {
                        try queue.write { db in
                            guard var row = try GRDBReading.fetchOne(db, key: first) else { return }
                            row.value += 1
                            try row.update(db)
                        }
                        other.wait()
                    }
                    return Checksum()
                }
            })
        let result = try comparison.run(rounds: rounds)
        observer.cancel()
        cancellable.cancel()
        try queue.close()
        try container.destroyPersistentStore()
        return result
    }

    private func unobserved(_ rounds: Int) throws -> Comparison.Result {
        let (observed, bare) = (try container("with.sqlite"), try container("without.sqlite"))
        let started = DispatchSemaphore(value: 0)
        let observers = (0..<10).map { number in
            Task.detached {
                let request = FetchRequest<Other>(sort: [SortKey(\.name)], limit: number + 1)
                for try await _ in observed.observe(request) { started.signal() }
            }
        }
        for _ in observers { started.wait() }
        func round(_ container: PersistentContainer) -> Comparison.Round {
            let context = container.newBackgroundContext()
            return {
                try timed {
                    for number in 1...500 {
                        guard let id = RecordID<Reading>(rawValue: Int64(number)) else { continue }
                        try context.performAndWait { context in
                            try context.existingObject(with: id, of: Reading.self).value += 1
                            try context.save()
                        }
                    }
                    return Checksum()
                }
            }
        }
        let result = try Comparison(name: "unobserved", strata: round(observed), grdb: round(bare))
            .run(rounds: rounds)
        for observer in observers { observer.cancel() }
        for container in [observed, bare] { try container.destroyPersistentStore() }
        return result
    }

    private func historySave(_ rounds: Int) throws -> Comparison.Result {
        let (tracked, bare) = (
            try container("tracked.sqlite", rows: 0, history: .changes), try container("untracked.sqlite", rows: 0)
        )
        func round(_ container: PersistentContainer) -> Comparison.Round {
            {
                let context = container.newBackgroundContext()
                return try timed {
                    try context.performAndWait { context in
                        for number in 0..<Self.savedObjects {
                            _ = try context.insert(Reading.self) { Reading(id: $0, batch: number % 7, value: number) }
                        }
                        try context.save()
                        for object in try context.fetch(FetchRequest<Reading>(limit: Self.savedObjects)) {
                            object.value += 1
                        }
                        try context.save()
                    }
                    return Checksum()
                }
            }
        }
        let result = try Comparison(name: "history-save", strata: round(tracked), grdb: round(bare))
            .run(rounds: rounds)
        for container in [tracked, bare] { try container.destroyPersistentStore() }
        return result
    }
}
