import Foundation
import StrataCore
import StrataStoreKit
import StrataTesting
import Testing

/// Stores that are one file: they fulfill the contract of all stores, and the file contains their data.
@Suite("Store contract of stores in one file")
struct ContractTests {
    @Test(
        "a store in one file fulfills every rule of the contract, and its file contains all data",
        arguments: FileKind.allCases,
        StoreContract.checks)
    func obeys(_ kind: FileKind, _ check: StoreContract.Check) throws {
        let folder = try TemporaryFolder()
        let found = try check.violations { model in
            ReopenedStore(try kind.open(kind.file(in: folder), model)) {
                let store = try kind.open(kind.file(in: folder), model, isReadOnly: true)
                defer { #expect(throws: Never.self) { try store.close() } }
                return try store.everything()
            }
        }
        for violation in found { Issue.record("\(kind): \(violation)") }
    }
}

/// A store that is compared with its file when it is closed.
private final class ReopenedStore: PersistentStore {
    private let store: any PersistentStore
    private let stored: @Sendable () throws -> String

    init(_ store: any PersistentStore, stored: @escaping @Sendable () throws -> String) {
        (self.store, self.stored) = (store, stored)
    }

    var model: ManagedObjectModel { store.model }
    func information() throws -> StoreInformation { try store.information() }
    func openSnapshots(_ count: Int) throws -> [any StoreSnapshot] { try store.openSnapshots(count) }
    func save(_ changes: ChangeSet) throws -> [StoreConflict] { try store.save(changes) }

    func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64> {
        try store.reserveIdentifiers(count, of: entity)
    }

    func writeRows(_ body: (any RowWriter) throws -> Void) throws { try store.writeRows(body) }
    func metadata(forKey key: String) throws -> String? { try store.metadata(forKey: key) }
    func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws {
        try store.transaction(body)
    }

    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try store.fetch(request, body)
    }

    func count(_ request: ResolvedRequest) throws -> Int { try store.count(request) }
    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor { try store.openCursor(request) }

    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try store.joins(request, body)
    }

    func close() throws {
        do {
            // Identifiers that were only reserved are written to the file with the next write.
            try store.writeRows { try $0.setMetadata("at the end", forKey: "reached") }
            let held = try store.everything()
            #expect(try stored() == held)
        } catch let error as PersistenceError where error.code == .closed {
            // The check closed the store already.
        }
        try store.close()
    }
}
