import StrataCore
import StrataStoreKit

/// A cache of the identifiers that an entity's rows have, which is queried for every reference to the entity.
final class SQLForeignKeyCache {
    /// The count of lookups of one identifier each, after which the cache reads all identifiers of the entity at once.
    private static let questionsBeforeReading = 4096

    private var known = IdentifierSet()
    private let lookup: any SQLStatement
    private let everything: String
    private let connection: any SQLBulkConnection
    private var questions = 0

    init(_ entity: String, in layout: SQLLayout, on connection: any SQLBulkConnection) throws {
        self.connection = connection
        lookup = try connection.prepare(layout.existence(entity))
        everything = layout.identifiers(entity)
    }

    func exists(_ id: Int64) throws -> Bool {
        if known.contains(id) { return true }
        if known.isComplete { return false }
        questions += 1
        if questions == Self.questionsBeforeReading {
            try readEverything()
            if known.isComplete { return known.contains(id) }
        }
        defer { lookup.rewind() }
        try lookup.bind(id, at: 1)
        guard try lookup.step() else { return false }
        known.insert(id)
        return true
    }

    /// Records that a row with an identifier was inserted.
    func insert(_ id: Int64) { known.insert(id) }

    /// Records that the row with an identifier was removed.
    func remove(_ id: Int64) { known.remove(id) }

    private func readEverything() throws {
        known.isComplete = true
        try connection.forEachInteger(everything) { id in
            known.insert(id)
            // The cache becomes incomplete if there are more identifiers than it can store.
            return known.isComplete
        }
    }
}
