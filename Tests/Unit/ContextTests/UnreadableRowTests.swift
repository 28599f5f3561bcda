import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Synchronization
import Testing

/// Stored rows that form no valid record: one is rejected by the record's initializer, one has a value that its type
/// rejects.
@Suite("Rows that cannot be read")
struct UnreadableRowTests {
    /// A stack with four shifts, of which the second is invalid, and three players, of which the second has an invalid
    /// grade.
    private struct Spoiled {
        let stack: TestStack
        var context: ManagedObjectContext { stack.background }

        init(_ kind: StoreKind) throws {
            stack = try kind.stack(
                try ManagedObjectModel(records: [
                    Crew.self, Shift.self, Team.self, Player.self, Coach.self, Trophy.self, Fan.self,
                ]))
            var changes = ChangeSet()
            changes["Shift"].insertions = [(1, 5), (5, 1), (2, 6), (3, 7)].enumerated().map { index, hours in
                .init(
                    id: Int64(index + 1), values: [.integer(hours.0), .integer(hours.1), .null, .null], version: 1)
            }
            changes["Player"].insertions = ["A", "zz", "B"].enumerated().map { index, grade in
                .init(
                    id: Int64(index + 1),
                    values: [
                        .string("Ann"), .null, .decimal(ScaledDecimal(unscaled: 0, scale: 2)),
                        .date(Date(timeIntervalSinceReferenceDate: 0)),
                        .uuid(UUID()), .string(grade), .boolean(true), .null, .null,
                    ], version: 1)
            }
            #expect(try stack.container.coordinator.store.save(changes).isEmpty)
        }
    }

    private static let shiftMessage = "Shift: object 2 cannot be read: the record's initializer rejects its values"
    private static let playerMessage =
        "Player.grade: object 2 cannot be read: its value does not have the property's "
        + "type"

    /// Returns every way to read the rows of a request, by name.
    private static func readings<Record: PersistentRecord>(
        _ request: FetchRequest<Record>
    ) -> [(name: String, read: @Sendable (ConfinedContext) throws -> Int)] {
        [
            ("fetch", { try $0.fetch(request).count }),
            ("fetchRecords", { try $0.fetchRecords(request).count }),
            (
                "batches",
                { context in
                    var count = 0
                    try context.fetch(request, inBatchesOf: 2) { count += $0.count }
                    return count
                }
            ),
        ]
    }

    private static func expectUnreadable(
        _ error: PersistenceError?, _ message: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(error?.description == message, "\(name)", sourceLocation: sourceLocation)
    }

    @Test(
        "a read reports a row that the initializer rejects with entity and identifier",
        arguments: StoreKind.allCases)
    func initializer(_ kind: StoreKind) async throws {
        let spoiled = try Spoiled(kind)
        let context = spoiled.context
        for (name, read) in Self.readings(FetchRequest<Shift>()) {
            let error = try persistenceError { _ = try context.performAndWait(read) }
            Self.expectUnreadable(error, Self.shiftMessage, name)
        }
        let id = try #require(PlayerID(rawValue: 2))
        Self.expectUnreadable(
            try persistenceError {
                _ = try context.performAndWait { try $0.existingObject(with: id, of: Shift.self).end }
            },
            Self.shiftMessage, "existingObject")
        Self.expectUnreadable(
            await #expect(throws: PersistenceError.self) { try await context.fetch(FetchRequest<Shift>()).count },
            Self.shiftMessage, "RecordContext.fetch")
        Self.expectUnreadable(
            await #expect(throws: PersistenceError.self) {
                for try await _ in context.stream(FetchRequest<Shift>()) {}
            },
            Self.shiftMessage, "stream")
        Self.expectUnreadable(
            await #expect(throws: PersistenceError.self) {
                _ = try await context.update(Shift.self, id: id) { $0.note = "x" }
            }, Self.shiftMessage, "update")
    }

    @Test(
        "a read reports a value that its type rejects with entity, attribute and identifier",
        arguments: StoreKind.allCases)
    func value(_ kind: StoreKind) async throws {
        let spoiled = try Spoiled(kind)
        let context = spoiled.context
        for (name, read) in Self.readings(FetchRequest<Player>()) {
            let error = try persistenceError { _ = try context.performAndWait(read) }
            Self.expectUnreadable(error, Self.playerMessage, name)
        }
        Self.expectUnreadable(
            await #expect(throws: PersistenceError.self) {
                for try await _ in context.stream(FetchRequest<Player>()) {}
            },
            Self.playerMessage, "stream")
    }

    // MARK: Skipped rows

    /// The failures that were reported.
    private final class Reports: Sendable {
        let errors = Mutex<[PersistenceError]>([])

        func skipping<Record: PersistentRecord>(_ request: FetchRequest<Record>) -> FetchRequest<Record> {
            request.skippingUnreadableRows { error in self.errors.withLock { $0.append(error) } }
        }

        func take() -> [PersistenceError] {
            errors.withLock { errors in
                defer { errors = [] }
                return errors
            }
        }
    }

    @Test(
        "a request that skips unreadable rows returns the other rows and reports each skipped row",
        arguments: StoreKind.allCases)
    func skipped(_ kind: StoreKind) async throws {
        let spoiled = try Spoiled(kind)
        let context = spoiled.context
        let reports = Reports()
        func expectOne(_ message: String, _ name: String) {
            let errors = reports.take()
            #expect(errors.map(\.description) == [message], "\(name)")
            #expect(errors.first?.code == .unreadable && errors.first?.id == 2, "\(name)")
        }
        for (name, read) in Self.readings(reports.skipping(FetchRequest<Shift>())) {
            #expect(try context.performAndWait(read) == 3, "\(name)")
            expectOne(Self.shiftMessage, name)
        }
        for (name, read) in Self.readings(reports.skipping(FetchRequest<Player>())) {
            #expect(try context.performAndWait(read) == 2, "\(name)")
            expectOne(Self.playerMessage, name)
        }
        let request = reports.skipping(FetchRequest<Shift>())
        #expect(try await context.fetch(request).map(\.id.rawValue) == [1, 3, 4])
        expectOne(Self.shiftMessage, "RecordContext.fetch")
        #expect(try await (context as any RecordContext).transaction { try $0.fetch(request).count } == 3)
        expectOne(Self.shiftMessage, "RecordTransaction.fetch")
        var streamed: [Int64] = []
        for try await shift in context.stream(request) { streamed.append(shift.id.rawValue) }
        #expect(streamed == [1, 3, 4])
        expectOne(Self.shiftMessage, "stream")
        let child = context.newChildContext(name: "child")
        #expect(try await child.perform { try $0.fetch(request).count } == 3)
        expectOne(Self.shiftMessage, "child")
    }

    @Test(
        "the error about an unreadable row contains the original error of the record type",
        arguments: StoreKind.allCases)
    func underlying(_ kind: StoreKind) throws {
        let spoiled = try Spoiled(kind)
        let shift = try persistenceError {
            _ = try spoiled.context.performAndWait { try $0.fetchRecords(FetchRequest<Shift>()).count }
        }
        #expect(shift.underlying is Shift.Backwards && shift.attribute == nil && shift.entity == "Shift")
        #expect(shift.debugDescription == "unreadable: \(Self.shiftMessage)\n  a shift ends after it begins")
        let player = try persistenceError {
            _ = try spoiled.context.performAndWait { try $0.fetchRecords(FetchRequest<Player>()).count }
        }
        #expect(player.underlying as? ValueError == ValueError("“zz” is not a Grade"))
        #expect(player.attribute == "grade" && player.id == 2)
    }

    @Test("a request skips unreadable rows if the context has pending changes too", arguments: StoreKind.allCases)
    func pending(_ kind: StoreKind) throws {
        let spoiled = try Spoiled(kind)
        let reports = Reports()
        let request = reports.skipping(FetchRequest<Shift>(where: #Predicate { $0.start < 9 }))
        let ends = try spoiled.context.performAndWait { context in
            let id = try #require(PlayerID(rawValue: 3))
            try context.existingObject(with: id, of: Shift.self).end = 30
            _ = try context.insert(Shift.self) { try Shift(id: $0, start: 4, end: 40) }
            return (try context.fetch(request).map(\.end), try context.fetchRecords(request).map(\.end))
        }
        #expect(ends.0 == [5, 30, 7, 40] && ends.1 == [5, 30, 7, 40])
        #expect(reports.take().map(\.description) == [Self.shiftMessage, Self.shiftMessage])
    }

    @Test(
        "an error that the report closure throws ends the fetch and reaches the caller", arguments: StoreKind.allCases)
    func reportThrows(_ kind: StoreKind) throws {
        struct Enough: Error {}
        let spoiled = try Spoiled(kind)
        let request = FetchRequest<Shift>().skippingUnreadableRows { _ in throw Enough() }
        for (name, read) in Self.readings(request) {
            #expect(throws: Enough.self, "\(name)") { try spoiled.context.performAndWait(read) }
        }
    }

    // MARK: Saves

    @Test(
        "a save that reads a row that the initializer rejects reports the row as unreadable",
        arguments: StoreKind.allCases)
    func save(_ kind: StoreKind) throws {
        let spoiled = try Spoiled(kind)
        // Deleting the crew makes the save read its shifts, one of which is invalid.
        let store = spoiled.stack.container.coordinator.store
        var changes = ChangeSet()
        changes["Crew"].insertions = [.init(id: 1, values: [.string("Night")], version: 1)]
        changes["Shift"].insertions = [
            .init(id: 9, values: [.integer(8), .integer(2), .null, .integer(1)], version: 1)
        ]
        #expect(try store.save(changes).isEmpty)
        try spoiled.context.performAndWait { context in
            let id = try #require(TeamID(rawValue: 1))
            context.delete(try context.existingObject(with: id, of: Crew.self))
            let error = try persistenceError { try context.save() }
            #expect(error.code == .unreadable && error.id == 9 && error.underlying is Shift.Backwards)
            #expect(error.description == "Shift: object 9 cannot be read: the record's initializer rejects its values")
        }
    }

    @Test(
        "a save rethrows an error of a custom store unchanged",
        arguments: StoreKind.allCases)
    func foreign(_ kind: StoreKind) throws {
        struct Unplugged: Error {}
        let (stack, store) = try kind.hooked(Crew.model())
        store.beforeSave.withLock { $0 = { _, _ in throw Unplugged() } }
        try stack.background.performAndWait { context in
            _ = try context.insert(Crew.self) { Crew(id: $0, name: "Night") }
            #expect(throws: Unplugged.self) { try context.save() }
        }
    }
}
