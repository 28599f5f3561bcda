import Foundation
import StrataCore
import StrataSQL

/// What can be rebuilt of a store without a guess: each step once, in the order in which they are taken.
struct SQLiteRepairs {
    enum Mending {
        case sequenceTable
        case sequence(String, next: Int64)
        case surplusSequence(String, row: Int64)
        case metadata(String, String)
        case formatVersion
        case index(TableDescription.Index, TableDescription, replaces: Bool)
        /// SQLite does not always say which index is damaged, and sometimes names what a damaged index only leads to.
        case everyIndex
    }

    private var steps: [String: Mending] = [:]

    var isEmpty: Bool { steps.isEmpty }

    mutating func insert(_ step: Mending) { steps[step.key] = step }

    /// Forgets what would have been done to single next identifiers.
    mutating func removeSequences() {
        steps = steps.filter { _, step in
            switch step {
            case .sequence, .surplusSequence: false
            default: true
            }
        }
    }

    /// What came of the steps, a sentence each.
    struct Outcome {
        var done: [String] = []
        /// What could not be done, and why.
        var failures: [String] = []
    }

    /// Ends a transaction in which one of its steps could not be taken: what SQLite knows of a damaged file is right again in the next.
    struct StepFailed: Error {
        /// What would have been done.
        let what: String
        /// Why it was not, as a sentence.
        let reason: String
    }

    /// Takes all steps inside the transaction that is open.
    ///
    /// - Parameters:
    ///   - connection: The connection whose transaction it is.
    ///   - layout: The tables and statements.
    ///   - greatest: The greatest identifier of each entity; of every one where the table of next identifiers is rebuilt.
    ///   - failed: The steps that are left out, because they failed before, with the sentences that say so.
    /// - Returns: What was done, and what could not be.
    /// - Throws: ``StepFailed``, or what says nothing of a single step: a full disk, an error of the system.
    func run(
        on connection: SQLiteConnection, _ layout: SQLLayout, greatest: [String: SQLiteCheck.Greatest],
        failed: [String: String]
    ) throws -> Outcome {
        var outcome = Outcome()
        func attempt(_ what: String, _ failing: String, _ body: () throws -> Void) throws {
            if let reason = failed[what] { return outcome.failures.append(reason) }
            do {
                try body()
                outcome.done.append(what)
            } catch let error as PersistenceError where [.corrupt, .uniqueness, .database].contains(error.code) {
                throw StepFailed(what: what, reason: "\(failing): \(error.message)")
            }
        }
        for (_, step) in steps.sorted(by: { $0.key < $1.key }) {
            switch step {
            case .sequenceTable:
                try attempt("rebuilt the table of next identifiers", "cannot rebuild the table of next identifiers") {
                    try Self.rebuildSequences(connection, layout, greatest)
                }
            case .sequence(let entity, let next):
                try attempt("set the next identifier of \(entity) to \(next)", "cannot set the next identifier") {
                    try connection.run(
                        "DELETE FROM \(SQLLayout.sequenceTable) WHERE entity = ?", .string(entity))
                    try connection.run(layout.markUpsert, .string(entity), .integer(next))
                }
            case .surplusSequence(let name, let row):
                try attempt("removed the next identifier of “\(name)”", "cannot remove a next identifier") {
                    // The name may be one that no text is equal to.
                    try connection.run("DELETE FROM \(SQLLayout.sequenceTable) WHERE rowid = ?", .integer(row))
                    guard connection.changes == 1 else {
                        throw PersistenceError(.corrupt, "its row was not found", path: connection.path)
                    }
                }
            case .metadata(let key, let value):
                try attempt("rebuilt “\(key)” of what the store knows of itself", "cannot rebuild “\(key)”") {
                    try connection.run(layout.metadataUpsert, .string(key), .string(value))
                }
            case .formatVersion:
                try attempt("set the number of the store's format", "cannot set the number of the store's format") {
                    try connection.execute("PRAGMA user_version = \(SQLiteFormat.version)")
                }
            case .index(let index, let table, let replaces):
                try attempt(
                    "rebuilt the index \(index.name) of \(table.name)", "cannot rebuild the index \(index.name)"
                ) {
                    if replaces { try connection.execute(layout.removal(of: index)) }
                    try connection.execute(layout.creation(of: index, on: table))
                }
            case .everyIndex:
                let names = try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name")
                for name in names {
                    try attempt("rebuilt the index \(name)", "cannot rebuild the index \(name)") {
                        try connection.execute("REINDEX \(Self.quoted(name))")
                    }
                }
            }
        }
        return outcome
    }

    /// A name that another program may have chosen.
    private static func quoted(_ name: String) -> String { SQLLayout.quoted(name.replacing("\"", with: "\"\"")) }

    private static func rebuildSequences(
        _ connection: SQLiteConnection, _ layout: SQLLayout, _ greatest: [String: SQLiteCheck.Greatest]
    ) throws {
        try connection.execute("DROP TABLE IF EXISTS \(SQLLayout.sequenceTable)")
        guard let creation = layout.schema().first(where: { $0.hasPrefix("CREATE TABLE \(SQLLayout.sequenceTable) ") })
        else { return }
        try connection.execute(creation)
        for (entity, greatest) in greatest where greatest.id > 0 {
            try connection.run(layout.markUpsert, .string(entity), .integer(greatest.id + 1))
        }
    }
}

extension SQLiteRepairs.Mending {
    /// Tells steps apart, and puts them in their order: indexes are rebuilt before they are looked for, what depends on rows comes last.
    fileprivate var key: String {
        switch self {
        case .everyIndex: "3"
        case .index(let index, _, _): "2 \(index.name)"
        case .sequenceTable: "4"
        case .surplusSequence(_, let row): "5 \(row)"
        case .sequence(let name, _): "6 \(name)"
        case .metadata(let name, _): "7 \(name)"
        case .formatVersion: "8"
        }
    }
}
