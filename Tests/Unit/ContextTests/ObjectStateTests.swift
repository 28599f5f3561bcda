import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite

/// The transition of each object state for each event.
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

    static let changing: [(ObjectState, ObjectState?)] = [
        (.inserted, .inserted), (.unchanged, .updated), (.updated, .updated), (.deleted, nil), (.detached, nil),
    ]

    @Test("a save changes each object state to the expected state", arguments: saving)
    func save(_ before: ObjectState, _ after: ObjectState) {
        #expect(before.saved == after)
    }

    @Test("a deletion changes each object state to the expected state", arguments: deleting)
    func delete(_ before: ObjectState, _ after: ObjectState) {
        #expect(before.afterDeletion == after)
    }

    @Test("a rollback changes each object state to the expected state", arguments: rollingBack)
    func rollBack(_ before: ObjectState, _ after: ObjectState) {
        #expect(before.rolledBack == after)
    }

    @Test(
        "a write changes each object state as expected, and is lost for a deleted or detached object",
        arguments: changing)
    func change(_ before: ObjectState, _ after: ObjectState?) {
        #expect(before.changed == after)
    }
}
