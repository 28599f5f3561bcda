import PersistenceTestSupport
import StrataCore
import Testing

@testable import StrataPersistence

/// The deletions of a context that were not saved yet.
@Suite("Deletion state")
struct DeletionStateTests {
    /// A sequence of operations on authors and books 1 to 3, and the expected state.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let known: String
        let happens: @Sendable (inout DeletionState, _ authors: [ManagedObject], _ books: [ManagedObject]) -> Void
    }

    static let cases: [Case] = [
        Case(testDescription: "no objects are deleted", known: "waiting [], discarded [] []") { _, _, _ in },
        Case(testDescription: "pending deletions keep their order", known: "waiting [2, 1], discarded [] []") {
            state, authors, _ in
            state.note(authors[1])
            state.note(authors[0])
        },
        Case(
            testDescription: "applied deletions are not pending, and deleted new objects stay known",
            known: "waiting [3], discarded [1] []"
        ) { state, authors, _ in
            state.note(authors[0])
            state.discard(authors[0])
            state.propagated()
            state.note(authors[2])
        },
        Case(
            testDescription: "deleted new objects are known by entity and identifier",
            known: "waiting [], discarded [1, 3] [2]"
        ) { state, authors, books in
            state.discard(authors[2])
            state.discard(books[1])
            state.discard(authors[0])
        },
        Case(
            testDescription: "an object with a reused identifier is not known as deleted",
            known: "waiting [], discarded [3] [1]"
        ) { state, authors, books in
            state.discard(authors[0])
            state.discard(authors[2])
            state.discard(books[0])
            state.forgetDiscarded(1, of: "Author")
            state.forgetDiscarded(2, of: "Book")
        },
        Case(
            testDescription: "reuse of the only deleted identifier leaves no deleted objects",
            known: "waiting [], discarded [] []"
        ) {
            state, authors, _ in
            state.discard(authors[1])
            state.forgetDiscarded(2, of: "Author")
        },
        Case(
            testDescription: "a save or a rollback clears the state", known: "waiting [], discarded [] []"
        ) { state, authors, books in
            state.note(authors[0])
            state.discard(books[0])
            state.clear()
        },
    ]

    @Test("the state lists deletions until they are applied, and deleted new objects until a save", arguments: cases)
    func known(_ item: Case) {
        let authors = [1, 2, 3].map { Loose.author($0) }
        let books = [1, 2, 3].map { Loose.book($0) }
        var state = DeletionState()
        item.happens(&state, authors, books)
        let waiting = state.unpropagated.map(\.rawID)
        let discarded = ["Author", "Book"].map { state.discardedObjects(of: $0).map(\.rawID) }
        #expect("waiting \(waiting), discarded \(discarded[0]) \(discarded[1])" == item.known)
        #expect(state.isPending == !waiting.isEmpty)
        #expect(state.hasDiscarded == discarded.contains { !$0.isEmpty })
        for (entity, ids) in zip(["Author", "Book"], discarded) {
            #expect(state.hasDiscarded(of: entity) == !ids.isEmpty)
            #expect((1...3).filter { state.isDiscarded($0, of: entity) } == ids)
        }
    }

    @Test("of several deleted new objects with one identifier, the state lists the last")
    func again() {
        let (first, second) = (Loose.author(1), Loose.author(1))
        var state = DeletionState()
        state.discard(first)
        state.discard(second)
        #expect(state.discardedObjects(of: "Author").map(ObjectIdentifier.init) == [ObjectIdentifier(second)])
    }

    @Test("an object's deletion hook cannot begin again before it has ended")
    func hooks() {
        let (first, second) = (Loose.author(1), Loose.author(2))
        var state = DeletionState()
        var begun = [first, first, second].map { state.beginHook($0) }
        #expect(begun == [true, false, true])
        state.clear()
        begun = [first, second].map { state.beginHook($0) }
        #expect(begun == [false, false])
        state.endHook(first)
        begun = [first, second].map { state.beginHook($0) }
        #expect(begun == [true, false])
    }
}
