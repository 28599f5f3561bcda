import Foundation
import StrataTestSupport

/// The steps of a unit of work, chosen before it runs so that a retry repeats them.
struct LedgerPlan: Sendable {
    indirect enum Step: Sendable {
        case open(key: Int, balance: Int)
        case setBalance(Int, account: Int)
        case close(account: Int)
        case append(String, account: Int)
        case removeEntry(Int, account: Int)
        case moveEntry(Int, to: Int, account: Int)
        case savepoint([Step], fails: Bool)
        case look
    }

    /// The result of the unit of work.
    enum Ending: CaseIterable, Sendable {
        case returns, throwsItself, breaksRule, takesKey, isCancelled
    }

    let steps: [Step]
    let ending: Ending

    /// Creates a plan for an owner, whose next new account has the given key.
    init(_ next: inout Int, using random: inout SeededGenerator) {
        steps = Self.steps(Int.random(in: 1...6, using: &random), depth: 0, &next, &random)
        let endings: [Ending] = [.returns, .returns, .returns] + Ending.allCases
        ending = endings[Int.random(in: 0..<endings.count, using: &random)]
    }

    private static func steps(
        _ count: Int, depth: Int, _ next: inout Int, _ random: inout SeededGenerator
    ) -> [Step] {
        (0..<count).map { _ in
            let account = Int.random(in: 0..<64, using: &random)
            let place = Int.random(in: 0..<64, using: &random)
            switch Int.random(in: 0..<(depth < 3 ? 10 : 8), using: &random) {
            case 0, 1:
                next += 1
                return .open(key: next, balance: place)
            case 2: return .setBalance(place, account: account)
            case 3: return .close(account: account)
            case 4, 5: return .append("e\(place)", account: account)
            case 6: return .removeEntry(place, account: account)
            case 7: return Bool.random(using: &random) ? .look : .moveEntry(place, to: place / 3, account: account)
            default:
                let inner = steps(Int.random(in: 1...4, using: &random), depth: depth + 1, &next, &random)
                return .savepoint(inner, fails: Bool.random(using: &random))
            }
        }
    }

    /// An error that the block throws to discard its changes.
    struct Refusal: Error {}

    /// Applies the steps to a unit of work and to the tracked accounts of the owner.
    func run(_ unit: any LedgerUnit, owner: Int, _ known: inout Ledger.Accounts) throws {
        try Self.run(steps, unit, owner, &known)
        try Self.look(unit, owner, known)
        switch ending {
        case .returns, .isCancelled: break
        case .throwsItself: throw Refusal()
        case .breaksRule:
            try unit.open(-owner - 1, owner: owner, balance: 1)
            try unit.setBalance(-1, of: -owner - 1)
        case .takesKey:
            try unit.open(-owner - 1, owner: owner, balance: 1)
            try unit.open(-owner - 1, owner: owner, balance: 2)
        }
    }

    private static func run(
        _ steps: [Step], _ unit: any LedgerUnit, _ owner: Int, _ known: inout Ledger.Accounts
    ) throws {
        for step in steps { try run(step, unit, owner, &known) }
    }

    private static func run(
        _ step: Step, _ unit: any LedgerUnit, _ owner: Int, _ known: inout Ledger.Accounts
    ) throws {
        /// Returns the key of the account with a number, or `nil` if there is no account.
        func key(_ account: Int) -> Int? { known.isEmpty ? nil : known.keys.sorted()[account % known.count] }
        /// Returns an account and a position in its list, or `nil` if there is none.
        func entry(_ place: Int, _ account: Int) -> (key: Int, place: Int)? {
            guard let key = key(account), let count = known[key]?.entries.count, count > 0 else { return nil }
            return (key, place % count)
        }
        switch step {
        case .open(let key, let balance):
            try unit.open(key, owner: owner, balance: balance)
            known[key] = Ledger.Known(balance: balance)
        case .setBalance(let balance, let account):
            guard let key = key(account) else { return }
            try unit.setBalance(balance, of: key)
            known[key]?.balance = balance
        case .close(let account):
            guard let key = key(account) else { return }
            try unit.close(key)
            known[key] = nil
        case .append(let text, let account):
            guard let key = key(account) else { return }
            try unit.append(text, to: key)
            known[key]?.entries.append(text)
        case .removeEntry(let place, let account):
            guard let (key, place) = entry(place, account) else { return }
            try unit.removeEntry(at: place, of: key)
            known[key]?.entries.remove(at: place)
        case .moveEntry(let place, let other, let account):
            guard let (key, place) = entry(place, account), var entries = known[key]?.entries else { return }
            let other = other % entries.count
            try unit.moveEntry(from: place, to: other, of: key)
            entries.insert(entries.remove(at: place), at: other)
            known[key]?.entries = entries
        case .look: try look(unit, owner, known)
        case .savepoint(let inner, let fails):
            let before = known
            do {
                var after = known
                try unit.savepoint { unit in
                    try run(inner, unit, owner, &after)
                    if fails { throw Refusal() }
                }
                known = after
            } catch is Refusal {
                known = before
                try look(unit, owner, known)
            }
        }
    }

    /// Expects that the unit of work sees its changes, and none that were rolled back.
    private static func look(_ unit: any LedgerUnit, _ owner: Int, _ known: Ledger.Accounts) throws {
        let seen = try unit.accounts(of: owner)
        if seen != known { throw StressFailure(description: "owner \(owner) sees \(seen), not \(known)") }
    }
}
