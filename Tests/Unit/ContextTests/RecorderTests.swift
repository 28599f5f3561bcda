import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// The events of a context that a recorder records.
@Suite("Context recorder")
struct RecorderTests {
    @Test("a recorder records all operations of a context in order", arguments: StoreKind.allCases)
    func order(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let context = stack.container.newBackgroundContext()
        let recorder = ContextRecorder(context)
        try await context.perform { context in
            let team = try context.insert(Team.self) { Team(id: $0, name: "Reds") }
            try context.save()
            _ = try context.fetch(FetchRequest<Team>())
            context.delete(team)
            context.rollback()
            try context.insert(Team.self) { Team(id: $0, name: "") }
            #expect(throws: PersistenceError.self) { try context.save() }
            context.reset()
        }
        let saved = try #require(recorder.saves.first)
        #expect(
            recorder.events == [
                .inserted(entity: "Team", id: 1), .saved(saved),
                .fetched(entity: "Team", count: 1), .deleted(entity: "Team", id: 1), .rolledBack,
                .inserted(entity: "Team", id: 2), .saveFailed(.validation), .reset,
            ])
        #expect(recorder.saves.map(\.inserted) == [["Team": [1]]])
    }

    @Test(
        "a recorder records the record operations of its context and not those of another context",
        arguments: StoreKind.allCases)
    func repositories(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let recorder = ContextRecorder(stack.background)
        _ = try await stack.background.insert(Team.self) { Team(id: $0, name: "Reds") }
        _ = try await stack.container.mainContext.insert(Team.self) { Team(id: $0, name: "Blues") }
        #expect(recorder.saves.map(\.inserted) == [["Team": [1]]])
        recorder.clear()
        #expect(recorder.events.isEmpty)
        _ = try await stack.background.fetch(FetchRequest<Team>())
        #expect(recorder.events == [.fetched(entity: "Team", count: 2)])
    }

    @Test("a recorder records the number of fetched records, including pending ones", arguments: StoreKind.allCases)
    func records(_ kind: StoreKind) throws {
        let stack = try kind.league()
        try stack.team("Reds")
        let context = stack.container.newBackgroundContext()
        let recorder = ContextRecorder(context)
        try context.performAndWait { context in
            #expect(try context.fetchRecords(FetchRequest<Team>()).count == 1)
            #expect(recorder.events == [.fetched(entity: "Team", count: 1)])
            try context.insert(Team.self) { Team(id: $0, name: "Blues") }
            recorder.clear()
            #expect(try context.fetchRecords(FetchRequest<Team>()).count == 2)
            #expect(recorder.events == [.fetched(entity: "Team", count: 2)])
        }
    }

    @Test("a context does not retain its recorder")
    func lifetime() async throws {
        let stack = try StoreKind.inMemory.league()
        weak var recorder: ContextRecorder?
        do {
            let made = ContextRecorder(stack.background)
            recorder = made
            withExtendedLifetime(made) { #expect(recorder != nil) }
        }
        #expect(recorder == nil)
        _ = try await stack.background.insert(Team.self) { Team(id: $0, name: "Reds") }
    }
}
