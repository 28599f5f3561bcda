/// A record inside a context: one object per identifier, whose properties are read and written as the record's own.
///
/// ```swift
/// try context.perform { context in
///     let color = try context.existingObject(with: id)
///     color.name = "Navy"
///     try context.save()
/// }
/// ```
///
/// Not `Sendable`: it stays in its context's closure. What leaves is ``record``, a value.
@dynamicMemberLookup
public final class Managed<Record: PersistentRecord>: ManagedObject {
    @usableFromInline
    var current: Record
    private var committed: Record?

    /// The identifier.
    public let id: Record.ID

    init(inserting record: Record, in context: WorkingContext) {
        current = record
        id = record.id
        super.init(
            entityName: Record.entity.name, rawID: record.id.rawValue, state: .inserted,
            version: ChangeSet.freshVersion(), context: context)
    }

    init(reading record: Record, version: Int64, in context: WorkingContext) {
        current = record
        committed = record
        id = record.id
        super.init(
            entityName: Record.entity.name, rawID: record.id.rawValue, state: .unchanged, version: version,
            context: context)
    }

    /// The values as they are now, to be taken anywhere.
    public var record: Record { current }

    /// The values as they were read or saved last; `nil` before the first save.
    public var committedRecord: Record? { committed }

    /// Reads a property.
    @inlinable
    public subscript<Value>(dynamicMember path: KeyPath<Record, Value>) -> Value {
        current[keyPath: path]
    }

    /// Reads and writes a property.
    ///
    /// A write to a deleted or detached object is an error of the context's next save.
    @inlinable
    public subscript<Value>(dynamicMember path: WritableKeyPath<Record, Value>) -> Value {
        get { current[keyPath: path] }
        set {
            willChange()
            current[keyPath: path] = newValue
        }
    }

    /// Changes several properties at once, through the record.
    ///
    /// - Throws: What `change` throws; the object is then as before.
    public func update(_ change: (inout Record) throws -> Void) rethrows {
        var record = current
        try change(&record)
        guard record.id == id else {
            fatalError("the identifier of \(entityName) \(rawID) never changes; insert another object instead")
        }
        willChange()
        current = record
    }

    // MARK: ManagedObject

    override func currentRow() -> (values: [StoredValue], failures: [ValidationFailure]) {
        Record.entity.encode(current)
    }

    override func committedValues() -> [StoredValue]? {
        committed.map { Record.entity.encode($0).values }
    }

    override func write(_ values: [StoredValue]) throws {
        let record = try Record.entity.record(from: StoredRow(id: rawID, version: version, values: values))
        willChange()
        current = record
    }

    override func rebase(onto row: StoredRow, keepingChanges: Bool) throws {
        let stored = try Record.entity.record(from: row)
        var next = stored
        if keepingChanges {
            let changed = changedColumns()
            let (mine, failures) = currentRow()
            if let failure = failures.first { throw failure }
            var merged = row
            for index in changed { merged.values[index] = mine[index] }
            if !changed.isEmpty { next = try Record.entity.record(from: merged) }
        }
        committed = stored
        current = next
        version = row.version
    }

    override func commit(version: Int64) {
        committed = current
        self.version = version
    }

    override func revert() {
        if let committed { current = committed }
    }
}
