import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import Testing

@Suite("Imports with too few or too many related rows")
struct ImportCountTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Creates a container for teams of one or two players.
    private func container(onDisk: Bool) throws -> PersistentContainer {
        let players = RelationshipDescription(
            "players", to: "Player", .toMany, inverse: "team", isOptional: false, maximumCount: 2)
        let model = try ManagedObjectModel([
            EntityDescription("Team", [.attribute(.init("name", .string)), .relationship(players)]),
            EntityDescription(
                "Player", [.relationship(RelationshipDescription("team", to: "Team", .toOne, inverse: "players"))]),
        ])
        let file = URL(fileURLWithPath: directory.file("store.sqlite"))
        return try PersistentContainer(model: model, onDisk ? .sqlite(at: file) : .inMemory, mainQueue: .private)
    }

    private func run(
        _ container: PersistentContainer, teams: String, players: String,
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws {
        var options = ImportOptions(format: .csv)
        change(&options)
        _ = try DatasetImporter(container: container, options: options).run([
            ImportSource(entity: "Player", input: ByteInput(bytes: Array(players.utf8), name: "players.csv")),
            ImportSource(entity: "Team", input: ByteInput(bytes: Array(teams.utf8), name: "teams.csv")),
        ])
    }

    @Test(
        "an import with too few or too many related rows of an object stores nothing and reports the object",
        arguments: [false, true])
    func refused(onDisk: Bool) throws {
        let container = try container(onDisk: onDisk)
        let cases = [
            ("id,team\n1,1\n", "Team 2, players: is below the minimum count of 1 (found 0)"),
            (
                "id,team\n1,1\n2,1\n3,1\n",
                "Team 1, players: is above the maximum count of 2 (found 3); 1 rule more broken in the same way"
            ),
            ("id,team\n1,1\n2,2\n3,2\n4,2\n", "Team 2, players: is above the maximum count of 2 (found 3)"),
        ]
        for (players, message) in cases {
            for isDryRun in [false, true] {
                var problems: [String] = []
                let error = try #require(throws: InterchangeError.self) {
                    try run(container, teams: "id,name\n1,Ants\n2,Bees\n", players: players) {
                        $0.isDryRun = isDryRun
                        $0.onError = .reject
                        $0.onProblem = { problems.append("\($0.error), \($0.source), \($0.isFatal)") }
                    }
                }
                #expect(error.code == .invalidValue && error.description == message)
                #expect(problems == ["\(message), 0, true"])
            }
        }
        for entity in ["Team", "Player"] { #expect(try container.coordinator.store.count(StoreRequest(entity)) == 0) }
        try run(container, teams: "id,name\n1,Ants\n2,Bees\n", players: "id,team\n1,1\n2,2\n3,2\n")
        #expect(try container.coordinator.store.count(StoreRequest("Player")) == 3)
    }

    @Test("an import validates a stored row if the count of its related rows changes", arguments: [false, true])
    func stored(onDisk: Bool) throws {
        let container = try container(onDisk: onDisk)
        var changes = ChangeSet()
        // The save bypasses all rules: team 3 has no players.
        changes["Team"].insertions = [1, 3].map { .init(id: $0, values: [.string("")]) }
        changes["Player"].insertions = [.init(id: 1, values: [.integer(1)])]
        _ = try container.coordinator.store.save(changes)
        try run(container, teams: "id,name\n3,Cats\n", players: "id,team\n2,1\n") { $0.onConflict = .update }
        let error = try #require(throws: InterchangeError.self) {
            try run(container, teams: "id,name\n", players: "id,team\n3,1\n")
        }
        #expect(error.description == "Team 1, players: is above the maximum count of 2 (found 3)")
        #expect(try container.coordinator.store.count(StoreRequest("Player")) == 2)
    }
}
