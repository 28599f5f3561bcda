import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// Uniqueness constraints that share an attribute with each other or with a one-to-one relationship.
///
/// Each constraint is resolved separately.
@Suite("Unique keys that share an attribute")
struct SharedKeyTests {
    struct Cell: PersistentRecord, Hashable {
        let id: RecordID<Cell>
        var row: Int
        var column: Int
        var layer: Int

        static let entity = RecordEntity<Cell>(
            "Cell", id: \.id,
            [.attribute("row", \.row), .attribute("column", \.column), .attribute("layer", \.layer)],
            uniquenessConstraints: [["row", "column"], ["column", "layer"]]
        ) { Cell(id: try $0.id(), row: try $0.next(), column: try $0.next(), layer: try $0.next()) }
    }

    struct Student: PersistentRecord, Hashable {
        let id: RecordID<Student>
        var name: String

        static let locker = ToOne<Student, Locker>("locker", to: "Locker", inverse: "student")
        static let entity = RecordEntity<Student>(
            "Student", id: \.id,
            [.attribute("name", \.name), .relationship(locker)]
        ) { Student(id: try $0.id(), name: try $0.next()) }
    }

    struct Locker: PersistentRecord, Hashable {
        let id: RecordID<Locker>
        var hall: Int
        var student: Student.ID?

        static let entity = RecordEntity<Locker>(
            "Locker", id: \.id,
            [.attribute("hall", \.hall), .toOne("student", \.student, to: "Student", inverse: "locker")],
            uniquenessConstraints: [["student", "hall"]]
        ) { Locker(id: try $0.id(), hall: try $0.next(), student: try $0.next()) }
    }

    @Test(
        "restoring the attributes of one violated constraint may also resolve a second constraint",
        arguments: StoreKind.allCases)
    func settled(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Cell.self]))
        let id = try stack.background.performAndWait { context in
            try context.insert(Cell.self) { Cell(id: $0, row: 1, column: 1, layer: 7) }
            try context.insert(Cell.self) { Cell(id: $0, row: 8, column: 1, layer: 1) }
            let id = try context.insert(Cell.self) { Cell(id: $0, row: 9, column: 9, layer: 9) }.id
            try context.save()
            return id
        }
        try stack.container.newBackgroundContext(mergePolicy: .mergeByPropertyStoreTrump).performAndWait { context in
            let cell = try context.existingObject(with: id, of: Cell.self)
            (cell.row, cell.column, cell.layer) = (1, 1, 1)
            try context.save()
        }
        let cell = try #require(try stack.stored(Cell.self).last)
        #expect(cell == Cell(id: id, row: 9, column: 9, layer: 1), "the layer is free where the column is the old one")
    }

    @Test(
        "the first violated constraint selects the row of an upsert, which may still violate the second constraint",
        arguments: StoreKind.allCases)
    func folded(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Cell.self]))
        let ids = try stack.background.performAndWait { context in
            let cells = try [(1, 1, 7), (8, 1, 1)].map { row, column, layer in
                try context.insert(Cell.self) { Cell(id: $0, row: row, column: column, layer: layer) }
            }
            try context.save()
            return cells.map(\.id)
        }
        try stack.container.newBackgroundContext(mergePolicy: .mergeByPropertyStoreTrump).performAndWait { context in
            let new = try context.insert(Cell.self) { Cell(id: $0, row: 1, column: 1, layer: 1) }
            #expect(try context.save().upserted == ["Cell": [new.rawID: ids[0].rawValue]])
        }
        #expect(try stack.stored(Cell.self).map(\.layer) == [7, 1])
        try stack.container.newBackgroundContext(mergePolicy: .mergeByPropertyObjectTrump).performAndWait { context in
            try context.insert(Cell.self) { Cell(id: $0, row: 1, column: 1, layer: 1) }
            let error = try persistenceError { try context.save() }
            #expect(error.code == .uniqueness && error.conflicts.map(\.constraint) == ["column, layer"])
        }
        #expect(try stack.stored(Cell.self).map(\.layer) == [7, 1])
    }

    @Test(
        "a counterpart moves to a new object although the old and the new object share a unique key",
        arguments: StoreKind.allCases)
    func partner(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Student.self, Locker.self]))
        let student = try stack.background.performAndWait { context in
            let student = try context.insert(Student.self) { Student(id: $0, name: "Ann") }.id
            try context.insert(Locker.self) { Locker(id: $0, hall: 1, student: student) }
            try context.save()
            return student
        }
        try stack.container.newBackgroundContext(mergePolicy: .mergeByPropertyObjectTrump).performAndWait { context in
            try context.insert(Locker.self) { Locker(id: $0, hall: 1, student: student) }
            #expect(try context.save().upserted == [:])
        }
        #expect(try stack.stored(Locker.self).map(\.student) == [nil, student])
    }
}
