import StrataCore

/// The rows of new objects, each made when a store writes it: a save of many need not hold all of them a second time.
///
/// The objects do not change while their context saves. Who keeps the change set for longer finds the rows in it as they were saved.
final class ObjectInsertions: InsertionSource {
    /// From so many values on, which would take some 5 MiB; fewer are made once, which costs a fifth of an insert less.
    static let leastValueCount = 120_000

    private enum Rows {
        case objects([ManagedObject], RowValidator)
        case made([ChangeSet.Insertion])
    }

    // SAFETY: objects are read here while their context waits for the save, and nobody writes to them then; before it goes on, `end()` puts rows in
    // their place.
    private struct State: @unchecked Sendable {
        var rows: Rows
    }

    let count: Int
    private let state: Guarded<State>

    init(_ objects: [ManagedObject], _ validator: RowValidator) {
        count = objects.count
        state = Guarded(State(rows: .objects(objects, validator)))
    }

    func insertion(at index: Int) -> ChangeSet.Insertion {
        switch state.withLock({ $0.rows }) {
        case .made(let rows): rows[index]
        case .objects(let objects, let validator): Self.row(of: objects[index], validator)
        }
    }

    func id(at index: Int) -> Int64 {
        switch state.withLock({ $0.rows }) {
        case .made(let rows): rows[index].id
        case .objects(let objects, _): objects[index].rawID
        }
    }

    func value(at index: Int, column: Int) -> StoredValue {
        if case .objects(let objects, _) = state.withLock({ $0.rows }),
            objects[index].ownership.entity.columns[column].destination != nil
        {
            // A reference has one spelling only.
            return objects[index].value(at: column)
        }
        return insertion(at: index).values[column]
    }

    /// The row as it was validated.
    private static func row(of object: ManagedObject, _ validator: RowValidator) -> ChangeSet.Insertion {
        var values = object.currentRow().values
        // Brings the values to their stored form once more; that they obey the rules is known.
        _ = validator.validate(&values, id: object.rawID)
        return ChangeSet.Insertion(id: object.rawID, values: values, version: object.version)
    }

    /// The save is over, and the objects may change: makes the rows for whoever still holds the changes.
    fileprivate func end() {
        state.withLock { state in
            guard case .objects(let objects, let validator) = state.rows else { return }
            state.rows = .made(objects.map { Self.row(of: $0, validator) })
        }
    }
}

/// What a save hands over, and what follows when it is stored.
struct SaveHandover {
    private struct Weak {
        weak var insertions: ObjectInsertions?
    }

    private var handed: [Weak] = []
    /// How many objects relationships lead to after it.
    var counts = ExpectedCounts()

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
