import StrataCore

/// The rows of new objects, each made when a store writes it: a save of many need not hold all of them a second time.
///
/// The objects do not change while their context saves; other threads may read the rows meanwhile. Who keeps the change set for longer finds the rows in it as they were saved.
final class ObjectInsertions: InsertionSource {
    /// From so many values on, which would take some 5 MiB; fewer are made once, which costs a fifth of an insert less.
    static let leastValueCount = 120_000

    private enum Rows {
        case objects([ManagedObject], RowValidator)
        case made([ChangeSet.Insertion])
    }

    // SAFETY: objects are read by whoever holds the lock. The context waits in `end()` for those who read them on other threads, before it writes.
    private struct State: @unchecked Sendable {
        var rows: Rows
    }

    let count: Int
    /// Held while a row is made, so that the objects change only after it; that runs the record's code, which has no way back here.
    private let state: Guarded<State>

    init(_ objects: [ManagedObject], _ validator: RowValidator) {
        count = objects.count
        state = Guarded(State(rows: .objects(objects, validator)))
    }

    func insertion(at index: Int) throws -> ChangeSet.Insertion {
        try state.withLock { state in
            switch state.rows {
            case .made(let rows): return rows[index]
            case .objects(let objects, let validator): return try Self.row(of: objects[index], validator)
            }
        }
    }

    func uncheckedInsertion(at index: Int) -> ChangeSet.Insertion {
        state.withLock { state in
            switch state.rows {
            case .made(let rows): return rows[index]
            case .objects(let objects, let validator): return Self.uncheckedRow(of: objects[index], validator).row
            }
        }
    }

    func id(at index: Int) -> Int64 {
        state.withLock { state in
            switch state.rows {
            case .made(let rows): return rows[index].id
            case .objects(let objects, _): return objects[index].rawID
            }
        }
    }

    func value(at index: Int, column: Int) -> StoredValue {
        state.withLock { state in
            switch state.rows {
            case .made(let rows): return rows[index].values[column]
            case .objects(let objects, let validator):
                var value = objects[index].value(at: column)
                // Brings it to its stored form; that it obeys the rules is known.
                _ = validator.validate(&value, column: column)
                return value
            }
        }
    }

    /// The row as it was validated.
    ///
    /// - Throws: ``PersistenceError`` where a computed property that does not follow from the record alone has become one that breaks a rule.
    private static func row(of object: ManagedObject, _ validator: RowValidator) throws -> ChangeSet.Insertion {
        let (row, failures) = uncheckedRow(of: object, validator)
        if failures.isEmpty { return row }
        var error = PersistenceError(.validation, "a rule of the model is broken since the object was validated:")
        error.failures = failures
        throw error
    }

    private static func uncheckedRow(
        of object: ManagedObject, _ validator: RowValidator
    ) -> (row: ChangeSet.Insertion, failures: [ValidationFailure]) {
        var (values, failures) = object.currentRow()
        // Brings them to their stored form.
        failures += validator.validate(&values, id: object.rawID)
        return (ChangeSet.Insertion(id: object.rawID, values: values, version: object.version), failures)
    }

    /// The save is over, and the objects may change: makes the rows for whoever still holds the changes.
    fileprivate func end() {
        state.withLock { state in
            guard case .objects(let objects, let validator) = state.rows else { return }
            state.rows = .made(objects.map { Self.uncheckedRow(of: $0, validator).row })
        }
    }
}

/// What a save hands over, and what follows when it is stored.
struct SaveHandover {
    private struct Weak {
        weak var insertions: ObjectInsertions?
    }

    private var handed: [Weak] = []

    /// The new rows of objects.
    mutating func insertions(_ objects: [ManagedObject], _ validator: RowValidator) -> ChangeSet.EntityChanges {
        let insertions = ObjectInsertions(objects, validator)
        handed.append(Weak(insertions: insertions))
        return ChangeSet.EntityChanges(inserting: insertions)
    }

    /// Before the objects change again: makes the rows that somebody still holds.
    func end() {
        for handed in handed { handed.insertions?.end() }
    }
}
