import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataStoreKit

/// A programming error ends the program in every build, with a message that names both contexts.
@Suite("Programming errors that end the program")
struct TrapTests {
    @Test("deleting an object in a context that it does not belong to ends the program")
    func otherContext() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = try PersistentContainer.inMemory(model: try League.model())
            let keeper = Keeper()
            try container.backgroundContext.performAndWait { context in
                keeper.keep(try context.insert(Team.self) { Team(id: $0, name: "Reds") })
            }
            container.mainContext.performAndWait { context in
                for object in keeper.kept { context.delete(object) }
            }
        }
        expect(
            result,
            "Team 1 belongs to the context “background” and was used on “main”; pass its id or its record instead")
    }

    @Test("refreshing an object in a context that it does not belong to ends the program")
    func refreshElsewhere() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = try PersistentContainer.inMemory(model: try League.model())
            let keeper = Keeper()
            try container.backgroundContext.performAndWait { context in
                keeper.keep(try context.insert(Team.self) { Team(id: $0, name: "Reds") })
                try context.save()
            }
            try container.mainContext.performAndWait { context in
                for object in keeper.kept { try context.refresh(object, mergeChanges: true) }
            }
        }
        expect(
            result,
            "Team 1 belongs to the context “background” and was used on “main”; pass its id or its record instead")
    }

    @Test("a background context that waits for another background context ends the program")
    func backgroundWaits() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = try PersistentContainer.inMemory(model: try League.model())
            let other = container.newBackgroundContext(name: "import")
            container.backgroundContext.performAndWait { _ in other.performAndWait { _ in } }
        }
        expect(
            result,
            "performAndWait on “import” from inside “background” could deadlock: only the main context may wait for another. "
                + "Use await perform.")
    }

    @Test("a background context that waits for the main context ends the program")
    func backgroundWaitsForMain() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = try PersistentContainer.inMemory(model: try League.model())
            let main = container.mainContext
            container.backgroundContext.performAndWait { _ in main.performAndWait { _ in } }
        }
        expect(result, "performAndWait on “main” from inside “background” could deadlock")
    }

    @Test("writing to an object whose context has ended ends the program")
    func endedContext() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let keeper = Keeper()
            do {
                let container = try PersistentContainer.inMemory(model: try League.model())
                try container.newBackgroundContext().performAndWait { context in
                    keeper.keep(try context.insert(Team.self) { Team(id: $0, name: "Reds") })
                }
            }
            for case let team as Managed<Team> in keeper.kept { team.name = "Blues" }
        }
        expect(result, "Team 1 was written to after its context had ended; the write would be lost")
    }

    @Test("a row block whose texts exceed the maximum size ends the program")
    func hugeBlock() async {
        await #expect(processExitsWith: .failure) {
            _ = RowBlock.Cell(RowBlock.maximumByteCount..<RowBlock.maximumByteCount + 1, .text)
        }
    }

    private func expect(
        _ result: ExitTest.Result?, _ message: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(message), sourceLocation: sourceLocation)
    }
}
