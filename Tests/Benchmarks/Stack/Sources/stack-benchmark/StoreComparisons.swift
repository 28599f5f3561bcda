import Foundation
import StrataPersistence
import StrataStoreKit

/// The same work over a store in memory and over SQLite; tests in memory must not be slower than on disk.
struct StoreComparisons {
    static let names = ["related-memory", "cascade-memory"]

    private static let ownerCount: Int64 = 1_000
    private static let childCount: Int64 = 20_000
    /// The owners that are fetched in one round, distributed over all.
    private static let askedOwners = stride(from: Int64(1), through: ownerCount, by: 10)
    private static let chainLength: Int64 = 5_000

    let folder: URL

    /// Prints a line `ratio NAME VALUE` for each name: the median time in memory divided by that on disk.
    func report(_ names: [String], rounds: Int) throws {
        for name in names {
            let result = try name == "related-memory" ? related(rounds) : cascade(rounds)
            // The side `strata` of the comparison is the store in memory.
            let (memory, disk) = (result.strata, result.grdb)
            print("\(name): in memory \(memory.median.text(2)) ms (least \(memory.least.text(2))),", terminator: " ")
            print("SQLite \(disk.median.text(2)) ms (least \(disk.least.text(2)))")
            print("ratio \(name) \(result.ratio.text(3))")
        }
    }

    /// Fetches the to-many relationship of one object after the other among many children, through a context.
    private func related(_ rounds: Int) throws -> Comparison.Result {
        let (memory, disk) = (try family(.inMemory), try family(.sqlite(at: file())))
        let result = try Comparison(
            name: "related-memory", strata: { try Self.followChildren(memory) }, grdb: { try Self.followChildren(disk) }
        ).run(rounds: rounds)
        for container in [memory, disk] { try container.close() }
        return result
    }

    /// Deletes the first object of a chain, whose cascade deletes the others one by one, and saves.
    private func cascade(_ rounds: Int) throws -> Comparison.Result {
        try Comparison(
            name: "cascade-memory", strata: { try Self.deleteChain(in: .inMemory) },
            grdb: { try Self.deleteChain(in: .sqlite(at: file())) }
        ).run(rounds: rounds)
    }

    private func file() -> URL { folder.appendingPathComponent("stores-\(UUID().uuidString).sqlite") }

    private func family(_ description: PersistentStoreDescription) throws -> PersistentContainer {
        let container = try PersistentContainer(
            model: try ManagedObjectModel(records: [Owner.self, Child.self]), description, mainQueue: .private)
        try container.batchWrite { writer in
            try Self.insert(Self.ownerCount, of: "Owner", writer) { [.string("Owner \($0)")] }
            // Each owner's children are far apart.
            try Self.insert(Self.childCount, of: "Child", writer) {
                [.string("Child \($0)"), .integer($0 % Self.ownerCount + 1)]
            }
        }
        return container
    }

    private static func followChildren(_ container: PersistentContainer) throws -> (Duration, Checksum) {
        try container.newBackgroundContext().performAndWait { context in
            let owners = try askedOwners.map { try context.existingObject(with: StoredID($0), of: Owner.self) }
            return try timed {
                var checksum = Checksum()
                for owner in owners {
                    for child in try context.objects(\.children, of: owner) { checksum.add(child.rawID, child.name) }
                }
                return checksum
            }
        }
    }

    private static func deleteChain(in description: PersistentStoreDescription) throws -> (Duration, Checksum) {
        let container = try PersistentContainer(
            model: try ManagedObjectModel(records: [Link.self]), description, mainQueue: .private)
        try container.batchWrite { writer in
            try insert(chainLength, of: "Link", writer) { [$0 == 1 ? .null : .integer($0 - 1)] }
        }
        let result = try container.newBackgroundContext().performAndWait { context in
            let head = try context.existingObject(with: StoredID(1), of: Link.self)
            return try timed {
                context.delete(head)
                var checksum = Checksum()
                for id in (try context.save().deleted["Link"] ?? []).sorted() { checksum.add(id, "") }
                return checksum
            }
        }
        try container.destroyPersistentStore()
        return result
    }

    private static func insert(
        _ count: Int64, of entity: String, _ writer: BatchWriter, _ values: (Int64) -> [StoredValue]
    ) throws {
        let inserter = try writer.inserter(of: entity, InsertOptions())
        for id in 1...count {
            let location = RowLocation(line: Int(id), record: Int(id))
            try inserter.insert(id: id, values: values(id), location: location)
        }
    }
}

extension Checksum {
    fileprivate mutating func add(_ id: Int64, _ name: String) {
        add(id: id, name: name, salary: 0, dateHired: Date(timeIntervalSinceReferenceDate: 0), boss: nil)
    }
}

/// The identifier of a row of these comparisons.
private struct StoredID: RecordIdentifier {
    let rawValue: Int64

    init(_ rawValue: Int64) { self.rawValue = rawValue }

    init?(rawValue: Int64) {
        guard identifierRange.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}

private struct Owner: PersistentRecord, Hashable {
    let id: StoredID
    var name: String

    static let children = ToMany<Owner, Child>("children", to: "Child", inverse: "owner")
    static let entity = RecordEntity<Owner>(
        "Owner", id: \.id, [.attribute("name", \.name), .relationship(children)]
    ) { Owner(id: try $0.id(), name: try $0.next()) }
}

private struct Child: PersistentRecord, Hashable {
    let id: StoredID
    var name: String
    var owner: StoredID?

    static let entity = RecordEntity<Child>(
        "Child", id: \.id,
        [.attribute("name", \.name), .toOne("owner", \.owner, to: "Owner", inverse: "children")]
    ) { Child(id: try $0.id(), name: try $0.next(), owner: try $0.next()) }
}

private struct Link: PersistentRecord, Hashable {
    let id: StoredID
    var previous: StoredID?

    static let next = ToMany<Link, Link>("next", to: "Link", inverse: "previous", deleteRule: .cascade)
    static let entity = RecordEntity<Link>(
        "Link", id: \.id, [.toOne("previous", \.previous, to: "Link", inverse: "next"), .relationship(next)]
    ) { Link(id: try $0.id(), previous: try $0.next()) }
}
