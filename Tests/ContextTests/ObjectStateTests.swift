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

    @Test("a save sets each state to the expected one", arguments: saving)
    func save(_ before: ObjectState, _ after: ObjectState) {
        #expect(before.saved == after)
    }

    @Test("a deletion sets each state to the expected one", arguments: deleting)
    func delete(_ before: ObjectState, _ after: ObjectState) {
        #expect(before.afterDeletion == after)
    }

    @Test("a rollback sets each state to the expected one", arguments: rollingBack)
    func rollBack(_ before: ObjectState, _ after: ObjectState) {
        #expect(before.rolledBack == after)
    }

    @Test("a write sets each state to the expected one, or none if no save would write it", arguments: changing)
    func change(_ before: ObjectState, _ after: ObjectState?) {
        #expect(before.changed == after)
    }
}
