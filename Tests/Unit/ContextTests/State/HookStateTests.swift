import PersistenceTestSupport
import StrataCore
import Testing

@testable import StrataPersistence

/// The meaning of a write while hooks run, and the objects whose hook runs for a save.
@Suite("Hook state")
struct HookStateTests {
    /// The hooks that run, from the outermost, and the expected meaning of writes to objects 1, 2 and 3.
    struct Case: CustomTestStringConvertible, Sendable {
        enum Hook: Sendable {
            case afterFetch(Int)
            case other(Int)
        }

        let testDescription: String
        let hooks: [Hook]
        let writes: [HookState.Write]
    }

    static let cases: [Case] = [
        Case(testDescription: "no hook runs: every write is a change", hooks: [], writes: [.change, .change, .change]),
        Case(
            testDescription: "a fetch hook's write is a change only of other objects",
            hooks: [.afterFetch(1)], writes: [.awakening, .change, .change]),
        Case(
            testDescription: "a save hook writes to its own object", hooks: [.other(2)],
            writes: [.change, .ownHook, .change]),
        Case(
            testDescription: "a save hook reads an object, whose fetch hook runs", hooks: [.other(1), .afterFetch(3)],
            writes: [.ownHook, .change, .awakening]),
        Case(
            testDescription: "nested hooks: the innermost hook of each object decides",
            hooks: [.afterFetch(1), .afterFetch(2), .other(3), .other(1)], writes: [.ownHook, .awakening, .change]),
        Case(
            testDescription: "an object's fetch hook runs inside its save hook",
            hooks: [.other(1), .afterFetch(1)], writes: [.awakening, .change, .change]),
    ]

    @Test("the innermost running hooks decide the meaning of a write", arguments: cases)
    func writes(_ item: Case) {
        let objects = [1, 2, 3].map { Loose.author($0) }
        var state = HookState()
        func meanings() -> [HookState.Write] { objects.map { state.meaning(ofWriteTo: $0) } }
        var expected: [[HookState.Write]] = []
        var outer: [ManagedObject?] = []
        for hook in item.hooks {
            expected.append(meanings())
            switch hook {
            case .afterFetch(let number): outer.append(state.beginAwakening(objects[number - 1]))
            case .other(let number): outer.append(state.beginHook(on: objects[number - 1]))
            }
        }
        #expect(meanings() == item.writes)
        for hook in item.hooks.reversed() {
            let before = outer.removeLast()
            if case .afterFetch = hook { state.endAwakening(before) } else { state.endHook(before) }
            #expect(meanings() == expected.removeLast())
        }
    }

    @Test("a save is running while the state has a round of hooks")
    func saving() {
        var state = HookState()
        #expect(!state.isSaving)
        state.round = HookRound()
        #expect(state.isSaving)
    }

    /// A sequence of operations on objects 1 and 2 in a round, and the objects whose hook is then pending.
    struct Round: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let waiting: [Int64]
        let happens: @Sendable (inout HookRound, _ first: ManagedObject, _ second: ManagedObject) -> Void
    }

    static let rounds: [Round] = [
        Round(testDescription: "all hooks are pending at the beginning", waiting: [1, 2]) { _, _, _ in },
        Round(testDescription: "a hook that has run is not pending", waiting: [2]) { round, first, _ in
            round.begin(first)
            round.end()
        },
        Round(testDescription: "a hook's write to its own object does not make the hook pending", waiting: [2]) {
            round, first, _ in
            round.begin(first)
            round.touched(first)
            round.end()
        },
        Round(testDescription: "a hook's write to another object makes that object's hook pending", waiting: [1]) {
            round, first, second in
            for object in [first, second] {
                round.begin(object)
                round.touched(first)
                round.end()
            }
        },
        Round(testDescription: "a write to an object after its hook makes the hook pending", waiting: [1, 2]) {
            round, first, _ in
            round.begin(first)
            round.end()
            round.touched(first)
        },
    ]

    @Test("a hook runs once for an object, and again if the object changed after its hook", arguments: rounds)
    func round(_ item: Round) {
        let objects = [1, 2].map { Loose.author($0) }
        var round = HookRound()
        item.happens(&round, objects[0], objects[1])
        #expect(objects.filter { round.isWaiting($0) }.map(\.rawID) == item.waiting)
    }
}
