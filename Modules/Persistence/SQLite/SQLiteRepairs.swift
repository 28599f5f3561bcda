import Foundation
import StrataCore
import StrataSQL

/// What can be rebuilt of a store without a guess: each step once, in the order in which they are taken.
struct SQLiteRepairs {
    enum Step {
        case sequenceTable
        case sequence(String, next: Int64)
        case surplusSequence(String)
        case metadata(String, String)
        case formatVersion
        case index(TableDescription.Index, TableDescription, replaces: Bool)
        case surplusIndex(String, entity: String)
        /// SQLite does not always say which index is damaged, and sometimes names what a damaged index only leads to.
        case everyIndex
    }

    private var steps: [String: Step] = [:]

    var isEmpty: Bool { steps.isEmpty }

    mutating func insert(_ step: Step) { steps[step.key] = step }

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
    ///   - greatest: The greatest identifier of each entity.
    ///   - failed: The steps that are left out, because they failed before, with the sentences that say so.
    /// - Returns: What was done, and what could not be, a sentence each.
    /// - Throws: ``StepFailed``, or what says nothing of a single step: a full disk, an error of the system.
    func run(
        on connection: SQLiteConnection, _ layout: SQLLayout, greatest: [String: Int64], failed: [String: String]
    ) throws -> [String] {
        var done: [String] = []
        func attempt(_ what: String, _ failing: String, _ body: () throws -> Void) throws {
            if let reason = failed[what] { return done.append(reason) }
            do {
                try body()
                done.append(what)
            } catch let error as PersistenceError where [.corrupt, .uniqueness].contains(error.code) {
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
            case .surplusSequence(let name):
                try attempt("removed the next identifier of “\(name)”", "cannot remove a next identifier") {
                    try connection.run("DELETE FROM \(SQLLayout.sequenceTable) WHERE entity = ?", .string(name))
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
            case .surplusIndex(let name, let entity):
                try attempt("removed the index \(name) of \(entity)", "cannot remove the index \(name)") {
                    try connection.execute("DROP INDEX \(Self.quoted(name))")
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
        return done
    }

    /// A name that another program may have chosen.
    private static func quoted(_ name: String) -> String { SQLLayout.quoted(name.replacing("\"", with: "\"\"")) }

    private static func rebuildSequences(
        _ connection: SQLiteConnection, _ layout: SQLLayout, _ greatest: [String: Int64]
    ) throws {
        try connection.execute("DROP TABLE IF EXISTS \(SQLLayout.sequenceTable)")
        guard let creation = layout.schema().first(where: { $0.hasPrefix("CREATE TABLE \(SQLLayout.sequenceTable) ") })
        else { return }
        try connection.execute(creation)
        for (entity, id) in greatest where id > 0 && id < identifierRange.upperBound {
            try connection.run(layout.markUpsert, .string(entity), .integer(id + 1))
        }
    }
}

extension SQLiteRepairs.Step {
    /// Tells steps apart, and puts them in their order: indexes are rebuilt before they are looked for, what depends on rows comes last.
    fileprivate var key: String {
        switch self {
        case .everyIndex: "3"
        case .surplusIndex(let name, _): "1 \(name)"
        case .index(let index, _, _): "2 \(index.name)"
        case .sequenceTable: "4"
        case .surplusSequence(let name): "5 \(name)"
        case .sequence(let name, _): "6 \(name)"
        case .metadata(let name, _): "7 \(name)"
        case .formatVersion: "8"
        }
    }
}
