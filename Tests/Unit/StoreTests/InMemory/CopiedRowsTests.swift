import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataStoreKit

/// In-memory stores that are copies of other stores.
@Suite("In-memory copies of other stores")
struct CopiedRowsTests {
    @Test("a copy rejects a row with an invalid identifier and reports the identifier")
    func identifiers() throws {
        let store = InMemoryStore(model: try Estate.model())
        var changes = ChangeSet()
        changes["Street"].insertions = [.init(id: 1, values: [.string("Elm")])]
        #expect(try store.save(changes).isEmpty)
        let snapshot = NumberedSnapshot(try #require(try store.openSnapshots(1).first), id: 0)
        let error = try persistenceError { _ = try InMemoryStore(copyOf: snapshot, model: store.model) }
        #expect(error.code == .validation && error.entity == "Street")
        #expect(error.failures.map(\.rule) == [.identifier] && error.failures.map(\.id) == [0])
        let numbered = NumberedSnapshot(snapshot, id: 7)
        #expect(try InMemoryStore(copyOf: numbered, model: store.model).rows(StoreRequest("Street")).map(\.id) == [7])
    }

    @Test("a referenced row can be deleted neither from a store nor from a copy of the store")
    func referredTo() throws {
        let store = InMemoryStore(model: try Estate.model())
        var values = [StoredValue](repeating: .null, count: 8)
        values[Estate.Column.street] = .integer(1)
        var changes = ChangeSet()
        changes["Street"].insertions = [.init(id: 1, values: [.string("Elm")])]
        changes["House"].insertions = [.init(id: 4, values: values)]
        #expect(try store.save(changes).isEmpty)
        let copy = try InMemoryStore(
            copyOf: try #require(try store.openSnapshots(1).first), model: store.model)
        var deletion = ChangeSet()
        deletion["Street"].deletions = [.init(id: 1, expectedVersion: 1)]
        for store in [store, copy] {
            let error = try persistenceError { _ = try store.save(deletion) }
            #expect(error.code == .danglingReference && error.entity == "House" && error.attribute == "street")
            #expect(try store.count(StoreRequest("Street")) == 1)
        }
    }
}

/// A snapshot with one row that has another identifier.
private final class NumberedSnapshot: StoreSnapshot {
    private let base: any StoreSnapshot
    private let id: Int64

    init(_ base: any StoreSnapshot, id: Int64) { (self.base, self.id) = (base, id) }

    var model: ManagedObjectModel { base.model }
    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        let columns = request.entity.columns.indices
        try base.fetch(request) { row in
            try body(
                RowReader(ValueRowSource(StoredRow(id: id, values: try columns.map { try row.value(at: $0) }))))
        }
    }
    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor { NumberedCursor(self, request) }
    func count(_ request: ResolvedRequest) throws -> Int { try base.count(request) }
    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try base.joins(request, body)
    }
    func identifierMarks() throws -> [String: Int64] { [:] }
    func metadata() throws -> [String: String] { [:] }
    func close() { base.close() }
}

private final class NumberedCursor: RowCursor {
    private let snapshot: NumberedSnapshot
    private let request: ResolvedRequest
    private var isOver = false

    init(_ snapshot: NumberedSnapshot, _ request: ResolvedRequest) {
        (self.snapshot, self.request) = (snapshot, request)
    }

    func next(_ body: (RowReader) throws -> Void) throws -> Bool {
        var exists = false
        if isOver { return false }
        try snapshot.fetch(request) { row in
            try body(row)
            exists = true
            return .stop
        }
        isOver = true
        return exists
    }
}
