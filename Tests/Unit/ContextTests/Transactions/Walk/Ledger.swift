import Foundation
import StrataPersistence

/// Accounts of several owners with ordered entries, which the units of work of the random walk change.
enum Ledger {
    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Account.self, Entry.self])
    }

    struct Account: PersistentRecord {
        let id: RecordID<Account>
        var owner: Int
        var key: Int
        var balance: Int

        static let entries = ToMany<Account, Entry>(
            "entries", to: "Entry", inverse: "account", deleteRule: .cascade, orderedBy: "rank")

        static let entity = RecordEntity<Account>(
            "Account", id: \.id,
            [
                .attribute("owner", \.owner, isIndexed: true),
                .attribute("key", \.key, isUnique: true, isImmutable: true),
                .attribute("balance", \.balance, rules: [.minimum(.integer(0))]),
                .relationship(entries),
            ]
        ) { row in
            Account(id: try row.id(), owner: try row.next(), key: try row.next(), balance: try row.next())
        }
    }

    struct Entry: PersistentRecord {
        let id: RecordID<Entry>
        var text: String
        var rank = 0
        var account: Account.ID

        static let entity = RecordEntity<Entry>(
            "Entry", id: \.id,
            [
                .attribute("text", \.text), .attribute("rank", \.rank),
                .toOne("account", \.account, to: "Account", inverse: "entries"),
            ]
        ) { row in
            Entry(id: try row.id(), text: try row.next(), rank: try row.next(), account: try row.next())
        }
    }

    /// An owner's accounts by key, as the walk tracks them without a store.
    typealias Accounts = [Int: Known]

    struct Known: Equatable {
        var balance: Int
        var entries: [String] = []
    }
}

/// The changes of a unit of work, through either of its two interfaces.
protocol LedgerUnit {
    func open(_ key: Int, owner: Int, balance: Int) throws
    func setBalance(_ balance: Int, of key: Int) throws
    func close(_ key: Int) throws
    func append(_ text: String, to key: Int) throws
    func removeEntry(at place: Int, of key: Int) throws
    func moveEntry(from place: Int, to other: Int, of key: Int) throws
    func accounts(of owner: Int) throws -> Ledger.Accounts
    func savepoint(_ body: (any LedgerUnit) throws -> Void) throws
}

/// A unit of work over objects.
struct ObjectUnit: LedgerUnit {
    let context: ConfinedContext

    private func account(_ key: Int) throws -> Managed<Ledger.Account> {
        let found = try context.fetch(FetchRequest<Ledger.Account>(where: #Predicate { $0.key == key })).first
        guard let found else { throw StressFailure(description: "account \(key) does not exist") }
        return found
    }

    func open(_ key: Int, owner: Int, balance: Int) throws {
        try context.insert(Ledger.Account.self) { Ledger.Account(id: $0, owner: owner, key: key, balance: balance) }
    }

    func setBalance(_ balance: Int, of key: Int) throws { try account(key).balance = balance }
    func close(_ key: Int) throws { context.delete(try account(key)) }

    func append(_ text: String, to key: Int) throws {
        let account = try account(key)
        let entry = try context.insert(Ledger.Entry.self) { Ledger.Entry(id: $0, text: text, account: account.id) }
        try context.add(entry, to: \.entries, of: account)
    }

    func removeEntry(at place: Int, of key: Int) throws {
        context.delete(try context.objects(\.entries, of: account(key))[place])
    }

    func moveEntry(from place: Int, to other: Int, of key: Int) throws {
        let account = try account(key)
        try context.move(try context.objects(\.entries, of: account)[place], to: other, in: \.entries, of: account)
    }

    func accounts(of owner: Int) throws -> Ledger.Accounts {
        let accounts = try context.fetch(FetchRequest<Ledger.Account>(where: #Predicate { $0.owner == owner }))
        return Dictionary(
            uniqueKeysWithValues: try accounts.map { account in
                let entries = try context.objects(\.entries, of: account).map(\.text)
                return (account.key, Ledger.Known(balance: account.balance, entries: entries))
            })
    }

    func savepoint(_ body: (any LedgerUnit) throws -> Void) throws {
        try context.transaction { try body(ObjectUnit(context: $0)) }
    }
}

/// A unit of work over values.
struct ValueUnit: LedgerUnit {
    let unit: any RecordTransaction

    private func account(_ key: Int) throws -> Ledger.Account.ID {
        let found = try unit.fetch(FetchRequest<Ledger.Account>(where: #Predicate { $0.key == key })).first
        guard let found else { throw StressFailure(description: "account \(key) does not exist") }
        return found.id
    }

    private func entries(_ account: Ledger.Account.ID) throws -> [Ledger.Entry] {
        try unit.related(\.entries, of: Ledger.Account.self, id: account)
    }

    func open(_ key: Int, owner: Int, balance: Int) throws {
        _ = try unit.insert(Ledger.Account.self) {
            Ledger.Account(id: $0, owner: owner, key: key, balance: balance)
        }
    }

    func setBalance(_ balance: Int, of key: Int) throws {
        try unit.update(Ledger.Account.self, id: account(key)) { $0.balance = balance }
    }

    func close(_ key: Int) throws { try unit.delete(Ledger.Account.self, id: account(key)) }

    func append(_ text: String, to key: Int) throws {
        let account = try account(key)
        let entry = try unit.insert(Ledger.Entry.self) { Ledger.Entry(id: $0, text: text, account: account) }
        try unit.add(entry.id, to: \.entries, of: Ledger.Account.self, id: account)
    }

    func removeEntry(at place: Int, of key: Int) throws {
        try unit.delete(Ledger.Entry.self, id: entries(account(key))[place].id)
    }

    func moveEntry(from place: Int, to other: Int, of key: Int) throws {
        let account = try account(key)
        try unit.move(
            try entries(account)[place].id, to: other, in: \.entries, of: Ledger.Account.self, id: account)
    }

    func accounts(of owner: Int) throws -> Ledger.Accounts {
        let accounts = try unit.fetch(FetchRequest<Ledger.Account>(where: #Predicate { $0.owner == owner }))
        return Dictionary(
            uniqueKeysWithValues: try accounts.map { account in
                let entries = try entries(account.id).map(\.text)
                return (account.key, Ledger.Known(balance: account.balance, entries: entries))
            })
    }

    func savepoint(_ body: (any LedgerUnit) throws -> Void) throws {
        try unit.transaction { try body(ValueUnit(unit: $0)) }
    }
}
