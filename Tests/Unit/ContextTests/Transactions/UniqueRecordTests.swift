import Foundation
import PersistenceTestSupport
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Records with unique values: a unit of work returns the record that the store has afterwards.
@Suite("Records with unique values")
struct UniqueRecordTests {
    struct Seat: PersistentRecord, Equatable {
        let id: RecordID<Seat>
        var row: Int
        var place: Int
        var code: String?
        var guest: String
        static let entity = RecordEntity<Seat>(
            "Seat", id: \.id,
            [
                .attribute("row", \.row), .attribute("place", \.place), .attribute("code", \.code, isUnique: true),
                .attribute("guest", \.guest),
            ], uniquenessConstraints: [["row", "place"]]
        ) {
            try Seat(id: $0.id(), row: $0.next(), place: $0.next(), code: $0.next(), guest: $0.next())
        }
    }

    private static func stack(_ kind: StoreKind) throws -> (TestStack, any RecordContext) {
        let stack = try kind.stack(try ManagedObjectModel(records: [Seat.self]))
        return (stack, stack.background)
    }

    private static func seat(
        _ id: RecordID<Seat>, _ row: Int, _ place: Int, _ guest: String, code: String? = nil
    ) -> Seat {
        Seat(id: id, row: row, place: place, code: code, guest: guest)
    }

    // MARK: Upserts

    static let policies: [MergePolicy] = [
        .overwrite, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .rollback,
    ]

    @Test(
        "a unit of work that upserts a record returns the stored record", arguments: StoreKind.everyKind,
        policies)
    func upserted(_ kind: StoreKind, _ policy: MergePolicy) async throws {
        let (stack, records) = try Self.stack(kind)
        let old = try await records.insert(Seat.self) { Self.seat($0, 1, 2, "Ann", code: "a") }
        let given = try await records.transaction(mergePolicy: policy) { unit in
            let byPlace = try unit.insert(Seat.self) { Self.seat($0, 1, 2, "Bob", code: "a") }
            let byCode = try unit.insert(Seat.self) { Self.seat($0, 8, 9, "Cy", code: "a") }
            let new = try unit.insert(Seat.self) { Self.seat($0, 3, 3, "Dan") }
            let again = try unit.insert(Seat.self) { Self.seat($0, 3, 3, "Eve") }
            return [byPlace, byCode, new, again]
        }
        let stored = try stack.stored(Seat.self)
        #expect(stored.count == 2)
        #expect(given[0].id == old.id && given[1].id == old.id && given[2].id == given[3].id)
        // Each record is the stored one as the unit of work knew it at that time.
        #expect(stored.first == given[1] && stored.last == given[3])
        let keepsMine = policy == .overwrite || policy == .mergeByPropertyObjectTrump
        #expect(stored.map(\.guest) == (keepsMine ? ["Cy", "Eve"] : ["Ann", "Dan"]))
    }

    @Test(
        "an upsert finds a unique value that a record received earlier in the same unit of work",
        arguments: StoreKind.everyKind)
    func changedBefore(_ kind: StoreKind) async throws {
        let (stack, records) = try Self.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let ann = try await records.insert(Seat.self) { Self.seat($0, 1, 1, "Ann") }
        let (first, second) = try await records.transaction(mergePolicy: .overwrite) { unit in
            try unit.update(Seat.self, id: ann.id) { $0.place = 2 }
            let first = try unit.insert(Seat.self) { Self.seat($0, 1, 2, "Bob") }
            let new = try unit.insert(Seat.self) { Self.seat($0, 5, 5, "Cy") }
            try unit.update(Seat.self, id: new.id) { $0.place = 6 }
            return (first, try unit.insert(Seat.self) { Self.seat($0, 5, 6, "Dan") })
        }
        #expect(first.id == ann.id)
        #expect(try stack.stored(Seat.self) == [first, second])
    }

    struct Visit: PersistentRecord, Equatable {
        let id: RecordID<Visit>
        var seat: RecordID<Seat>?
        static let entity = RecordEntity<Visit>("Visit", id: \.id, [.toOne("seat", \.seat, to: "Seat")]) {
            try Visit(id: $0.id(), seat: $0.next())
        }
    }

    @Test("references to an upserted record are moved to the stored record", arguments: StoreKind.everyKind)
    func references(_ kind: StoreKind) async throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Seat.self, Visit.self]))
        let records: any RecordContext = stack.background
        let ann = try await records.insert(Seat.self) { Self.seat($0, 1, 1, "Ann") }
        let (_, changes) = try await records.transactionReportingChanges(mergePolicy: .overwrite) { unit in
            try unit.insert(Visit(id: 1, seat: 77))
            try unit.insert(Self.seat(77, 1, 1, "Bob"))
            try unit.insert(Visit(id: 2, seat: 77))
        }
        #expect(changes.upserted == ["Seat": [77: ann.id.rawValue]])
        #expect(try stack.stored(Visit.self).map(\.seat) == [ann.id, ann.id])
        #expect(try stack.stored(Seat.self).map(\.guest) == ["Bob"])
    }

    @Test(
        "a unique value that a unit of work released may be used again in the same unit of work",
        arguments: StoreKind.everyKind)
    func free(_ kind: StoreKind) async throws {
        let (stack, records) = try Self.stack(kind)
        let ann = try await records.insert(Seat.self) { Self.seat($0, 1, 1, "Ann") }
        let bob = try await records.insert(Seat.self) { Self.seat($0, 1, 2, "Bob") }
        let (first, second) = try await records.transaction(mergePolicy: .overwrite) { unit in
            try unit.update(Seat.self, id: ann.id) { $0.place = 7 }
            try unit.delete(Seat.self, id: bob.id)
            return (
                try unit.insert(Seat.self) { Self.seat($0, 1, 1, "Cy") },
                try unit.insert(Seat.self) { Self.seat($0, 1, 2, "Dan") }
            )
        }
        #expect(![ann.id, bob.id].contains(first.id) && ![ann.id, bob.id].contains(second.id))
        #expect(try stack.stored(Seat.self).map(\.guest).sorted() == ["Ann", "Cy", "Dan"])
    }

    @Test("a savepoint that throws rolls an upsert back", arguments: StoreKind.everyKind)
    func savepoint(_ kind: StoreKind) async throws {
        struct Stop: Error {}
        let (stack, records) = try Self.stack(kind)
        let ann = try await records.insert(Seat.self) { Self.seat($0, 1, 1, "Ann") }
        try await records.transaction(mergePolicy: .overwrite) { (unit) throws in
            #expect(throws: Stop.self) {
                try unit.transaction { unit in
                    try unit.insert(Seat.self) { Self.seat($0, 1, 1, "Bob") }
                    throw Stop()
                }
            }
            #expect(try unit.find(Seat.self, id: ann.id)?.guest == "Ann")
        }
        #expect(try stack.stored(Seat.self) == [ann])
    }

    @Test("a unit of work reports the records that it inserted, updated and deleted", arguments: StoreKind.everyKind)
    func changes(_ kind: StoreKind) async throws {
        let (stack, records) = try Self.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let ann = try await records.insert(Seat.self) { Self.seat($0, 1, 1, "Ann") }
        let bob = try await records.insert(Seat.self) { Self.seat($0, 1, 2, "Bob") }
        let (new, changes) = try await records.transactionReportingChanges(mergePolicy: nil) { unit in
            try unit.update(Seat.self, id: ann.id) { $0.guest = "Amy" }
            try unit.delete(Seat.self, id: bob.id)
            return try unit.insert(Seat.self) { Self.seat($0, 2, 1, "Cy") }
        }
        #expect(changes.inserted == ["Seat": [new.id.rawValue]])
        #expect(changes.updated == ["Seat": [ann.id.rawValue]])
        #expect(changes.deleted == ["Seat": [bob.id.rawValue]])
    }

    @Test("a record context that cannot report saved changes throws if they are requested")
    func unreported() async throws {
        struct Plain: RecordContext {
            let base: any RecordContext
            func transaction<Result: Sendable>(
                mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
            ) async throws -> Result { try await base.transaction(mergePolicy: mergePolicy, body) }
        }
        let records = try InMemoryRecords(try ManagedObjectModel(records: [Seat.self]))
        let error = await #expect(throws: PersistenceError.self) {
            _ = try await Plain(base: records).transactionReportingChanges(mergePolicy: nil) { _ in 1 }
        }
        #expect(error?.code == .invalidRequest)
        let (seat, changes) = try await records.transactionReportingChanges(mergePolicy: nil) { unit in
            try unit.insert(Seat.self) { Self.seat($0, 1, 1, "Ann") }
        }
        #expect(changes.inserted == ["Seat": [seat.id.rawValue]])
    }

    // MARK: Look-ups

    @Test(
        "a record can be looked up by a unique attribute and not by another attribute", arguments: StoreKind.everyKind)
    func find(_ kind: StoreKind) async throws {
        let (stack, records) = try Self.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let ann = try await records.insert(Seat.self) { Self.seat($0, 1, 1, "Ann", code: "it's") }
        _ = try await records.insert(Seat.self) { Self.seat($0, 1, 2, "Bob") }
        #expect(try await records.find(Seat.self, by: \.code, "it's") == ann)
        #expect(try await records.find(Seat.self, by: \.code, "other") == nil)
        #expect(try await records.find(Seat.self, by: \.code, nil) == nil)
        let error = await #expect(throws: PersistenceError.self) {
            try await records.find(Seat.self, by: \.guest, "Ann")
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test(
        "findOrInsert returns the record with the same unique value, or inserts a new record",
        arguments: StoreKind.everyKind)
    func findOrInsert(_ kind: StoreKind) async throws {
        let (stack, records) = try Self.stack(kind)
        let (ann, isNew) = try await records.findOrInsert(Seat.self) { Self.seat($0, 1, 1, "Ann") }
        #expect(isNew)
        let (again, isNewAgain) = try await records.findOrInsert(Seat.self) { Self.seat($0, 1, 1, "Bob") }
        #expect(!isNewAgain && again == ann)
        try await records.transaction { unit in
            let (pending, _) = try unit.findOrInsert(Seat.self) { Self.seat($0, 5, 5, "Cy", code: "c") }
            let (found, isNew) = try unit.findOrInsert(Seat.self) { Self.seat($0, 6, 6, "Dan", code: "c") }
            #expect(!isNew && found == pending)
        }
        // The two records have these unique values.
        let error = await #expect(throws: PersistenceError.self) {
            try await records.findOrInsert(Seat.self) { Self.seat($0, 1, 1, "Eve", code: "c") }
        }
        #expect(error?.code == .uniqueness)
        #expect(try stack.stored(Seat.self).map(\.guest) == ["Ann", "Cy"])
    }

    @Test("concurrent tasks that find or insert one record receive the same record", arguments: StoreKind.allCases)
    func concurrent(_ kind: StoreKind) async throws {
        let (stack, _) = try Self.stack(kind)
        let container = stack.container
        let ids = try await withThrowingTaskGroup(of: RecordID<Seat>.self) { group in
            for task in 0..<8 {
                group.addTask {
                    let records: any RecordContext = container.newBackgroundContext()
                    return try await records.findOrInsert(Seat.self) { Self.seat($0, 1, 1, "\(task)") }.record.id
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try stack.stored(Seat.self).count == 1)
    }

    @Test(
        "concurrent tasks that retry after a uniqueness error assign different numbers", arguments: StoreKind.allCases)
    func numbered(_ kind: StoreKind) async throws {
        let (stack, _) = try Self.stack(kind)
        let container = stack.container
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<6 {
                group.addTask {
                    let records: any RecordContext = container.newBackgroundContext()
                    _ = try await records.transaction(retrying: 50, after: [.conflict, .locked, .uniqueness]) { unit in
                        let last = try unit.fetch(
                            FetchRequest<Seat>(sort: [SortKey(\.place, order: .reverse)], limit: 1)
                        ).first
                        return try unit.insert(Seat.self) { Self.seat($0, 1, (last?.place ?? 0) + 1, "\(task)") }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try stack.stored(Seat.self).map(\.place).sorted() == Array(1...6))
    }

    @Test("a transaction is not retried if a unique value exists already", arguments: StoreKind.allCases)
    func notRetried(_ kind: StoreKind) async throws {
        let (stack, records) = try Self.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        _ = try await records.insert(Seat.self) { Self.seat($0, 1, 1, "Ann") }
        let attempts = Guarded(0)
        let error = await #expect(throws: PersistenceError.self) {
            try await records.transaction(retrying: 3) { unit in
                attempts.withLock { $0 += 1 }
                try unit.insert(Seat.self) { Self.seat($0, 1, 1, "Bob") }
            }
        }
        #expect(error?.code == .uniqueness && attempts.withLock { $0 } == 1)
    }

    // MARK: Versions

    @Test(
        "an update with an expected version changes the record only if its row has that version",
        arguments: StoreKind.everyKind)
    func versions(_ kind: StoreKind) async throws {
        let (stack, records) = try Self.stack(kind)
        defer { withExtendedLifetime(stack) {} }
        let ann = try await records.insert(Seat.self) { Self.seat($0, 1, 1, "Ann") }
        let first = try #require(try await records.findVersioned(Seat.self, id: ann.id))
        #expect(first.record == ann)
        let second = try await records.update(Seat.self, id: ann.id, ifVersion: first.version) { $0.guest = "Amy" }
        #expect(second.record.guest == "Amy" && second.version != first.version)
        #expect(try await records.findVersioned(Seat.self, id: ann.id) == second)
        // Nothing is changed, so the version stays.
        let same = try await records.update(Seat.self, id: ann.id, ifVersion: second.version) { $0.guest = "Amy" }
        #expect(same == second)
        let stale = await #expect(throws: PersistenceError.self) {
            try await records.update(Seat.self, id: ann.id, ifVersion: first.version) { $0.guest = "Abe" }
        }
        #expect(stale?.code == .conflict && stale?.id == ann.id.rawValue)
        let kept = await #expect(throws: PersistenceError.self) {
            try await records.delete(Seat.self, id: ann.id, ifVersion: first.version)
        }
        #expect(kept?.code == .conflict)
        try await records.delete(Seat.self, id: ann.id, ifVersion: second.version)
        #expect(try await records.findVersioned(Seat.self, id: ann.id) == nil)
        let error = await #expect(throws: PersistenceError.self) {
            try await records.delete(Seat.self, id: ann.id, ifVersion: second.version)
        }
        #expect(error?.code == .objectNotFound)
    }

    @Test("updates and deletions of untyped records may have an expected version", arguments: StoreKind.everyKind)
    func untypedVersions(_ kind: StoreKind) async throws {
        let stack = try kind.stack(try ManagedObjectModel(try ManagedObjectModel(records: [Seat.self]).entities))
        defer { withExtendedLifetime(stack) {} }
        let entity = try stack.container.model.dynamicEntity("Seat")
        let records: any RecordContext = stack.background
        let seat = try await records.insert(into: entity) {
            try DynamicRecord(entity, id: $0, ["row": 1, "place": 1, "guest": "Ann"])
        }
        let first = try #require(try await records.findVersioned(DynamicRecord.self, entity: entity, id: seat.id))
        let second = try await records.update(DynamicRecord.self, entity: entity, id: seat.id, ifVersion: first.version)
        {
            try $0.set("guest", to: "Amy")
        }
        #expect(try second.record.value("guest", as: String.self) == "Amy")
        let error = await #expect(throws: PersistenceError.self) {
            try await records.delete(DynamicRecord.self, entity: entity, id: seat.id, ifVersion: first.version)
        }
        #expect(error?.code == .conflict)
        try await records.delete(DynamicRecord.self, entity: entity, id: seat.id, ifVersion: second.version)
        #expect(try await records.findVersioned(DynamicRecord.self, entity: entity, id: seat.id) == nil)
    }
}
