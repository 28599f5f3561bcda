import PersistenceTestSupport
import StrataCore
import Testing

@testable import StrataPersistence

/// The objects whose one-to-one counterpart changed and was not processed yet.
@Suite("Counterpart state")
struct CounterpartStateTests {
    /// The column of a contract's author.
    private static let column = 1

    private static func contract(_ id: LibraryID, author: LibraryID) -> Managed<Contract> {
        Loose.object(Contract(id: id, fee: 0, author: author))
    }

    private static func change(_ object: ManagedObject, _ target: Int64) -> CounterpartChange {
        CounterpartChange(object: object, column: column, target: target)
    }

    private static func text(_ changes: [CounterpartChange]) -> [String] {
        changes.map { "\($0.object.rawID) has \($0.target)" }
    }

    /// A sequence of changes to contracts 1 and 2, and the expected pending changes.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let waiting: [String]
        let happens: @Sendable (inout CounterpartState, _ first: ManagedObject, _ second: ManagedObject) -> Void
    }

    static let cases: [Case] = [
        Case(testDescription: "no changes are recorded", waiting: []) { _, _, _ in },
        Case(testDescription: "pending changes keep their order", waiting: ["2 has 5", "1 has 6"]) {
            state, first, second in
            state.note(change(second, 5))
            state.note(change(first, 6))
        },
        Case(testDescription: "the same change is recorded once", waiting: ["1 has 5"]) { state, first, _ in
            state.note(change(first, 5))
            state.note(change(first, 5))
        },
        Case(
            testDescription: "a counterpart that moves there and back has three changes",
            waiting: ["1 has 5", "2 has 5", "1 has 5"]
        ) {
            state, first, second in
            for object in [first, second, first] { state.note(change(object, 5)) }
        },
        Case(testDescription: "a removed change is no longer pending", waiting: ["2 has 6"]) { state, first, second in
            state.note(change(first, 5))
            _ = state.take()
            state.note(change(second, 6))
        },
        Case(
            testDescription: "restored changes precede later changes", waiting: ["1 has 5", "2 has 6"]
        ) {
            state, first, second in
            state.note(change(first, 5))
            let changes = state.take()
            state.note(change(second, 6))
            state.restore(changes)
        },
        Case(testDescription: "a rollback discards all changes", waiting: []) { state, first, _ in
            state.note(change(first, 5))
            state.clear()
        },
    ]

    @Test("changes of counterparts are pending until they are removed for processing", arguments: cases)
    func waiting(_ item: Case) {
        let contracts = ([1, 2] as [LibraryID]).map { Self.contract($0, author: 5) }
        var state = CounterpartState()
        item.happens(&state, contracts[0], contracts[1])
        #expect(state.isEmpty == item.waiting.isEmpty)
        let taken = state.take()
        #expect(Self.text(taken) == item.waiting)
        #expect(state.isEmpty)
    }

    @Test("repeated changes of one counterpart are discarded, and changes of different counterparts are retained")
    func bounded() {
        let contracts = ([1, 2] as [LibraryID]).map { Self.contract($0, author: 5) }
        var state = CounterpartState()
        for number in 0..<10_000 { state.note(Self.change(contracts[number % 2], 5)) }
        #expect(state.changes.count < 1_100)
        #expect(Self.text(state.changes).last == "2 has 5")
        state.clear()
        for target in Int64(1)...5_000 { state.note(Self.change(contracts[0], target)) }
        #expect(Self.text(state.changes) == (1...5_000).map { "1 has \($0)" })
    }

    @Test("a change has the time at which its counterpart was first assigned, until the counterpart changes")
    func known() {
        let contract = Self.contract(1, author: 5)
        var state = CounterpartState()
        func known(_ target: Int64, _ time: Int) -> [Int] {
            state.note(CounterpartChange(object: contract, column: Self.column, target: target, knownAt: time))
            return state.take().map(\.knownAt)
        }
        #expect(known(5, 1) == [1])
        #expect(known(5, 2) == [1])
        #expect(known(6, 3) == [3])
        #expect(known(6, 4) == [3])
        state.forget(contract, column: Self.column)
        #expect(known(6, 5) == [5])
        state.know(at: 6)
        #expect(known(6, 7) == [6])
        state.clear()
        #expect(known(6, 8) == [8])
    }

    /// A contract's current state, and the expected validity of its recorded change.
    struct Present: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let author: LibraryID
        var state = ObjectState.updated
        let isValid: Bool
    }

    @Test(
        "a change is valid while its object exists and still has the counterpart",
        arguments: [
            Present(testDescription: "the object is unchanged since the change", author: 5, isValid: true),
            Present(testDescription: "the object is new", author: 5, state: .inserted, isValid: true),
            Present(testDescription: "the object has a different counterpart", author: 6, isValid: false),
            Present(testDescription: "the object is deleted", author: 5, state: .deleted, isValid: false),
            Present(testDescription: "the object is detached", author: 5, state: .detached, isValid: false),
        ])
    func valid(_ item: Present) {
        let contract = Self.contract(1, author: item.author)
        contract.state = item.state
        #expect(Self.change(contract, 5).isValid == item.isValid)
    }

    @Test("two changes have the same key if their entity, column and target are equal")
    func keys() {
        let contracts = ([1, 2] as [LibraryID]).map { Self.contract($0, author: 5) }
        #expect(Self.change(contracts[0], 5).key == Self.change(contracts[1], 5).key)
        #expect(Self.change(contracts[0], 5).key != Self.change(contracts[0], 6).key)
        #expect(
            Self.change(contracts[0], 5).key
                != CounterpartChange(object: contracts[0], column: 0, target: 5).key)
        #expect(Self.change(contracts[0], 5).key != Self.change(Loose.author(1), 5).key)
        #expect(Self.change(contracts[0], 5) == Self.change(contracts[0], 5))
        #expect(!(Self.change(contracts[0], 5) == Self.change(contracts[1], 5)))
    }
}
