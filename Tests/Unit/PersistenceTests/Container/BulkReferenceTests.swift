import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// References that the store contract's model lacks: rows with two references, and with a mandatory one.
@Suite("References of bulk rows")
struct BulkReferenceTests {
    /// Returns a store of bonds between two atoms, of which the first is mandatory.
    private func store(_ kind: StoreKind, _ folder: TemporaryFolder) throws -> any PersistentStore {
        try kind.open(
            try ManagedObjectModel([
                EntityDescription("Atom", [.attribute(.init("name", .string, isOptional: true))]),
                EntityDescription(
                    "Bond",
                    [
                        .relationship(.init("first", to: "Atom", .toOne, isOptional: false)),
                        .relationship(.init("second", to: "Atom", .toOne)),
                    ]),
            ]), in: folder)
    }

    private func write(
        _ store: any PersistentStore, _ options: InsertOptions, bonds: [(first: Int64, second: Int64)]
    ) throws -> InsertCounts {
        var inserter: (any RowInserter)?
        try store.writeRows { writer in
            let place = RowLocation(line: 1, record: 1)
            let atoms = try writer.inserter(of: "Atom", InsertOptions())
            for id in 1...2 { try atoms.insert(id: Int64(id), values: [.null], location: place) }
            inserter = try writer.inserter(of: "Bond", options)
            for (number, bond) in bonds.enumerated() {
                try inserter?.insert(
                    id: nil, values: [.integer(bond.first), .integer(bond.second)],
                    location: RowLocation(line: number + 11, record: number + 1))
            }
        }
        return try #require(inserter).counts
    }

    @Test("a bulk insert rejects a row with several dangling references once", arguments: StoreKind.allCases)
    func leftOutOnce(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try store(kind, folder)
        var records: [Int] = []
        let options = InsertOptions(onMissingReference: .reject) { records.append($0.location.record) }
        let counts = try write(store, options, bonds: [(1, 2), (8, 9), (1, 9), (8, 2)])
        #expect(records.sorted() == [2, 3, 4])
        #expect(counts.inserted == 1 && counts.rejected == 3)
        #expect(try store.rows(StoreRequest("Bond")).map(\.values) == [[.integer(1), .integer(2)]])
    }

    @Test(
        "a bulk insert rejects a mandatory dangling reference and replaces optional ones with null",
        arguments: StoreKind.allCases)
    func mandatory(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try store(kind, folder)
        let options = InsertOptions(onMissingReference: .null)
        let error = try persistenceError { _ = try write(store, options, bonds: [(1, 9), (2, 1), (8, 1)]) }
        #expect(error.code == .danglingReference && error.attribute == "first" && error.value == "8")
        #expect(error.location == RowLocation(line: 13, record: 3))
        #expect(try write(store, options, bonds: [(1, 9), (2, 1)]).nulledReferences == 1)
        #expect(
            try store.rows(StoreRequest("Bond")).map(\.values) == [[.integer(1), .null], [.integer(2), .integer(1)]])
    }

    @Test(
        "if rows of two inserters have one location, the error names the row of the first inserter",
        arguments: StoreKind.allCases)
    func samePlace(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try store(kind, folder)
        let error = try persistenceError {
            try store.writeRows { writer in
                for target in [8, 9] as [Int64] {
                    try writer.inserter(of: "Bond", InsertOptions()).insert(
                        id: nil, values: [.integer(target), .null], location: RowLocation(line: 2, record: 1))
                }
            }
        }
        #expect(error.code == .danglingReference && error.value == "8")
    }

    @Test(
        "a save with a dangling reference throws an error with the missing identifier", arguments: StoreKind.allCases
    )
    func update(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try store(kind, folder)
        _ = try write(store, InsertOptions(), bonds: [(1, 2)])
        let bond = try #require(try store.rows(StoreRequest("Bond")).first)
        var changes = ChangeSet()
        changes["Bond"].updates = [
            .init(
                id: bond.id, expectedVersion: bond.version, values: [.integer(1), .integer(9)], changedColumns: [1])
        ]
        let error = try persistenceError { _ = try store.save(changes) }
        #expect(error.code == .danglingReference && error.entity == "Bond")
        #expect(error.attribute == "second" && error.value == "9")
        #expect(try store.rows(StoreRequest("Bond")).first?.values == [.integer(1), .integer(2)])
    }
}
