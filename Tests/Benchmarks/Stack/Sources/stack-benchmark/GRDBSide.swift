import Foundation
import GRDB

/// GRDB's side, with the same table, journal mode and durability; each library has its default page cache, here 2 MB
/// and for Strata 8 MiB.
struct GRDBSide {
    let dataset: Dataset
    let folder: URL
    private let employees: [HandWrittenEmployee]

    init(_ dataset: Dataset, folder: URL) {
        self.dataset = dataset
        self.folder = folder
        employees = dataset.employees.map(HandWrittenEmployee.init)
    }

    /// Creates a database that contains the bosses.
    func makeDatabase() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal
        // This also sets `synchronous = NORMAL`, like Strata.
        let path = folder.appendingPathComponent("grdb-\(UUID().uuidString).sqlite").path
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { db in
            try db.execute(sql: Self.schema)
            for boss in dataset.bosses {
                try db.execute(
                    sql: "INSERT INTO Boss VALUES (?, 1, ?, ?)", arguments: [boss.id, boss.firstName, boss.lastName])
            }
        }
        return queue
    }

    /// The tables in Strata's layout.
    private static let schema = """
        CREATE TABLE "Boss" (
            "id" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL, "firstName" TEXT NOT NULL, "lastName" TEXT NOT NULL
        ) STRICT;
        CREATE TABLE "Employee" (
            "id" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL, "firstName" TEXT NOT NULL, "lastName" TEXT NOT NULL,
            "salary" INTEGER NOT NULL, "dateHired" REAL NOT NULL,
            "boss" INTEGER REFERENCES "Boss" ("id") DEFERRABLE INITIALLY DEFERRED
        ) STRICT;
        CREATE INDEX "Employee_boss" ON "Employee" ("boss");
        """

    func insert() throws -> (Duration, Checksum) {
        let queue = try makeDatabase()
        let time = try ContinuousClock().measure { try insertAll(queue) }
        let checksum = try queue.read { Self.checksum(try HandWrittenEmployee.fetchAll($0)) }
        try destroy(queue)
        return (time, checksum)
    }

    func insertAll(_ queue: DatabaseQueue) throws {
        try queue.write { db in
            for employee in employees { try employee.insert(db) }
        }
    }

    func destroy(_ queue: DatabaseQueue) throws {
        let path = queue.path
        try queue.close()
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
    }

    func fetch<Record: EmployeeValues & FetchableRecord & TableRecord>(
        _ type: Record.Type, _ queue: DatabaseQueue
    ) throws -> (Duration, Checksum) {
        try timed {
            try queue.read { Self.checksum(try type.fetchAll($0)) }
        }
    }

    func lookUp(_ queue: DatabaseQueue) throws -> (Duration, Checksum) {
        try timed {
            try queue.read { db in
                var checksum = Checksum()
                for id in dataset.shuffledIDs {
                    guard let employee = try HandWrittenEmployee.fetchOne(db, key: id) else {
                        throw BenchmarkError("GRDB has no employee \(id)")
                    }
                    Self.add(employee, to: &checksum)
                }
                return checksum
            }
        }
    }

    /// Updates with `updateChanges`, as GRDB's documentation recommends for one attribute of a loaded record; `update`
    /// would write every column.
    func update(_ queue: DatabaseQueue) throws -> (Duration, Checksum) {
        var employees = try queue.read { try HandWrittenEmployee.fetchAll($0) }
            .filter { $0.id.isMultiple(of: Dataset.updateStride) }
        let time = try ContinuousClock().measure {
            try queue.write { db in
                for index in employees.indices { try employees[index].updateChanges(db) { $0.salary += 1 } }
            }
        }
        return (time, Self.checksum(employees))
    }

    private static func checksum(_ employees: [some EmployeeValues]) -> Checksum {
        var checksum = Checksum()
        for employee in employees { add(employee, to: &checksum) }
        return checksum
    }

    private static func add(_ employee: some EmployeeValues, to checksum: inout Checksum) {
        checksum.add(
            id: employee.id, name: employee.lastName, salary: employee.salary, dateHired: employee.dateHired,
            boss: employee.boss)
    }
}
