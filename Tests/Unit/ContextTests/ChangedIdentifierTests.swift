import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// A service replaces a record with the body of a client's request, whose identifier the client may have changed.
@Suite("Changes of identifiers")
struct ChangedIdentifierTests {
    private static func expectRefused(
        _ error: PersistenceError?, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(error?.code == .invalidRequest, sourceLocation: sourceLocation)
        #expect(
            error?.description
                == "Team.id: the change of object 1 sets its identifier to 7, but an identifier cannot be changed; "
                + "keep the identifier, or insert another object", sourceLocation: sourceLocation)
    }

    private static func body() throws -> Team {
        Team(id: try #require(TeamID(rawValue: 7)), name: "Theirs")
    }

    @Test("an object rejects a changed identifier and keeps its values", arguments: StoreKind.allCases)
    func object(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let reds = try stack.team("Reds")
        let body = try Self.body()
        try stack.background.performAndWait { context in
            let team = try context.existingObject(with: reds.id, of: Team.self)
            Self.expectRefused(try persistenceError { try team.update { $0 = body } })
            #expect(team.record == reds && !context.hasChanges)
            try team.update { $0 = Team(id: reds.id, name: "Mine") }
            try context.save()
        }
        #expect(try stack.stored() == [Team(id: reds.id, name: "Mine")])
    }

    @Test(
        "an update through a record context that changes the identifier throws and stores nothing",
        arguments: StoreKind.allCases)
    func recordContext(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let reds = try stack.team("Reds")
        let body = try Self.body()
        let records: any RecordContext = stack.background
        Self.expectRefused(
            await #expect(throws: PersistenceError.self) {
                _ = try await records.update(Team.self, id: reds.id) { $0 = body }
            })
        #expect(try stack.stored() == [reds])
    }

    @Test(
        "a unit of work that changes an identifier throws, whether it updates one record or a whole request",
        arguments: StoreKind.allCases)
    func transaction(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let reds = try stack.team("Reds")
        let body = try Self.body()
        let records: any RecordContext = stack.background
        Self.expectRefused(
            await #expect(throws: PersistenceError.self) {
                try await records.transaction { unit in
                    try unit.update(Team.self, id: reds.id) { $0.points = 1 }
                    try unit.update(Team.self, id: reds.id) { $0 = body }
                }
            })
        Self.expectRefused(
            await #expect(throws: PersistenceError.self) {
                try await records.transaction { unit in
                    _ = try unit.update(FetchRequest<Team>()) { $0 = body }
                }
            })
        #expect(try stack.stored() == [reds])
    }

    @Test("an in-memory record context rejects a changed identifier with the same error")
    func records() async throws {
        let reds = Team(id: try #require(TeamID(rawValue: 1)), name: "Reds")
        let records = try InMemoryRecords(League.model(), [reds])
        let body = try Self.body()
        Self.expectRefused(
            await #expect(throws: PersistenceError.self) {
                _ = try await records.update(Team.self, id: reds.id) { $0 = body }
            })
        #expect(try await records.fetch(FetchRequest<Team>()) == [reds])
    }
}
