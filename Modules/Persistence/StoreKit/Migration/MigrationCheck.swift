package import StrataCore

/// A check of a store's rows with its earlier model, before a migration changes anything.
///
/// The check reports the data that would be deleted, and the rows that break rules of the later model. If possible, the
/// store evaluates the rules as conditions. Values are read only for rules that need Swift code.
///
/// Each check reads the rows with their earlier names and types, and reports with later names. A check reads no row if
/// both models show that no row can fail it. Rows that the code of a stage creates are not checked here, because they
/// do not exist yet.
package struct MigrationCheck {
    let mapping: ModelMapping
    /// The reader of the rows in the earlier model.
    let reader: any StoreReader
    /// The names of the later entities whose rows the code of a stage creates; the check does not validate these rows.
    var made: Set<String> = []
    var isCancelled: @Sendable () -> Bool = { false }

    package init(
        _ mapping: ModelMapping, reader: any StoreReader, made: Set<String> = [],
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.mapping = mapping
        self.reader = reader
        self.made = made
        self.isCancelled = isCancelled
    }

    /// Returns a preview of all effects of the migration.
    ///
    /// - Complexity: O(*n* log *n*) in the count of rows whose columns have new rules; otherwise the time in which the
    ///   store counts rows.
    package func preview() throws -> MigrationPreview {
        MigrationPreview(
            steps: mapping.steps, rowCount: try rowCount(), drops: try drops(), violations: try violations(),
            obstacles: obstacles, hints: mapping.hints)
    }

    /// The changes that no mapping rule covers, except those that the code of a stage handles; one sentence each.
    private var obstacles: [String] {
        mapping.obstaclesByEntity.filter { !made.contains($0.entity) }.map(\.message)
    }

    /// Throws an error if the options do not permit the migration.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/incompatibleModel`` for changes without a
    ///   mapping rule, ``PersistenceError/Code/dataLoss`` for data that would be deleted without being named in the
    ///   options, or ``PersistenceError/Code/validation`` for rows that break rules.
    package func run(_ options: MigrationOptions) throws {
        // Changes without a mapping rule are reported before any row is read.
        try MigrationPreview(steps: [], obstacles: obstacles).check(options)
        try MigrationPreview(steps: [], drops: try drops(), hints: mapping.hints).check(options)
        try MigrationPreview(steps: [], violations: try violations()).check(options)
    }

    func count(_ entity: String, where condition: FetchCondition? = nil) throws -> Int {
        try reader.count(StoreRequest(entity, where: condition))
    }

    /// Passes the rows that a request selects to `body`, and checks periodically whether the migration was canceled.
    func read(_ request: StoreRequest, _ body: (RowReader) throws -> Void) throws {
        var steps = 0
        try reader.fetch(request) { row in
            try step(&steps)
            try body(row)
            return .next
        }
    }

    private func step(_ steps: inout Int) throws {
        steps += 1
        if steps.isMultiple(of: 4096), isCancelled() { throw CancellationError() }
    }

    /// Returns the count of rows in entities whose stored values change; additions and renames are not counted.
    private func rowCount() throws -> Int {
        // Additions and renames leave rows unchanged. Counting a million rows takes longer than these changes.
        let touched = Set(mapping.steps.filter { $0.isPhysical && ![.add, .rename].contains($0.kind) }.map(\.entity))
        var count = 0
        for entity in mapping.entities {
            guard let source = entity.source, !touched.isDisjoint(with: [entity.entity.name, source.name]) else {
                continue
            }
            count += try self.count(source.name)
        }
        for entity in mapping.removedEntities { count += try self.count(entity.name) }
        return count
    }

    // MARK: Data loss

    /// Returns the data that the migration would delete, with its counts; data without a stored value is omitted.
    ///
    /// Entities are first, then identifiers, then attributes and references, then join rows.
    func drops() throws -> [MigrationDrop] {
        var drops: [MigrationDrop] = []
        func add(_ entity: String, _ attribute: String?, count: Int) {
            if count > 0 { drops.append(MigrationDrop(entity: entity, attribute: attribute, count: count)) }
        }
        for entity in mapping.removedEntities { add(entity.name, nil, count: try count(entity.name)) }
        let seen = Set(mapping.entities.filter { made.contains($0.entity.name) }.compactMap { $0.source?.name })
        for mapping in mapping.entities where !made.contains(mapping.entity.name) {
            guard let source = mapping.source, let column = mapping.removedIdentifier else { continue }
            add(source.name, column, count: try count(source.name))
        }
        for (name, columns) in mapping.removedColumns.sorted(by: { $0.key < $1.key }) where !seen.contains(name) {
            let entity = try mapping.source.entity(named: name)
            for column in columns.map({ entity.columns[$0].name }) {
                add(name, column, count: try count(name, where: !.isNull(column)))
            }
        }
        let deleted = Set(mapping.removedEntities.map(\.name))
        let handled = deleted.union(seen)
        for join in mapping.removedJoins
        where !handled.contains(join.sourceEntity) && !handled.contains(join.targetEntity) {
            var pairs = 0
            try reader.joins(JoinRequest(join.name)) { _ in
                try step(&pairs)
                return .next
            }
            add(join.sourceEntity, join.sourceRelationship, count: pairs)
        }
        return drops
    }
}

extension FetchCondition {
    static func isNull(_ property: String) -> FetchCondition {
        .compare(.property(property), .equal, .constant(.null))
    }
}
