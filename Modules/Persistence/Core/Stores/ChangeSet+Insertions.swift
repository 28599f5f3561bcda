/// New rows that are made when somebody asks for them: a save of many objects need not hold a second copy of each.
package protocol InsertionSource: AnyObject, Sendable {
    /// The number of rows.
    var count: Int { get }
    /// A row.
    ///
    /// - Throws: Why it cannot be made any more.
    func insertion(at index: Int) throws -> ChangeSet.Insertion
    /// The row as it is, though it may not be what was validated.
    func uncheckedInsertion(at index: Int) -> ChangeSet.Insertion
    /// A row's identifier.
    func id(at index: Int) -> Int64
    /// One value of a row.
    func value(at index: Int, column: Int) -> StoredValue
}

extension ChangeSet.EntityChanges {
    /// The new rows: at hand, or made one after the other.
    enum Insertions: Sendable {
        case rows([ChangeSet.Insertion])
        case source(any InsertionSource)

        var isEmpty: Bool {
            switch self {
            case .rows(let rows): rows.isEmpty
            case .source(let source): source.count == 0
            }
        }

        func gathered() throws -> [ChangeSet.Insertion] {
            switch self {
            case .rows(let rows): rows
            case .source(let source): try (0..<source.count).map(source.insertion)
            }
        }

        /// The rows as they are.
        var rows: [ChangeSet.Insertion] {
            switch self {
            case .rows(let rows): rows
            case .source(let source): (0..<source.count).map(source.uncheckedInsertion)
            }
        }
    }

    /// Changes whose new rows are made when they are asked for.
    package init(inserting source: any InsertionSource) {
        newRows = .source(source)
    }

    /// Whether there are new rows.
    public var hasInsertions: Bool { !newRows.isEmpty }

    /// The identifiers of the new rows, in the order in which they were inserted.
    public var insertedIDs: [Int64] {
        switch newRows {
        case .rows(let rows): rows.map(\.id)
        case .source(let source): (0..<source.count).map(source.id)
        }
    }

    /// Gives the new rows to `body` one after the other, in the order in which they were inserted.
    ///
    /// Unlike ``insertions`` it does not hold all of them at once.
    ///
    /// - Throws: What `body` throws; ``PersistenceError`` with code ``PersistenceError/Code/validation`` where a row cannot be made any more, because a
    ///   computed property does not follow from its record alone.
    public func eachInsertion(_ body: (ChangeSet.Insertion) throws -> Void) throws {
        switch newRows {
        case .rows(let rows): for row in rows { try body(row) }
        case .source(let source): for index in 0..<source.count { try body(try source.insertion(at: index)) }
        }
    }

    /// Gives the new rows' values in one column to `body`, in the order in which the rows were inserted.
    ///
    /// - Throws: What `body` throws.
    public func eachInsertedValue(column: Int, _ body: (_ id: Int64, StoredValue) throws -> Void) rethrows {
        switch newRows {
        case .rows(let rows): for row in rows { try body(row.id, row.values[column]) }
        case .source(let source):
            for index in 0..<source.count { try body(source.id(at: index), source.value(at: index, column: column)) }
        }
    }
}

extension ChangeSet {
    /// The same changes with all new rows at hand: for a store that keeps them anyway, and looks at them more than once.
    ///
    /// Making rows runs the records' code; hold no lock meanwhile that it may want.
    ///
    /// - Throws: As ``EntityChanges/eachInsertion(_:)``.
    public func gathered() throws -> ChangeSet {
        var changes = self
        for (name, entity) in entities {
            if case .source = entity.newRows { changes.entities[name]?.newRows = .rows(try entity.newRows.gathered()) }
        }
        return changes
    }
}
