import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Bulk writes that are checked against the bounds on a relationship's number of objects, as a save is.
@Suite("Bulk writes and bounds on relationships")
struct BatchCountTests {
    private static let place = RowLocation(line: 1, record: 1)

    /// Rows and join rows that are written at once.
    struct Rows: Sendable {
        var halls: [Int64] = []
        /// The doors and seats, each with its hall.
        var doors: [(Int64, hall: Int64?)] = []
        var seats: [(Int64, hall: Int64?)] = []
        /// The halls with their guests.
        var visits: [(Int64, guest: Int64)] = []
        var twins: [(Int64, Int64)] = []
        var options = InsertOptions.ConflictAction.abort
        var onMissingReference = InsertOptions.MissingReferenceAction.error
        /// A Boolean value that indicates whether invalid rows are skipped.
        var leavesOut = false

        /// The rows of each entity, in the order in which they are written.
        var ofEntities: [(entity: String, rows: [(id: Int64, values: [StoredValue])])] {
            func reference(_ id: Int64?) -> StoredValue { id.map(StoredValue.integer) ?? .null }
            return [
                ("Seat", seats.map { ($0.0, [reference($0.hall)]) }), ("Hall", halls.map { ($0, [.string("new")]) }),
                ("Door", doors.map { ($0.0, [reference($0.hall)]) }),
            ]
        }

        func write(_ writer: BatchWriter) throws {
            var options = InsertOptions(onConflict: options, onMissingReference: onMissingReference)
            if leavesOut { options.onFailure = { _ in } }
            for (entity, rows) in ofEntities where !rows.isEmpty {
                let inserter = try writer.inserter(of: entity, options)
                for row in rows { try inserter.insert(id: row.id, values: row.values, location: place) }
            }
            for (hall, guest) in visits {
                try writer.insert(JoinRow(JoinPair(source: hall, target: guest)), of: "Hall_guests", location: place)
            }
            for (hall, other) in twins {
                try writer.insert(JoinRow(JoinPair(source: hall, target: other)), of: "Hall_twins", location: place)
            }
        }
    }

    /// Rows that are written into the filled halls, and the rules that they break.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rows: Rows
        var failures: [String] = []
    }

    static let cases: [Case] = [
        Case(
            testDescription: "new owners have no objects", rows: Rows(halls: [9, 10]),
            failures: [
                "Hall 9, doors: 0 is below the minimum count of 1", "Hall 10, doors: 0 is below the minimum count of 1",
            ]),
        Case(testDescription: "a new owner has enough objects", rows: Rows(halls: [9], doors: [(99, 9)])),
        Case(
            testDescription: "a new owner's objects are written before the owner",
            rows: Rows(halls: [9], doors: [(99, 9)], seats: [(98, 9), (99, 9)])),
        Case(
            testDescription: "a new owner has too few objects",
            rows: Rows(halls: [9], doors: [(99, 9)], seats: [(99, 9)]),
            failures: ["Hall 9, seats: 1 is below the minimum count of 2"]),
        Case(testDescription: "an owner reaches its maximum", rows: Rows(seats: [(98, 1), (99, 1)])),
        Case(
            testDescription: "two owners exceed their maximum",
            rows: Rows(doors: [(97, 2), (98, 2), (99, 2)], seats: [(97, 1), (98, 1), (99, 1)]),
            failures: [
                "Hall 2, doors: 4 is above the maximum count of 3", "Hall 1, seats: 5 is above the maximum count of 4",
            ]),
        Case(
            testDescription: "an owner's only object moves to another owner",
            rows: Rows(doors: [(10, 2)], options: .update),
            failures: ["Hall 1, doors: 0 is below the minimum count of 1"]),
        Case(
            testDescription: "an object's owner becomes null", rows: Rows(seats: [(10, nil)], options: .replace),
            failures: ["Hall 1, seats: 1 is below the minimum count of 2"]),
        Case(
            testDescription: "all objects of an optional relationship move to another owner",
            rows: Rows(seats: [(10, 2), (11, 2)], options: .update)),
        Case(testDescription: "a skipped row does not move an object", rows: Rows(doors: [(10, 2)], options: .ignore)),
        Case(
            testDescription: "a rejected row is not counted",
            rows: Rows(
                halls: [9], doors: [(99, 9)], seats: [(98, 9), (99, 77)], onMissingReference: .reject, leavesOut: true),
            failures: ["Hall 9, seats: 1 is below the minimum count of 2"]),
        Case(testDescription: "join rows reach the maximum", rows: Rows(visits: [(1, 9)])),
        Case(
            testDescription: "join rows exceed the maximum", rows: Rows(visits: [(1, 9), (1, 10)]),
            failures: ["Hall 1, guests: 4 is above the maximum count of 3"]),
        Case(testDescription: "an existing join row is written again", rows: Rows(visits: [(1, 9), (1, 1), (1, 5)])),
        Case(
            testDescription: "a new owner has too few join rows",
            rows: Rows(halls: [9], doors: [(99, 9)], visits: [(9, 1)]),
            failures: ["Hall 9, guests: 1 is below the minimum count of 2"]),
        Case(
            testDescription: "symmetric join rows are counted at both ends",
            rows: Rows(twins: [(2, 1), (3, 1), (1, 4)]),
            failures: ["Hall 1, twins: 3 is above the maximum count of 2"]),
    ]

    // Hall 9 has one seat, one guest and no door, which are too few of each.
    static let casesWithOld: [Case] = [
        Case(
            testDescription: "rows of the owner and its object are ignored",
            rows: Rows(halls: [9], seats: [(90, 9)], options: .ignore)),
        Case(
            testDescription: "a row that would add an object is ignored", rows: Rows(doors: [(10, 9)], options: .ignore)
        ),
        Case(testDescription: "the owner's own values change", rows: Rows(halls: [9], options: .update)),
        Case(
            testDescription: "rows of the owner and its object are replaced",
            rows: Rows(halls: [9], seats: [(90, 9)], options: .replace)),
        Case(
            testDescription: "rows that would add objects are rejected",
            rows: Rows(halls: [9], doors: [(10, 9)], seats: [(90, 9)], leavesOut: true)),
        Case(testDescription: "an existing join row of the owner is written again", rows: Rows(visits: [(9, 9)])),
        Case(
            testDescription: "the owner gains a door and too many guests",
            rows: Rows(doors: [(91, 9)], visits: [(9, 10), (9, 1), (9, 2)]),
            failures: ["Hall 9, guests: 4 is above the maximum count of 3"]),
        Case(
            testDescription: "the owner exchanges its object for another",
            rows: Rows(seats: [(90, 1), (10, 9)], options: .update),
            failures: ["Hall 9, seats: 1 is below the minimum count of 2"]),
        Case(testDescription: "the owner gains enough objects", rows: Rows(seats: [(91, 9)])),
    ]

    private func stack(_ kind: StoreKind, withOld: Bool = false) throws -> TestStack {
        let stack = try kind.stack(try Halls.model())
        // This write bypasses every context and every batch.
        var changes = Halls.filled.changes
        if withOld {
            changes["Hall"].insertions.append(.init(id: 9, values: [.string("")]))
            changes["Seat"].insertions.append(.init(id: 90, values: [.integer(9)]))
            changes.joins["Hall_guests", default: .init()].added.append(JoinRow(JoinPair(source: 9, target: 9)))
        }
        _ = try stack.container.coordinator.store.save(changes)
        return stack
    }

    /// The stored rows without their versions.
    private struct Contents: Equatable {
        var rows: [String: [Int64: [StoredValue]]] = [:]
        var pairs: [String: Set<JoinPair>] = [:]

        init(_ stack: TestStack) throws {
            let store = stack.container.coordinator.store
            for entity in store.model.entities {
                let rows = try store.rows(StoreRequest(entity.name))
                self.rows[entity.name] = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.values) })
            }
            for join in store.model.joins {
                pairs[join.name] = Set(try store.joins(JoinRequest(join.name)).map(\.pair))
            }
        }

        /// Returns the stored rows after rows were written that break no bound.
        func adding(_ written: Rows) -> Contents {
            var contents = self
            for (entity, rows) in written.ofEntities {
                for (id, values) in rows {
                    // The new values of an existing row are stored or skipped.
                    let isTaken = contents.rows[entity]?[id] != nil
                    if !isTaken || [.update, .replace].contains(written.options) {
                        contents.rows[entity, default: [:]][id] = values
                    }
                }
            }
            for (hall, guest) in written.visits {
                contents.pairs["Hall_guests", default: []].insert(JoinPair(source: hall, target: guest))
            }
            return contents
        }
    }

    private func contents(_ stack: TestStack) throws -> [[StoredRow]] {
        try ["Hall", "Seat", "Door"].map { try stack.container.coordinator.store.rows(StoreRequest($0)) }
    }

    @Test(
        "a bulk write that breaks a relationship's bound stores nothing and reports the bound",
        arguments: StoreKind.allCases, cases)
    func validated(_ kind: StoreKind, _ item: Case) throws {
        try check(item, try stack(kind))
    }

    @Test(
        "an owner with a wrong number of objects is validated only if it gains or loses an object",
        arguments: StoreKind.allCases,
        casesWithOld)
    func wrongBefore(_ kind: StoreKind, _ item: Case) throws {
        try check(item, try stack(kind, withOld: true))
    }

    private func check(_ item: Case, _ stack: TestStack) throws {
        let before = try contents(stack)
        let stored = try Contents(stack)
        if item.failures.isEmpty {
            try stack.container.batchWrite { try item.rows.write($0) }
            #expect(try Contents(stack) == stored.adding(item.rows))
            return
        }
        let error = try persistenceError { try stack.container.batchWrite { try item.rows.write($0) } }
        #expect(error.code == .validation && error.failures.map(\.debugDescription) == item.failures)
        #expect(try contents(stack) == before)
        #expect(try Contents(stack) == stored)
    }

    /// An error that ends a dry run.
    private struct DryRunEnded: Error {}

    @Test(
        "a check before the end of a bulk write reports the failures that the bulk write would report",
        arguments: StoreKind.allCases, cases)
    func dryRun(_ kind: StoreKind, _ item: Case) throws {
        let stack = try stack(kind)
        let before = try contents(stack)
        var failures: [String] = []
        do {
            try stack.container.batchWrite { writer in
                try item.rows.write(writer)
                try writer.checkReferences()
                throw DryRunEnded()
            }
        } catch is DryRunEnded {} catch let error as PersistenceError {
            failures = error.failures.map(\.debugDescription)
        }
        #expect(failures == item.failures)
        #expect(try contents(stack) == before)
    }

    @Test("a bulk write also validates the rows that are written after a check", arguments: StoreKind.allCases)
    func twice(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        let error = try persistenceError {
            try stack.container.batchWrite { writer in
                try Rows(halls: [9], doors: [(99, 9)]).write(writer)
                try writer.checkReferences()
                try Rows(doors: [(96, 9), (97, 9), (98, 9)]).write(writer)
            }
        }
        #expect(error.failures.map(\.debugDescription) == ["Hall 9, doors: 4 is above the maximum count of 3"])
    }

    @Test(
        "a batch update or deletion validates the owners whose number of objects it changes",
        arguments: StoreKind.allCases)
    func otherBatches(_ kind: StoreKind) throws {
        let stack = try stack(kind, withOld: true)
        let container = stack.container
        func isOne(_ ids: Int64...) -> FetchCondition { .isIn(.property("id"), ids.map(StoredValue.integer)) }
        func failures(_ body: () throws -> Void) throws -> [String] {
            let before = try contents(stack)
            let error = try persistenceError(body)
            #expect(try contents(stack) == before)
            return error.failures.map(\.debugDescription)
        }
        #expect(
            try failures {
                try container.batchUpdate("Seat", where: isOne(10), set: ["hall": .constant(.integer(9))])
            } == ["Hall 1, seats: 1 is below the minimum count of 2"])
        #expect(
            try failures { try container.batchDelete("Door", where: isOne(10)) }
                == ["Hall 1, doors: 0 is below the minimum count of 1"])
        try container.batchUpdate("Seat", where: isOne(10, 11), set: ["hall": .constant(.integer(9))])
        try container.batchDelete("Seat", where: isOne(10))
        #expect(try container.coordinator.store.count(StoreRequest("Seat")) == 8)
    }

    @Test(
        "a bulk write with more owners than are listed by identifier validates all owners",
        arguments: StoreKind.allCases)
    func many(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Halls.model())
        let count = Int64(ChangedIdentifiers.maximumCount) + 1
        try stack.container.batchWrite { writer in
            let halls = try writer.inserter(of: "Hall")
            let doors = try writer.inserter(of: "Door")
            for id in 1...count {
                try halls.insert(id: id, values: [.string("")], location: Self.place)
                try doors.insert(id: id, values: [.integer(id)], location: Self.place)
            }
        }
        func move(by distance: Int64, leaving: Int64) throws {
            try stack.container.batchInsert(into: "Door", InsertOptions(onConflict: .update)) { doors in
                for id in 1...count where id != leaving {
                    try doors.insert(id: id, values: [.integer((id + distance) % count + 1)], location: Self.place)
                }
            }
        }
        try move(by: 6, leaving: 0)
        let error = try persistenceError { try move(by: 8, leaving: 3) }
        #expect(error.failures.map(\.debugDescription) == ["Hall 12, doors: 0 is below the minimum count of 1"])
    }
}
