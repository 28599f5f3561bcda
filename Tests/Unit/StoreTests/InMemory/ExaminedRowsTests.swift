import PersistenceTestSupport
import StrataInMemory
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// The number of rows that the in-memory store examines: if an index is used, only the requested rows, however many
/// others there are.
@Suite("Rows that the in-memory store examines")
struct ExaminedRowsTests {
    private static let houseCount: Int64 = 20_000
    private static let streetCount: Int64 = 1_000
    /// The number of houses in a street.
    private static let share = 20

    /// A store of 20,000 houses in 1,000 streets; every hundredth house is an annex of the first, and no person has a
    /// key.
    private static let prepared = Result { () throws -> InMemoryStore in
        let store = InMemoryStore(model: try Estate.model())
        try store.writeRows { writer in
            try insert(streetCount, "Street", into: writer) { [.string("Street \($0)")] }
            try insert(1, "Keyholder", into: writer) { _ in [.string("Ada")] }
            try insert(houseCount, "House", into: writer) { id in
                [
                    .integer(id * 3), .string("House \(id % 5_000)"), .null, .double(Double(id % 4_000)),
                    .boolean(id % 1_000 == 0), .integer(id % streetCount + 1), id % 100 == 0 ? .integer(1) : .null,
                    .null,
                ]
            }
        }
        return store
    }

    private static func insert(
        _ count: Int64, _ entity: String, into writer: any RowWriter, _ values: (Int64) -> [StoredValue]
    ) throws {
        let inserter = try writer.inserter(of: entity, InsertOptions())
        var block = RowBlock(of: inserter.entity)
        for id in 1...count {
            block.beginRow(id: id, location: RowLocation(line: Int(id), record: Int(id)))
            for (column, value) in values(id).enumerated() { block.set(value, column: column) }
        }
        try inserter.insert(&block)
    }

    private let store: InMemoryStore

    init() throws { store = try Self.prepared.get().copy() }

    /// Returns the number of rows examined during `body`.
    private func examined(by body: () throws -> Void) throws -> Int {
        let before = try store.examinedRowCount
        try body()
        return try store.examinedRowCount - before
    }

    private func examined(_ condition: FetchCondition, finds count: Int) throws -> Int {
        try examined { () throws in
            #expect(try store.rows(StoreRequest("House", where: condition)).count == count)
        }
    }

    private static func isEqual(_ name: String, _ value: StoredValue) -> FetchCondition {
        .compare(.property(name), .equal, .constant(value))
    }

    @Test("reading a to-many relationship examines only the related rows")
    func toMany() throws {
        let library = InMemoryStore(model: try Library.model())
        try library.writeRows { writer in
            try Self.insert(Self.streetCount, "Author", into: writer) { [.string("Author \($0)"), .null] }
            try Self.insert(Self.houseCount, "Book", into: writer) { id in
                [.string("Book \(id)"), .integer(1), .integer(0), .integer(id % Self.streetCount + 1)]
            }
        }
        let container = try PersistentContainer(
            model: library.model, .custom("in-memory") { _ in library }, mainQueue: .private)
        try container.newBackgroundContext().performAndWait { (context) throws in
            let author = try context.author(7)
            let before = try library.examinedRowCount
            #expect(try context.objects(\.books, of: author).count == Self.share)
            #expect(try library.examinedRowCount - before == Self.share)
        }
        try container.close()
    }

    @Test("a condition on a unique value examines only the matching row")
    func unique() throws {
        #expect(try examined(Self.isEqual("code", .integer(3_000)), finds: 1) == 1)
        #expect(try examined(Self.isEqual("code", .double(3_000)), finds: 1) == 1)
        #expect(try examined(Self.isEqual("code", .integer(3_001)), finds: 0) == 0)
        #expect(try examined(.isIn(.property("code"), [3, 6, 6, 7].map(StoredValue.integer)), finds: 2) == 2)
        #expect(try examined(.compare(.constant(.integer(3)), .equal, .property("code")), finds: 1) == 1)
    }

    @Test("a condition on an indexed attribute or reference examines only the matching rows")
    func indexed() throws {
        #expect(try examined(Self.isEqual("street", .integer(7)), finds: Self.share) == Self.share)
        #expect(try examined(.isIn(.property("street"), [7, 8, 9].map(StoredValue.integer)), finds: 60) == 60)
        #expect(try examined(Self.isEqual("name", .string("House 17")), finds: 4) == 4)
        #expect(try examined(Self.isEqual("ratio", .integer(17)), finds: 5) == 5)
        #expect(try examined(.isTrue(.property("isSold")), finds: 20) == 20)
        #expect(try examined(.isIn(.property("annexOf"), [.integer(1)]), finds: 200) == 200)
        #expect(try examined(Self.isEqual("id", .integer(17)), finds: 1) == 1)
    }

    @Test("a conjunction uses the index of the condition with the fewest rows")
    func all() throws {
        let (street, sold) = (Self.isEqual("street", .integer(1_000)), FetchCondition.isTrue(.property("isSold")))
        let cheap = FetchCondition.compare(.property("ratio"), .less, .constant(.double(-1)))
        #expect(try examined(.all([cheap, street]), finds: 0) == Self.share)
        #expect(try examined(.all([cheap, .all([Self.isEqual("name", .string("House 17")), street])]), finds: 0) == 4)
        #expect(try examined(.all([sold, Self.isEqual("id", .integer(1_000))]), finds: 1) == 1)
    }

    @Test("a condition uses no index if an earlier condition may fail, because any row may cause the error")
    func fallible() throws {
        let quotient = FetchOperand.arithmetic(.constant(.integer(9)), .divideWhole, .property("code"))
        let fallible = FetchCondition.compare(quotient, .equal, .constant(.integer(3)))
        let street = Self.isEqual("street", .integer(7))
        #expect(try examined(.all([fallible, street]), finds: 0) == Int(Self.houseCount))
        #expect(try examined(.all([street, fallible]), finds: 0) == Self.share)
    }

    @Test("a condition without an index is evaluated for all rows")
    func scans() throws {
        let all = Int(Self.houseCount)
        #expect(try examined(Self.isEqual("annexOf", .null), finds: all - 200) == all)
        #expect(try examined(.not(Self.isEqual("street", .integer(7))), finds: all - Self.share) == all)
        let none = FetchCondition.compare(.property("code"), .less, .constant(.integer(3)))
        #expect(try examined(.any([Self.isEqual("street", .integer(7)), none]), finds: Self.share) == all)
    }

    @Test("a disjunction uses indexes if each of its conditions has an index")
    func anyOfSeveral() throws {
        let conditions = [Self.isEqual("street", .integer(7)), Self.isEqual("id", .integer(7))]
        #expect(try examined(.any(conditions), finds: 21) == 21)
        #expect(try examined(.any(conditions + conditions), finds: 21) == 21)
        #expect(try examined(.any([]), finds: 0) == 0)
    }

    @Test("a condition on an indexed attribute of a related entity examines only the matching rows")
    func related() throws {
        func related(_ name: String, _ condition: FetchCondition, finds count: Int) throws -> Int {
            try examined(.related(name, condition), finds: count)
        }
        // This examines one row of the destination and the rows related to it.
        #expect(try related("street", Self.isEqual("name", .string("Street 7")), finds: Self.share) == 1 + Self.share)
        #expect(try related("annexOf", Self.isEqual("code", .integer(3)), finds: 200) == 1 + 200)
        #expect(try related("annexes", Self.isEqual("id", .integer(100)), finds: 1) == 1 + 1)
        var changes = ChangeSet()
        changes.joins["House_neighbours"] = JoinChanges()
        changes.joins["House_neighbours"]?.added = [
            JoinRow(JoinPair(source: 5, target: 6)), JoinRow(JoinPair(source: 6, target: 7)),
        ]
        #expect(try store.save(changes).isEmpty)
        #expect(try related("neighbours", Self.isEqual("code", .integer(18)), finds: 2) == 1 + 2)
    }

    @Test("a deletion examines only the rows that refer to the deleted row")
    func deletion() throws {
        func delete(_ id: Int64, _ entity: String) throws {
            var changes = ChangeSet()
            let row = try #require(
                try store.rows(StoreRequest(entity, where: Self.isEqual("id", .integer(id)))).first)
            changes[entity].deletions = [.init(id: id, expectedVersion: row.version)]
            #expect(try store.save(changes).isEmpty)
        }
        // The row itself is read for its version in addition.
        #expect(try examined { try delete(20_000, "House") } == 1)
        let error = try persistenceError { try delete(7, "Street") }
        #expect(error.code == .danglingReference && error.value == "7")
        #expect(error.message == "object 6 refers to a missing Street", "the first by identifier")
        #expect(try examined { _ = try persistenceError { try delete(7, "Street") } } == 1 + Self.share)
    }

    @Test("the count of examined rows includes snapshots and transactions, but not copies of the store")
    func others() throws {
        let request = StoreRequest("House", where: Self.isEqual("street", .integer(7)))
        let copy = try store.copy()
        #expect(try copy.examinedRowCount == 0)
        let examined = try examined { () throws in
            let snapshot = try #require(try store.openSnapshots(1).first)
            #expect(try snapshot.count(request) == Self.share)
            try store.transaction { (transaction) throws in
                #expect(try transaction.count(request) == Self.share)
                return .rollBack
            }
            #expect(try copy.count(request) == Self.share)
        }
        #expect(examined == 2 * Self.share)
        #expect(try copy.examinedRowCount == Self.share)
    }

    @Test("indexes find the rows of a bulk write before and after the end of the write")
    func bulk() throws {
        let store = InMemoryStore(model: store.model)
        let request = StoreRequest("House", where: Self.isEqual("street", .integer(7)))
        try store.writeRows { (writer) throws in
            try Self.insert(10, "Street", into: writer) { [.string("Street \($0)")] }
            func insert(_ ids: ClosedRange<Int64>) throws {
                let inserter = try writer.inserter(of: "House", InsertOptions())
                for id in ids {
                    var values = [StoredValue](repeating: .null, count: 8)
                    values[Estate.Column.street] = .integer(id % 10 + 1)
                    try inserter.insert(id: id, values: values, location: RowLocation(line: 1, record: Int(id)))
                }
            }
            try insert(1...100)
            let before = try store.examinedRowCount
            try writer.read { (reader) throws in #expect(try reader.count(request) == 10) }
            #expect(try store.examinedRowCount - before == 10)
            try insert(101...200)
        }
        let before = try store.examinedRowCount
        #expect(try store.count(request) == 20)
        #expect(try store.examinedRowCount - before == 20)
    }
}
