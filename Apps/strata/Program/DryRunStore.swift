import Foundation
import StrataPersistence
import StrataStoreKit

/// The store for a dry run: the store itself, or, if it cannot be locked or written now, a copy of it.
///
/// Therefore a dry run does not wait for locks, and it also works without write permission.
final class DryRunStore: BulkWriting {
    private let container: PersistentContainer

    private init(_ container: PersistentContainer) {
        self.container = container
    }

    /// Opens an existing store, runs `body`, and closes the store.
    static func run(
        _ description: PersistentStoreDescription, _ model: ManagedObjectModel, _ body: (any BulkWriting) throws -> Void
    ) throws {
        var unwaiting = description
        unwaiting.busyTimeout = .zero
        let container: PersistentContainer
        do {
            container = try Stores.container(unwaiting, model)
        } catch let error as PersistenceError where isBlocking(error) {
            container = try Stores.container(description.readOnly, model)
        }
        try Stores.using(container) { try body(DryRunStore($0)) }
    }

    /// Returns a Boolean value that indicates whether an error only means that the store cannot be written now.
    private static func isBlocking(_ error: PersistenceError) -> Bool {
        [.locked, .readOnly, .permissionDenied, .diskFull, .inputOutput, .cannotCreate].contains(error.code)
    }

    var model: ManagedObjectModel { container.model }

    func metadata(forKey key: String) throws -> String? { try container.metadata(forKey: key) }

    @discardableResult
    func batchWrite(_ body: (BatchWriter) throws -> Void) throws -> [String: InsertCounts] {
        var hasBegun = false
        do {
            return try container.batchWrite { writer in
                hasBegun = true
                try body(writer)
            }
        } catch let error as PersistenceError where !hasBegun && Self.isBlocking(error) {
            return try inCopy(body)
        }
    }

    private func inCopy(_ body: (BatchWriter) throws -> Void) throws -> [String: InsertCounts] {
        let folder = try TemporaryStores.folder()
        defer { TemporaryStores.remove(folder) }
        let copy = folder.url.appendingPathComponent("copy.sqlite")
        do {
            try container.copyPersistentStore(to: .sqlite(at: copy))
            return try Stores.using(try Stores.container(.sqlite(at: copy), model)) { try $0.batchWrite(body) }
        } catch var error as PersistenceError where error.path == copy.path && error.code.isOfStore {
            error.message = "in a copy of the store: \(error.message)"
            throw error
        }
    }
}
