import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Batch updates in every kind of store.
@Suite("Batch updates")
struct BatchUpdateTests {
    private static func number(_ number: Int64) -> FetchOperand { .constant(.integer(number)) }
    private static let size = FetchOperand.property("size")

    /// Returns a stack with files 1 to 10 of sizes 10 to 100; the odd ones have the codes c1, c3 and so on.
    private func yard(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.stack(Yard.model())
        var changes = ChangeSet()
        changes["Folder"].insertions = (1...3).map { .init(id: $0, values: [.null, .null]) }
        for id in Int64(1)...10 {
            let code: StoredValue = id % 2 == 0 ? .null : .string("c\(id)")
            let original: StoredValue = id > 1 ? .integer(1) : .null
            let values: [StoredValue] = [.integer(id * 10), code, .integer((id - 1) % 3 + 1), original]
            changes["File"].insertions.append(.init(id: id, values: values))
        }
        _ = try stack.container.coordinator.store.save(changes)
        return stack
    }

    private func files(_ stack: TestStack) throws -> [StoredRow] {
        try stack.container.coordinator.store.rows(StoreRequest("File"))
    }

    private func column(_ index: Int, _ stack: TestStack) throws -> [StoredValue] {
        try files(stack).map { $0.values[index] }
    }

    @Test("a batch update sets constant and calculated values in the selected rows", arguments: StoreKind.allCases)
    func updates(_ kind: StoreKind) throws {
        let stack = try yard(kind)
        let isSmall = FetchCondition.compare(Self.size, .lessOrEqual, Self.number(30))
        let result = try stack.container.batchUpdate(
            "File", where: isSmall,
            set: ["size": .arithmetic(Self.size, .multiply, Self.number(2)), "folder": .constant(.null)])
        #expect((result.selectedCount, result.count, result.isDryRun) == (3, 3, false))
        #expect(result.identifiers == [1, 2, 3] && result.changes.updated == ["File": [1, 2, 3]])
        #expect(try column(0, stack) == [20, 40, 60, 40, 50, 60, 70, 80, 90, 100].map(StoredValue.integer))
        #expect(try column(2, stack).prefix(4) == [.null, .null, .null, .integer(1)])
        #expect(try files(stack).map(\.version) == [2, 2, 2, 1, 1, 1, 1, 1, 1, 1])
    }

    @Test(
        "a batch update calculates values with functions, and an overflow changes nothing",
        arguments: StoreKind.allCases)
    func functions(_ kind: StoreKind) throws {
        let stack = try yard(kind)
        let (code, distance) = (
            FetchOperand.property("code"), FetchOperand.arithmetic(Self.size, .subtract, Self.number(45))
        )
        _ = try stack.container.batchUpdate(
            "File",
            set: [
                "size": .function(.rounded(digits: -1), .function(.absolute, distance)),
                "code": .function(.uppercased, code),
            ])
        #expect(try column(0, stack) == [40, 30, 20, 10, 10, 20, 30, 40, 50, 60].map(StoredValue.integer))
        #expect(try column(1, stack).prefix(3) == [.string("C1"), .null, .string("C3")])
        let greatest = FetchOperand.arithmetic(Self.size, .add, Self.number(.max - 60))
        let error = #expect(throws: PersistenceError.self) {
            try stack.container.batchUpdate("File", set: ["size": .function(.rounded(digits: -1), greatest)])
        }
        #expect(error?.code == .arithmetic)
        #expect(try files(stack).map(\.version) == Array(repeating: 2, count: 10))
    }

    @Test("a batch update does not write rows that have the new value already", arguments: StoreKind.allCases)
    func unchanged(_ kind: StoreKind) throws {
        let stack = try yard(kind)
        let result = try stack.container.batchUpdate("File", set: ["size": Self.number(50)])
        #expect((result.selectedCount, result.count) == (10, 9))
        #expect(try files(stack).map(\.version) == [2, 2, 2, 2, 1, 2, 2, 2, 2, 2])
        let nothing = try stack.container.batchUpdate("File", where: .constant(false), set: ["size": Self.number(1)])
        #expect((nothing.selectedCount, nothing.count, nothing.changes.isEmpty) == (0, 0, true))
    }

    @Test("a batch update that reads related rows uses their values before the update", arguments: StoreKind.allCases)
    func across(_ kind: StoreKind) throws {
        let stack = try yard(kind)
        let doubled = FetchOperand.arithmetic(.related("original", Self.size), .multiply, Self.number(2))
        try stack.container.batchUpdate("File", set: ["size": .coalesce(doubled, Self.number(7))])
        #expect(try column(0, stack) == [7, 20, 20, 20, 20, 20, 20, 20, 20, 20].map(StoredValue.integer))
    }

    @Test("a dry run of a batch update checks all rules and stores nothing", arguments: StoreKind.allCases)
    func dryRun(_ kind: StoreKind) throws {
        let stack = try yard(kind)
        let before = try files(stack)
        let result = try stack.container.batchUpdate("File", set: ["size": Self.number(1)], dryRun: true)
        #expect((result.selectedCount, result.count, result.isDryRun) == (10, 10, true))
        let error = try persistenceError {
            try stack.container.batchUpdate("File", set: ["folder": Self.number(99)], dryRun: true)
        }
        #expect(error.code == .danglingReference)
        #expect(try files(stack) == before)
    }

    @Test(
        "a batch update whose values break the model's rules throws and stores nothing", arguments: StoreKind.allCases)
    func rules(_ kind: StoreKind) throws {
        let stack = try yard(kind)
        let before = try files(stack)
        func failure(_ values: [String: FetchOperand], where condition: FetchCondition? = nil) throws
            -> PersistenceError
        {
            try persistenceError { try stack.container.batchUpdate("File", where: condition, set: values) }
        }
        let broken = try failure(["size": .arithmetic(Self.size, .multiply, Self.number(11))])
        #expect(broken.code == .validation && broken.failures.map(\.id) == [10])
        #expect(
            broken.description == """
                File: a rule of the model is broken:
                  File 10, size: is greater than 1000
                """)
        let all = try failure(["size": .constant(.null), "folder": Self.number(-1)])
        #expect(all.failures.count == 20)
        let wrong = try failure(
            ["size": .constant(.string("big"))], where: .compare(.property("id"), .equal, Self.number(1)))
        #expect(wrong.code == .validation && wrong.failures.count == 1)
        #expect(try failure(["code": .constant(.string("same"))]).code == .uniqueness)
        let overflow = try failure(["size": .arithmetic(Self.size, .multiply, Self.number(.max))])
        #expect(overflow.code == .arithmetic)
        #expect("\(overflow)" == "File: object 1: the new value overflows or divides by zero")
        #expect(try files(stack) == before)
    }

    @Test(
        "a batch update that calculates a number outside its type's range throws and stores nothing",
        arguments: StoreKind.allCases, [AttributeType.integer16, .integer32])
    func width(_ kind: StoreKind, _ type: AttributeType) throws {
        let range = try #require(type.integerRange)
        let stack = try kind.stack(
            try ManagedObjectModel([
                EntityDescription("Place", [.attribute(.init("height", type, isOptional: true))])
            ]))
        var changes = ChangeSet()
        changes["Place"].insertions = [range.lowerBound, 0, range.upperBound].enumerated().map { index, height in
            .init(id: Int64(index + 1), values: [.integer(height)])
        }
        _ = try stack.container.coordinator.store.save(changes)
        for (step, id) in [(-1, 1), (1, 3)] as [(Int64, Int64)] {
            let error = try persistenceError {
                try stack.container.batchUpdate(
                    "Place", set: ["height": .arithmetic(.property("height"), .add, Self.number(step))])
            }
            #expect(error.code == .validation && error.failures.map(\.id) == [id])
        }
        let rows = try stack.container.coordinator.store.rows(StoreRequest("Place"))
        #expect(rows.map { $0.values[0] } == [range.lowerBound, 0, range.upperBound].map(StoredValue.integer))
    }

    @Test("a batch update may move unique values from one row to another", arguments: StoreKind.allCases)
    func exchange(_ kind: StoreKind) throws {
        let stack = try kind.stack(
            try ManagedObjectModel([
                EntityDescription("Place", [.attribute(.init("rank", .integer64, isUnique: true))])
            ]))
        var changes = ChangeSet()
        changes["Place"].insertions = (1...2500).map { .init(id: $0, values: [.integer($0)]) }
        _ = try stack.container.coordinator.store.save(changes)
        let rank = FetchOperand.property("rank")
        try stack.container.batchUpdate("Place", set: ["rank": .arithmetic(rank, .add, Self.number(1))])
        try stack.container.batchUpdate("Place", set: ["rank": .arithmetic(Self.number(2503), .subtract, rank)])
        let rows = try stack.container.coordinator.store.rows(StoreRequest("Place"))
        let expected = (1...2500).map { StoredValue.integer(2502 - $0) }
        #expect(rows.map { $0.values[0] } == expected)
        #expect(rows.allSatisfy { $0.version == 3 })
    }

    @Test(
        "a batch update of a property that cannot be set throws an error with the reason", arguments: StoreKind.allCases
    )
    func refused(_ kind: StoreKind) throws {
        let stack = try kind.stack(Staff.model())
        let cases: [([String: FetchOperand], String)] = [
            ([:], "Employee: a batch update sets no value"),
            (["id": Self.number(1)], "Employee.id: an identifier cannot be changed"),
            (["dateHired": .constant(.null)], "Employee.dateHired: cannot be changed after the insertion"),
            (
                ["badge": Self.number(1)],
                "Employee.badge: a batch update can set only attributes and to-one relationships with a column"
            ),
            (
                ["nothing": Self.number(1)],
                "Employee.nothing: a batch update can set only attributes and to-one relationships with a column"
            ),
            (["age": .property("lastName")], "Employee.age: a string cannot be stored in a whole number"),
            (["age": .property("salary")], "Employee.age: a decimal cannot be stored in a whole number"),
            (["age": .property("nothing")], "Employee: there is no attribute “nothing”"),
        ]
        for (values, message) in cases {
            let error = try persistenceError { try stack.container.batchUpdate("Employee", set: values) }
            #expect(error.code == .invalidRequest && "\(error)" == message)
        }
    }

    @Test("a batch update whose decimals cannot be stored exactly throws", arguments: StoreKind.allCases)
    func decimals(_ kind: StoreKind) throws {
        let stack = try kind.stack(Staff.model())
        let store = stack.container.coordinator.store
        let entity = try store.model.entity(named: "Employee")
        let text = try PredicateText("Employee", in: store.model)
        try stack.container.batchInsert(into: "Employee") { rows in
            for salary in [Int64(10_010), 10_015] {
                var values = entity.columns.map { _ in StoredValue.null }
                values[1] = .string("x")
                values[2] = .decimal(ScaledDecimal(unscaled: salary, scale: 2))
                try rows.insert(values: values, location: RowLocation(line: 1, record: 1))
            }
        }
        let raise = Dictionary(
            uniqueKeysWithValues: try text.assignments("salary = salary * 1.1").map { ($0.name, $0.value) })
        let error = try persistenceError { try stack.container.batchUpdate("Employee", set: raise) }
        #expect(error.failures.map(\.id) == [2])
        try stack.container.batchUpdate("Employee", where: try text.condition("id = 1"), set: raise)
        let found = try store.rows(StoreRequest("Employee")).map { $0.values[2].description }
        #expect(found == ["110.11", "100.15"])
    }

    @Test(
        "a batch update that breaks a bound on a relationship's number of objects is rejected",
        arguments: StoreKind.allCases)
    func bounds(_ kind: StoreKind) throws {
        let model = try ManagedObjectModel([
            EntityDescription(
                "Team",
                [
                    .relationship(
                        .init("players", to: "Player", .toMany, inverse: "team", minimumCount: 1, maximumCount: 3))
                ]),
            EntityDescription("Player", [.relationship(.init("team", to: "Team", .toOne, inverse: "players"))]),
        ])
        let stack = try kind.stack(model)
        var changes = ChangeSet()
        changes["Team"].insertions = [.init(id: 1, values: []), .init(id: 2, values: [])]
        changes["Player"].insertions = (1...4).map { .init(id: $0, values: [.integer($0 > 2 ? 2 : 1)]) }
        _ = try stack.container.coordinator.store.save(changes)
        let error = try persistenceError { try stack.container.batchUpdate("Player", set: ["team": Self.number(2)]) }
        #expect(error.failures.map(\.rule) == [.maximumCount(3)])
        #expect(error.failures.map(\.value) == [.integer(4)])
        try stack.container.batchUpdate(
            "Player", where: .compare(.property("id"), .equal, Self.number(1)), set: ["team": Self.number(2)])
        #expect(
            try stack.container.coordinator.store.rows(StoreRequest("Player")).map { $0.values[0] } == [
                .integer(2), .integer(1), .integer(2), .integer(2),
            ])
    }

    @Test(
        "contexts merge the rows that a batch changes, and their own changes to these rows cause conflicts",
        arguments: StoreKind.allCases)
    func merging(_ kind: StoreKind) async throws {
        let stack = try yard(kind)
        let merging = stack.container.newBackgroundContext(automaticallyMergesChangesFromParent: true)
        let silent = stack.container.newBackgroundContext()
        let keeper = Keeper()
        try await merging.perform { context in
            for file in try context.fetch(FetchRequest<Yard.File>()) { keeper.keep(file) }
        }
        try await silent.perform { context in
            try context.existingObject(with: LibraryID(unchecked: 1), of: Yard.File.self).size = 99
        }
        try stack.container.batchUpdate(Yard.File.self, [.set(\.size, to: 5)])
        try stack.container.batchDelete(
            Yard.File.self, where: .condition(.compare(.property("id"), .equal, Self.number(3))))
        try await merging.perform { context in
            let first = try #require(context.registeredObject(for: LibraryID(unchecked: 1), of: Yard.File.self))
            #expect(first.size == 5)
            #expect(context.registeredObject(for: LibraryID(unchecked: 3), of: Yard.File.self) == nil)
            keeper.release()
        }
        try await silent.perform { context in
            let error = try persistenceError { try context.save() }
            #expect(error.code == .conflict)
        }
    }

    @Test("contexts merge the rows that a bulk insert updates", arguments: StoreKind.allCases)
    func upsert(_ kind: StoreKind) async throws {
        let stack = try yard(kind)
        let merging = stack.container.newBackgroundContext(automaticallyMergesChangesFromParent: true)
        let keeper = Keeper()
        try await merging.perform { context in
            for file in try context.fetch(FetchRequest<Yard.File>()) { keeper.keep(file) }
        }
        let counts = try stack.container.batchWrite { writer in
            let files = try writer.inserter(of: "File", InsertOptions(onConflict: .update))
            var block = RowBlock(of: files.entity)
            block.beginRow(id: 1, location: RowLocation(line: 1, record: 1))
            block.setInteger(77, column: try #require(files.entity.columnIndex("size")))
            try files.insert(&block)
        }
        #expect(counts["File"]?.updated == 1)
        try await merging.perform { context in
            let first = try #require(context.registeredObject(for: LibraryID(unchecked: 1), of: Yard.File.self))
            #expect(first.size == 77)
            keeper.release()
        }
    }

    @Test("a batch update may set properties of a record type by key path", arguments: StoreKind.allCases)
    func typed(_ kind: StoreKind) throws {
        let stack = try yard(kind)
        let result = try stack.container.batchUpdate(
            Yard.File.self, where: .matching(#Predicate { $0.size > 80 }),
            [.set(\.code, to: nil), .set(\.size, toValueOf: .arithmetic(Self.size, .subtract, Self.number(1)))])
        #expect(result.identifiers == [9, 10])
        #expect(try column(0, stack).suffix(2) == [.integer(89), .integer(99)])
        let twice = try persistenceError {
            try stack.container.batchUpdate(Yard.File.self, [.set(\.size, to: 1), .set(\.size, to: 2)])
        }
        #expect("\(twice)" == "File.size: a batch update sets the property twice")
    }

    @Test(
        "a batch's result lists identifiers in ascending order, whichever index selects the rows",
        arguments: StoreKind.allCases)
    func order(_ kind: StoreKind) throws {
        let attribute = AttributeDescription("size", .integer64, isIndexed: true)
        let stack = try kind.stack(try ManagedObjectModel([EntityDescription("File", [.attribute(attribute)])]))
        var changes = ChangeSet()
        // The greater the identifier, the smaller the size: the index returns the rows in reverse order.
        changes["File"].insertions = (1...200).map { .init(id: $0, values: [.integer(1_000 - $0)]) }
        _ = try stack.container.coordinator.store.save(changes)
        let isSome = FetchCondition.all([
            .compare(Self.size, .greaterOrEqual, Self.number(900)), .compare(Self.size, .less, Self.number(950)),
        ])
        let result = try stack.container.batchUpdate(
            "File", where: isSome, set: ["size": .arithmetic(Self.size, .subtract, Self.number(1))])
        #expect(result.identifiers == Array(51...100))
        #expect(try stack.container.batchDelete("File", where: isSome).identifiers == Array(51...99))
    }
}
