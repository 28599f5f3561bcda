import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// Relationship calls with an object of another context.
@Suite("Objects of another context in relationships")
struct RelationshipTrapTests {
    @Test("adding an object of another context to a relationship ends the program")
    func add() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try useForeign { context, foreign in
                try context.add(foreign, to: \.pupils, of: try context.newAuthor("Virgil"))
            }
        }
        expect(result)
    }

    @Test("adding to a relationship of another context's object ends the program")
    func owner() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try useForeign { context, foreign in
                try context.add([try context.newBook("Iliad")], to: \.books, of: foreign)
            }
        }
        expect(result)
    }

    @Test("setting the counterpart of another context's object ends the program")
    func partner() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try useForeign { context, foreign in
                let contract = try context.insert(Contract(id: 1, fee: 1, author: 1))
                try context.set(contract, as: \.contract, of: foreign)
            }
        }
        expect(result)
    }

    @Test("reading a relationship of another context's object ends the program")
    func ask() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try useForeign { context, foreign in _ = try context.objects(\.books, of: foreign) }
        }
        expect(result)
    }

    @Test("reading the counterpart of another context's object ends the program")
    func askForPartner() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try useForeign { context, foreign in _ = try context.object(\.contract, of: foreign) }
        }
        expect(result)
    }

    @Test("inserting into a list of another context's object ends the program")
    func place() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try useForeign { context, foreign in
                try context.insert(try context.newBook("Iliad"), at: 0, in: \.books, of: foreign)
            }
        }
        expect(result)
    }

    private func expect(_ result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation) {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let message =
            "Author 1 belongs to the context “background” and was used on “main”; pass its id or its record instead"
        #expect(text.contains(message), sourceLocation: sourceLocation)
    }
}

/// Calls a closure in the main context with an object of the background context.
private func useForeign(_ body: @Sendable (ConfinedContext, Managed<Author>) throws -> Void) throws {
    let container = try PersistentContainer.inMemory(model: try Library.model())
    let keeper = Keeper()
    try container.backgroundContext.performAndWait { context in keeper.keep(try context.newAuthor("Homer")) }
    try container.mainContext.performAndWait { context in
        for case let foreign as Managed<Author> in keeper.kept { try body(context, foreign) }
    }
}
