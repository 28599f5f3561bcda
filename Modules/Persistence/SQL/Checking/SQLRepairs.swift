import StrataCore

/// The repairs of a store whose results do not depend on a guess; each is listed once, in the order of execution.
package struct SQLRepairs<Engine: SQLCheckEngine> {
    package enum Repair {
        case sequenceTable
        case sequence(String, next: Int64)
        case surplusSequence(String, row: Int64)
        case metadata(String, String)
        case index(TableDescription.Index, TableDescription, replaces: Bool)
        case views
        /// A repair step that is specific to the engine.
        case engine(Own)
    }

    /// A repair step that is specific to an engine; its attempts are determined after the earlier steps have run.
    package struct Own {
        let key: String
        let attempts: (Engine.Connection) throws -> [Attempt]

        /// Creates a step.
        ///
        /// - Parameters:
        ///   - key: The key that identifies the step and determines its order.
        ///   - attempts: A closure that returns the attempts of the step.
        package init(_ key: String, _ attempts: @escaping (Engine.Connection) throws -> [Attempt]) {
            (self.key, self.attempts) = (key, attempts)
        }
    }

    /// One attempt to repair something.
    package struct Attempt {
        let what: String
        let failing: String
        let body: (Engine.Connection) throws -> Void

        /// Creates an attempt.
        ///
        ///   - what: A sentence that describes the repair after it is complete.
        ///   - failing: A description of the failed repair, for the error message.
        ///   - failing: A description of the failed repair, for the error.
        ///   - body: A closure that performs the repair.
        package init(_ what: String, failing: String, _ body: @escaping (Engine.Connection) throws -> Void) {
            (self.what, self.failing, self.body) = (what, failing, body)
        }
    }

    private var steps: [String: Repair] = [:]

    var isEmpty: Bool { steps.isEmpty }

    mutating func insert(_ step: Repair) { steps[step.key] = step }

    /// Removes the repairs that concern the next identifier of a single entity.
    mutating func removeSequences() {
        steps = steps.filter { _, step in
            switch step {
            case .sequence, .surplusSequence: false
            default: true
            }
        }
    }

    /// The completed and the failed repairs, with a sentence for each.
    struct Outcome {
        var done: [String] = []
        /// The sentences that name each failed repair and the reason for its failure.
        var failures: [String] = []
    }

    /// An error that ends a transaction in which a repair failed.
    ///
    /// After the failure, SQLite may have wrong information about a damaged file. It is correct again in the next
    /// transaction.
    struct StepFailed: Error {
        /// A description of the failed repair.
        let what: String
        /// The reason for the failure, as a sentence.
        let reason: String
    }

    /// Runs all repairs in the open transaction.
    ///
    /// - Parameters:
    ///   - engine: The engine, whose connection has the open transaction.
    ///   - layout: The table layout of the store's model.
    ///   - greatest: The greatest identifier of each entity; it contains every entity if the table of next identifiers
    ///     is rebuilt.
    ///   - failed: The repairs to skip because they failed in an earlier transaction, with the reasons as sentences.
    /// - Returns: The completed and the failed repairs.
    /// - Throws: ``StepFailed``, or an error that is not specific to a repair, such as a full disk or a system error.
    func run(
        on engine: Engine, _ layout: SQLLayout, greatest: [String: GreatestIdentifier], failed: [String: String]
    ) throws -> Outcome {
        var outcome = Outcome()
        for (_, step) in steps.sorted(by: { $0.key < $1.key }) {
            for attempt in try step.attempts(engine, layout, greatest) {
                if let reason = failed[attempt.what] {
                    outcome.failures.append(reason)
                    continue
                }
                do {
                    try attempt.body(engine.connection)
                    outcome.done.append(attempt.what)
                } catch let error as PersistenceError where [.corrupt, .uniqueness, .database].contains(error.code) {
                    throw StepFailed(what: attempt.what, reason: "\(attempt.failing): \(error.message)")
                }
            }
        }
        return outcome
    }
}

extension SQLRepairs.Repair {
    /// The key that identifies the repair and determines its position in the order of execution.
    ///
    /// Indexes are rebuilt before later repairs use them, and repairs that depend on rows are last.
    fileprivate var key: String {
        switch self {
        case .index(let index, _, _): "2 \(index.name)"
        case .sequenceTable: "4"
        case .surplusSequence(_, let row): "5 \(row)"
        case .sequence(let name, _): "6 \(name)"
        case .metadata(let name, _): "7 \(name)"
        case .views: "8"
        case .engine(let own): own.key
        }
    }

    /// Returns the attempts to perform the repair.
    fileprivate func attempts(
        _ engine: Engine, _ layout: SQLLayout, _ greatest: [String: GreatestIdentifier]
    ) throws -> [SQLRepairs.Attempt] {
        typealias Attempt = SQLRepairs.Attempt
        switch self {
        case .sequenceTable:
            return [
                Attempt(
                    "rebuilt the table of next identifiers", failing: "cannot rebuild the table of next identifiers"
                ) { try $0.rebuildSequences(layout, greatest) }
            ]
        case .sequence(let entity, let next):
            return [
                Attempt("set the next identifier of \(entity) to \(next)", failing: "cannot set the next identifier") {
                    try $0.run(
                        "DELETE FROM \(SQLLayout.sequenceTable) WHERE entity = \(layout.parameter(1))",
                        .string(entity))
                    try $0.run(layout.markUpsert, .string(entity), .integer(next))
                }
            ]
        case .surplusSequence(let name, let row):
            let (sql, values) = engine.removal(ofSequence: name, row: row)
            return [
                Attempt("removed the next identifier of “\(name)”", failing: "cannot remove a next identifier") {
                    try $0.run(sql, values)
                    guard $0.changes == 1 else {
                        throw PersistenceError(.corrupt, "the row of the identifier was not found", path: engine.path)
                    }
                }
            ]
        case .metadata(let key, let value):
            return [
                Attempt("rebuilt “\(key)” of the store's metadata", failing: "cannot rebuild “\(key)”") {
                    try $0.run(layout.metadataUpsert, .string(key), .string(value))
                }
            ]
        case .views:
            return [
                Attempt("rebuilt the views", failing: "cannot rebuild the views") {
                    try SQLViews(layout, on: $0).make()
                }
            ]
        case .index(let index, let table, let replaces):
            return [
                Attempt(
                    "rebuilt the index \(index.name) of \(table.name)",
                    failing: "cannot rebuild the index \(index.name)"
                ) {
                    if replaces { try $0.execute(layout.removal(of: index)) }
                    try $0.execute(layout.creation(of: index, on: table))
                }
            ]
        case .engine(let own): return try own.attempts(engine.connection)
        }
    }
}

extension SQLConnection {
    fileprivate func rebuildSequences(_ layout: SQLLayout, _ greatest: [String: GreatestIdentifier]) throws {
        try execute("DROP TABLE IF EXISTS \(SQLLayout.sequenceTable)")
        guard
            let creation = layout.ownTables().first(where: { $0.hasPrefix("CREATE TABLE \(SQLLayout.sequenceTable) ") })
        else { return }
        try execute(creation)
        for (entity, greatest) in greatest where greatest.id > 0 {
            try run(layout.markUpsert, .string(entity), .integer(greatest.id + 1))
        }
    }
}
