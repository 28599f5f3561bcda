import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Batches store no values that a record's initializer rejects, because one such row would make reading all records
/// fail.
@Suite("Batches with values that a record's initializer rejects")
struct RefusedByInitializerTests {
    private typealias Customer = Bazaar.Customer

    private static let place = RowLocation(line: 7, record: 3)

    /// Returns a stack with customers 1 to 10: the even ones have no credit, and the odd ones are in city 1.
    private static func shop(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.stack(try Bazaar.model())
        var changes = ChangeSet()
        changes["City"].insertions = [.init(id: 1, values: [.string("Ur")]), .init(id: 2, values: [.string("Uruk")])]
        changes["Customer"].insertions = (Int64(1)...10).map { id in
            let isOdd = id % 2 == 1
            let values: [StoredValue] = [.string("c\(id)"), .integer(isOdd ? id : 0), isOdd ? .integer(1) : .null]
            return .init(id: id, values: values)
        }
        changes["Tag"].insertions = ["One", "Two"].enumerated().map { index, word in
            .init(id: Int64(index + 1), values: [.string(word), .string(word.lowercased())])
        }
        _ = try stack.container.coordinator.store.save(changes)
        return stack
    }

    private static func rows(_ stack: TestStack) throws -> [[StoredRow]] {
        try ["City", "Customer", "Tag"].map { try stack.container.coordinator.store.rows(StoreRequest($0)) }
    }

    /// Returns the error of a batch, and expects that the batch stores nothing and that the records can be read
    /// afterwards.
    private static func refusal(_ stack: TestStack, _ body: () throws -> Void) throws -> PersistenceError {
        let before = try rows(stack)
        let error = try persistenceError(body)
        #expect(error.code == .validation)
        #expect(try rows(stack) == before)
        let listed = try stack.background.performAndWait { try $0.fetchRecords(FetchRequest<Customer>()).count }
        #expect(listed == 10)
        return error
    }

    private static func isOne(_ ids: Int64...) -> FetchCondition {
        .isIn(.property("id"), ids.map(StoredValue.integer))
    }

    // MARK: Updates

    @Test(
        "a batch update to a value that the initializer rejects reports the object and the reason",
        arguments: StoreKind.allCases)
    func update(_ kind: StoreKind) throws {
        let stack = try Self.shop(kind)
        let error = try Self.refusal(stack) {
            try stack.container.batchUpdate(
                Customer.self, where: .matching(#Predicate { $0.name == "c4" }), [.set(\.name, to: "")])
        }
        #expect(
            "\(error)" == """
                Customer: the record's initializer rejects the values:
                  Customer 4: Customer rejects the value
                """)
        #expect(error.failures.map(\.reason) == ["a customer has a name"])
        #expect(error.id == 4 && error.underlying is Bazaar.Refusal)
    }

    @Test("a batch update reports every object that the initializer rejects", arguments: StoreKind.allCases)
    func several(_ kind: StoreKind) throws {
        let stack = try Self.shop(kind)
        let error = try Self.refusal(stack) {
            try stack.container.batchUpdate("Customer", set: ["city": .constant(.null)])
        }
        #expect(error.failures.map(\.id) == [1, 3, 5, 7, 9])
        #expect(error.failures.allSatisfy { $0.rule == .rejected(by: "Customer", reason: "credit needs a city") })
    }

    @Test("a batch update stores no calculated values that the initializer rejects", arguments: StoreKind.allCases)
    func calculated(_ kind: StoreKind) throws {
        let stack = try Self.shop(kind)
        let credit = FetchOperand.property("credit")
        let raise = ["credit": FetchOperand.arithmetic(credit, .add, .constant(.integer(1)))]
        let error = try Self.refusal(stack) { try stack.container.batchUpdate("Customer", set: raise) }
        #expect(error.failures.map(\.id) == [2, 4, 6, 8, 10])
        try stack.container.batchUpdate("Customer", where: Self.isOne(1, 3), set: raise)
    }

    @Test("a dry run reports the objects that the initializer rejects", arguments: StoreKind.allCases)
    func dryRun(_ kind: StoreKind) throws {
        let stack = try Self.shop(kind)
        let error = try Self.refusal(stack) {
            try stack.container.batchUpdate(Customer.self, [.set(\.name, to: "")], dryRun: true)
        }
        #expect(error.failures.count == 10)
    }

    @Test(
        "an invalid stored row can be corrected and does not prevent updates of other rows",
        arguments: StoreKind.allCases)
    func repaired(_ kind: StoreKind) throws {
        let stack = try Self.shop(kind)
        var changes = ChangeSet()
        // This write bypasses every context.
        changes["Customer"].insertions = [.init(id: 11, values: [.string(""), .integer(0), .null])]
        _ = try stack.container.coordinator.store.save(changes)
        let error = try persistenceError {
            try stack.container.batchUpdate("Customer", set: ["city": .constant(.integer(2))])
        }
        #expect(error.failures.map(\.id) == [11])
        try stack.container.batchUpdate("Customer", where: Self.isOne(1, 2), set: ["city": .constant(.integer(2))])
        try stack.container.batchUpdate("Customer", where: Self.isOne(11), set: ["name": .constant(.string("x"))])
        #expect(try stack.background.performAndWait { try $0.fetchRecords(FetchRequest<Customer>()).count } == 11)
    }

    @Test(
        "a batch update reports at most a hundred objects that the initializer rejects", arguments: StoreKind.allCases)
    func many(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Bazaar.model())
        var changes = ChangeSet()
        // The identifiers are far apart and close together.
        changes["Customer"].insertions = (1...3_000).map { number in
            .init(id: number > 2_000 ? number * 50 : number, values: [.string("c"), .integer(0), .null])
        }
        _ = try stack.container.coordinator.store.save(changes)
        let error = try persistenceError {
            try stack.container.batchUpdate(Customer.self, [.set(\.name, to: "")])
        }
        #expect(error.failures.count == 100)
        #expect(
            "\(error)".hasPrefix(
                "Customer: the record's initializer rejects the values of at least 100 objects:"))
        let last = try persistenceError {
            try stack.container.batchUpdate(
                "Customer", where: .compare(.property("id"), .greater, .constant(.integer(149_900))),
                set: ["name": .constant(.string(""))])
        }
        #expect(last.failures.map(\.id) == [149_950, 150_000])
    }

    @Test("a batch deletion validates the rows whose references it clears", arguments: StoreKind.allCases)
    func nullified(_ kind: StoreKind) throws {
        let stack = try Self.shop(kind)
        let error = try Self.refusal(stack) { try stack.container.batchDelete("City", where: Self.isOne(1)) }
        #expect(error.failures.map(\.id) == [1, 3, 5, 7, 9])
        try stack.container.batchUpdate(
            "Customer", set: ["credit": .constant(.integer(0))])
        let result = try stack.container.batchDelete("City", where: Self.isOne(1))
        #expect(result.identifiers == [1] && result.changes.updated == ["Customer": [1, 3, 5, 7, 9]])
    }

    // MARK: Computed attributes

    @Test("a batch update recomputes computed attributes and cannot set them", arguments: StoreKind.allCases)
    func computed(_ kind: StoreKind) throws {
        let stack = try Self.shop(kind)
        try stack.container.batchUpdate("Tag", where: Self.isOne(2), set: ["word": .constant(.string("Three"))])
        #expect(try Self.rows(stack)[2].map { $0.values[1] } == [.string("one"), .string("three")])
        #expect(try Self.rows(stack)[2].map(\.version) == [1, 2])
        func error(_ word: String) throws -> PersistenceError {
            try persistenceError {
                try stack.container.batchUpdate("Tag", where: Self.isOne(2), set: ["word": .constant(.string(word))])
            }
        }
        #expect(try error("ONE").code == .uniqueness)
        #expect(try error("Unlimited").failures.map(\.attribute) == ["key"])
        let refused = try persistenceError {
            try stack.container.batchUpdate("Tag", set: ["key": .constant(.string("x"))])
        }
        #expect("\(refused)" == "Tag.key: is computed from other attributes")
    }

    private struct House: PersistentRecord, Hashable {
        let id: RecordID<House>
        var street: String

        static let pets = ToMany<House, Pet>("pets", to: "Pet", inverse: "house")
        static let entity = RecordEntity<House>(
            "House", id: \.id, [.attribute("street", \.street), .relationship(pets)]
        ) { House(id: try $0.id(), street: try $0.next()) }
    }

    /// A pet whose computed name depends on its house.
    private struct Pet: PersistentRecord, Hashable {
        let id: RecordID<Pet>
        var name: String
        var house: House.ID?

        var title: String { house == nil ? "stray \(name)" : name }

        static let entity = RecordEntity<Pet>(
            "Pet", id: \.id,
            [
                .attribute("name", \.name), .toOne("house", \.house, to: "House", inverse: "pets"),
                .computed("title", \.title),
            ]
        ) { Pet(id: try $0.id(), name: try $0.next(), house: try $0.next()) }
    }

    @Test("a batch deletion recomputes a value that depends on a cleared reference", arguments: StoreKind.allCases)
    func computedOfReference(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [House.self, Pet.self]))
        try stack.background.performAndWait { context in
            let house = try context.insert(House.self) { House(id: $0, street: "Elm") }
            try context.insert(Pet.self) { Pet(id: $0, name: "Rex", house: house.id) }
            try context.save()
        }
        #expect(try stack.container.batchDelete("House").count == 1)
        let store = stack.container.coordinator.store
        #expect(try store.count(StoreRequest("House")) == 0)
        let pets = try store.rows(StoreRequest("Pet"))
        #expect(pets.map(\.values) == [[.string("Rex"), .null, .string("stray Rex")]])
    }

    // MARK: Bulk writes

    @Test(
        "a bulk insert of values that the initializer rejects reports the location of the row",
        arguments: StoreKind.allCases)
    func insert(_ kind: StoreKind) throws {
        let stack = try Self.shop(kind)
        let error = try Self.refusal(stack) {
            try stack.container.batchInsert(into: "Customer") { rows in
                try rows.insert(values: [.string("new"), .integer(0), .null], location: Self.place)
                try rows.insert(id: 12, values: [.string(""), .integer(0), .null], location: Self.place)
            }
        }
        #expect(error.failures.map(\.debugDescription) == ["Customer 12: a customer has a name"])
        #expect(error.location == Self.place)
    }

    @Test(
        "a bulk insert of row blocks validates each row with its omitted and default values",
        arguments: StoreKind.allCases)
    func blocks(_ kind: StoreKind) throws {
        let stack = try Self.shop(kind)
        func insert(_ name: String, credit: Int64?) throws {
            try stack.container.batchInsert(into: "Customer") { rows in
                var block = RowBlock(of: rows.entity)
                block.beginRow(location: Self.place)
                block.set(.string(name), column: 0)
                if let credit { block.setInteger(credit, column: 1) }
                try rows.insert(&block)
            }
        }
        #expect(try Self.refusal(stack) { try insert("new", credit: 5) }.location == Self.place)
        try insert("new", credit: nil)
    }

    @Test(
        "a bulk insert that updates a row validates the new values together with the unchanged values",
        arguments: StoreKind.allCases)
    func upsert(_ kind: StoreKind) throws {
        let stack = try Self.shop(kind)
        func raise(_ id: Int64) throws {
            try stack.container.batchInsert(into: "Customer", InsertOptions(onConflict: .update)) { rows in
                var block = RowBlock(of: rows.entity)
                block.beginRow(id: id, location: Self.place)
                block.setInteger(99, column: 1)
                try rows.insert(&block)
            }
        }
        let error = try Self.refusal(stack) { try raise(2) }
        #expect(error.failures.map(\.debugDescription) == ["Customer 2: credit needs a city"])
        try raise(1)
        #expect(try Self.rows(stack)[1][0].values[1] == .integer(99))
    }

    @Test("an invalid stored row does not prevent a bulk insert from writing other rows", arguments: StoreKind.allCases)
    func others(_ kind: StoreKind) throws {
        let stack = try Self.shop(kind)
        var changes = ChangeSet()
        // This write bypasses every context.
        changes["Customer"].insertions = [.init(id: 11, values: [.string(""), .integer(0), .null])]
        _ = try stack.container.coordinator.store.save(changes)
        func write(id: Int64?, name: String?, _ onConflict: InsertOptions.ConflictAction) throws {
            try stack.container.batchInsert(into: "Customer", InsertOptions(onConflict: onConflict)) { rows in
                var block = RowBlock(of: rows.entity)
                block.beginRow(id: id, location: Self.place)
                if let name { block.set(.string(name), column: 0) }
                block.setInteger(99, column: 1)
                block.setInteger(1, column: 2)
                try rows.insert(&block)
            }
        }
        try write(id: nil, name: "new", .abort)
        try write(id: 1, name: nil, .update)
        #expect(try Self.rows(stack)[1].count == 12)
        let error = try persistenceError { try write(id: 11, name: nil, .update) }
        #expect(error.failures.map(\.debugDescription) == ["Customer 11: a customer has a name"])
    }

    // MARK: Declarations

    private struct Broken: PersistentRecord {
        let id: RecordID<Broken>
        var text: String

        static let entity = RecordEntity<Broken>(
            "Broken", id: \.id, [.attribute("text", \.text)], rules: .model
        ) { row in
            let text: String = try row.next()
            throw Bazaar.Refusal(description: "never \(text.isEmpty)")
        }
    }

    @Test("a record type that declares no rules of its own is rejected if its initializer rejects a sample")
    func promise() throws {
        let error = try persistenceError { _ = try ManagedObjectModel(records: [Broken.self]) }
        #expect(error.code == .invalidModel && error.entity == "Broken" && error.underlying is Bazaar.Refusal)
    }
}
