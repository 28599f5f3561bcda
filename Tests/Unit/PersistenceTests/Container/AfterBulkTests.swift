import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// The state of a store after rows were written in bulk, and of the writer that wrote them.
@Suite("Stores and writers after a bulk write")
struct AfterBulkTests {
    private static let place = RowLocation(line: 1, record: 1)

    @Test(
        "a store still rejects a deletion that leaves a dangling reference after a bulk write",
        arguments: StoreKind.allCases.filter { $0 != .inMemory })
    func references(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(try StoreContract.model(), in: folder)
        try store.writeRows { writer in
            let nodes = try writer.inserter(of: "Node", InsertOptions())
            try nodes.insert(id: 1, values: [.string("a"), .null], location: Self.place)
            try nodes.insert(id: 2, values: [.string("b"), .null], location: Self.place)
        }
        let node = try store.model.entity(named: "Node")
        let reference = try #require(node.columns.firstIndex { $0.destination == "Node" })
        var changes = ChangeSet()
        let row = try #require(try store.rows(StoreRequest("Node")).last)
        var values = row.values
        values[reference] = .integer(1)
        changes["Node"].updates = [
            .init(id: 2, expectedVersion: row.version, values: values, changedColumns: [reference])
        ]
        #expect(try store.save(changes).isEmpty)
        // One statement deletes the row that another row refers to.
        let error = #expect(throws: PersistenceError.self) {
            try store.transaction { transaction in
                let sets = try #require(transaction as? any SetBasedTransaction)
                let isFirst = FetchCondition.compare(.property("id"), .equal, .constant(.integer(1)))
                let request = try StoreRequest("Node", where: isFirst).resolved(in: store.model)
                _ = try sets.delete(node, where: request.condition)
                return .commit
            }
        }
        #expect(error?.code == .danglingReference)
        #expect(try store.count(StoreRequest("Node")) == 2)
        try store.close()
    }

    @Test("a row block reports the outcome of each row of its last insert", arguments: StoreKind.allCases)
    func outcomes(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(try Library.model(), in: folder)
        try store.writeRows { writer in
            let tags = try writer.inserter(of: "Tag", InsertOptions(onConflict: .ignore))
            var block = RowBlock(of: try store.model.entity(named: "Tag"))
            block.reportsOutcomes = true
            block.beginRow(id: 1, location: Self.place)
            block.set(.string("war"), column: 0)
            try tags.insert(&block)
            #expect(block.outcomes == [.inserted])
            try tags.insert(&block)
            #expect(block.outcomes == [.leftOut])
        }
        try store.close()
    }

    @Test("a bulk writer throws for every call after its closure has ended", arguments: StoreKind.allCases)
    func kept(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(try Library.model(), in: folder)
        var kept: (any RowWriter)?
        try store.writeRows { kept = $0 }
        let writer = try #require(kept)
        let author = try store.model.entity(named: "Author")
        let join = try #require(store.model.joins.first)
        let uses: [() throws -> Void] = [
            { _ = try writer.row(1, of: author) }, { _ = try writer.inserter(of: "Author", InsertOptions()) },
            { try writer.removePairs(of: 1, isSource: true, join: join.name) }, { try writer.checkReferences() },
            { try writer.read { _ in } },
        ]
        for use in uses {
            let error = #expect(throws: PersistenceError.self) { try use() }
            #expect(error?.message == "the transaction is over; use it in its closure only")
        }
        try store.close()
    }
}
