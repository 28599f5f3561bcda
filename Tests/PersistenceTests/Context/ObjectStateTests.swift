import Testing

@testable import Persistence

/// What becomes of an object: every state under every event.
@Suite("Object states")
struct ObjectStateTests {
    static let saving: [(ObjectState, ObjectState)] = [
        (.inserted, .unchanged), (.unchanged, .unchanged), (.updated, .unchanged), (.deleted, .detached),
        (.detached, .detached),
    ]

    static let deleting: [(ObjectState, ObjectState)] = [
        (.inserted, .detached), (.unchanged, .deleted), (.updated, .deleted), (.deleted, .deleted),
        (.detached, .detached),
    ]

    static let rollingBack: [(ObjectState, ObjectState)] = [
        (.inserted, .detached), (.unchanged, .unchanged), (.updated, .unchanged), (.deleted, .unchanged),
        (.detached, .detached),
    ]

    static let changing: [(ObjectState, ObjectState, isKept: Bool)] = [
        (.inserted, .inserted, true), (.unchanged, .updated, true), (.updated, .updated, true),
        (.deleted, .deleted, false), (.detached, .detached, false),
    ]

    @Test("a save", arguments: saving)
    func save(_ before: ObjectState, _ after: ObjectState) {
        var state = before
        state.save()
        #expect(state == after)
    }

    @Test("a deletion", arguments: deleting)
    func delete(_ before: ObjectState, _ after: ObjectState) {
        var state = before
        state.delete()
        #expect(state == after)
    }

    @Test("a rollback", arguments: rollingBack)
    func rollBack(_ before: ObjectState, _ after: ObjectState) {
        var state = before
        state.rollBack()
        #expect(state == after)
    }

    @Test("a write, and whether a save will see it", arguments: changing)
    func change(_ before: ObjectState, _ after: ObjectState, _ isKept: Bool) {
        var state = before
        #expect(state.change() == isKept)
        #expect(state == after)
    }
}
