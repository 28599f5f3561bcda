import StrataCore
import StrataStoreKit

/// An object of a context: the only object with its identifier in the context, with the properties of its record.
///
/// ```swift
/// try await context.perform { context in
///     let color = try context.existingObject(with: id, of: Color.self)
///     color.name = "Navy"
///     try context.save()
/// }
/// ```
///
/// A `Managed` object is not `Sendable` and cannot leave its context's closure. To pass its values to other code, use
/// ``record``.
///
/// Reading and writing a property does not read the store, because an object always has all its values. A write changes
/// the object at once, and the next save of the context stores it. Use objects only in closures of their context: the
/// use in another context stops the program with a message if it is detected.
///
/// If the context is released before a write, the program stops, because the write would be lost. Reads remain
/// possible.
///
/// ## Topics
///
/// ### Reading the object
///
/// - ``id``
/// - ``record``
/// - ``committedRecord``
///
/// ### Changing the object
///
/// - ``update(_:)``
@dynamicMemberLookup
public final class Managed<Record: ManagedRecord>: ManagedObject {
    /// The storage of `current`.
    ///
    /// The attribute is unchecked because exclusivity checks took a twentieth of the time of a fetch. Only one thread
    /// at a time accesses the storage, and each access ends before any other code runs.
    @exclusivity(unchecked) @usableFromInline var stored: Record

    /// The record with the current values.
    @usableFromInline var current: Record {
        @inlinable get { stored }
        @inlinable set {
            // The release of the old record may run code of the record, which may access this property: it finds the
            // new values.
            let old = stored
            stored = newValue
            withExtendedLifetime(old) {}
        }
    }

    /// The record with the values last read or saved, or `nil` if it is equal to `current` or if the object was never
    /// saved.
    var base: Snapshot<Record>? {
        get {
            guard hasBase else { return nil }
            // SAFETY: a link that has an ownership is a snapshot, because only the setter below sets such a link.
            return unsafe unsafeDowncast(link, to: Snapshot<Record>.self)
        }
        set {
            let old = link
            link = newValue ?? ownership
            withExtendedLifetime(old) {}
        }
    }

    init(inserting record: Record, version: Int64, ownership: ObjectOwnership) {
        stored = record
        super.init(rawID: record.id.rawValue, state: .inserted, version: version, ownership: ownership)
    }

    /// Creates the object of a row.
    ///
    /// The initializer is `@inlinable`, so that it is compiled with knowledge of the record's layout. The initializer
    /// calls `read`, so that the record is created directly in the object's storage.
    @inlinable
    init(version: Int64, ownership: ObjectOwnership, read: () throws -> Record) rethrows {
        stored = try read()
        super.init(rawID: stored.id.rawValue, state: .unchanged, version: version, ownership: ownership)
    }

    /// The entity that the record type declares, or otherwise the entity that the record contains.
    var recordEntity: RecordEntity<Record> { Record.declaredEntity ?? stored.recordEntity }

    /// The identifier of the object.
    @inlinable public var id: Record.ID { current.id }

    /// The record with the current values, which may leave the context.
    ///
    /// The record is a copy: later changes of the object do not change it, and changes of the copy do not change the
    /// object.
    @inlinable public var record: Record { current }

    /// The record with the values that were last read or saved, or `nil` if the object was never saved.
    ///
    /// For a changed object, these are the values without its unsaved changes. For a deleted object, they are the
    /// values before its deletion.
    public var committedRecord: Record? {
        base?.record ?? (state == .inserted || state == .detached ? nil : current)
    }

    /// Returns the current value of a property.
    @inlinable
    public subscript<Value>(dynamicMember path: KeyPath<Record, Value>) -> Value {
        current[keyPath: path]
    }

    /// Accesses a property for reading and writing.
    ///
    /// If the object is deleted or detached, a write makes the context's next save throw an error.
    @inlinable
    public subscript<Value>(dynamicMember path: WritableKeyPath<Record, Value>) -> Value {
        get { current[keyPath: path] }
        set {
            let isNoticed = needsNotice
            if isNoticed { willChange() }
            // The setter of a property may be the record's own code, so it works on a copy.
            var record = current
            record[keyPath: path] = newValue
            current = record
            if isNoticed { didChange() }
        }
    }

    /// Changes several properties at once, by changing the record.
    ///
    /// Unlike several writes of properties, the change has an effect only if `change` returns, and the context is
    /// notified once.
    /// `change` may assign a record from another source, for example from the body of a client's request. If that
    /// record has another identifier, the method throws an error.
    ///
    /// - Parameter change: A closure that changes a copy of the record.
    /// - Throws: The error of `change`; ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if
    ///   `change` assigns another identifier. The object is unchanged after an error.
    public func update(_ change: (inout Record) throws -> Void) throws {
        var record = current
        try change(&record)
        guard record.id == id else {
            throw PersistenceError(
                .invalidRequest,
                "the change of object \(rawID) sets its identifier to \(record.id.rawValue), but an identifier cannot "
                    + "be changed; keep the identifier, or insert another object",
                entity: entityName, attribute: "id")
        }
        take(record)
    }

    /// Replaces the current values with those of a record, as if each property had been written.
    func take(_ record: Record) {
        willChange()
        let position = ownership.entity.positionColumn
        current = position.map { column in record.positioned { value(at: column) } } ?? record
        didChange()
    }

    /// Replaces the object's values and version with those of a row that was read from the store.
    @usableFromInline
    func refresh(_ record: Record, version: Int64) {
        if hasBase { base = nil }
        wasWritten = false
        current = record
        self.version = version
    }

    override var typed: any TypedObject { self }
}

extension Managed: TypedObject {
    func currentRow() -> (values: [StoredValue], failures: [ValidationFailure]) {
        recordEntity.encode(current)
    }

    func committedRow() -> [StoredValue]? {
        committedRecord.map { recordEntity.encode($0).values }
    }

    func write(_ values: [StoredValue]) throws {
        do {
            take(try recordEntity.record(from: StoredRow(id: rawID, version: version, values: values)))
        } catch {
            throw PersistenceError.refused(error, id: rawID, of: ownership.entity)
        }
    }

    func write(_ value: StoredValue, column: Int) throws {
        var record = current
        do {
            try recordEntity.assign(value, column: column, in: &record)
        } catch {
            throw PersistenceError.refused(error, id: rawID, of: ownership.entity, column: column)
        }
        take(record)
    }

    func value(at column: Int) -> StoredValue {
        recordEntity.value(at: column, of: current)
    }

    func committedValue(at column: Int) -> StoredValue? {
        committedRecord.map { recordEntity.value(at: column, of: $0) }
    }

    func rebase(onto row: StoredRow, _ merging: RowMerging) throws {
        let stored = try recordEntity.storedRecord(from: row)
        var next = stored
        if merging != .dropChanges {
            let (mine, failures) = currentRow()
            if let failure = failures.first { throw failure }
            let merged = merge(mine, base: committedRow() ?? mine, row: row, merging: merging)
            if merged != row {
                do { next = try recordEntity.record(from: merged) } catch {
                    throw PersistenceError.refused(error, id: rawID, of: ownership.entity)
                }
            }
        }
        base = merging == .dropChanges ? nil : Snapshot(stored, of: ownership)
        current = next
        version = row.version
    }

    private func merge(
        _ mine: [StoredValue], base: [StoredValue], row: StoredRow, merging: RowMerging
    ) -> StoredRow {
        var merged = row
        for index in mine.indices {
            let isMine =
                switch merging {
                case .dropChanges: false
                case .keepChanges: mine[index] != base[index]
                case .keepUncontested: mine[index] != base[index] && row.values[index] == base[index]
                case .keepEverything: true
                }
            if isMine { merged.values[index] = mine[index] }
        }
        return merged
    }

    func absorb(_ row: StoredRow) throws {
        let (mine, failures) = currentRow()
        if let failure = failures.first { throw failure }
        let old = (base: committedRow() ?? mine, version: version)
        let contested = mine.indices.filter { mine[$0] != old.base[$0] && row.values[$0] != old.base[$0] }
        guard !contested.isEmpty else { return try rebase(onto: row, .keepChanges) }
        // The base keeps the old values of the contested columns, so that the save finds the conflict. It takes all
        // other values from the store.
        var seen = row
        for index in contested { seen.values[index] = old.base[index] }
        let committed = try recordEntity.storedRecord(from: seen)
        let latest = try recordEntity.storedRecord(from: row)
        try rebase(onto: row, .keepChanges)
        base = Snapshot(committed, latest: .init(latest, version: row.version), of: ownership)
        version = old.version
    }

    func commit(version: Int64) {
        if hasBase { base = nil }
        wasWritten = false
        self.version = version
    }

    func revert() {
        wasWritten = false
        if let latest = base?.latest {
            (current, version) = (latest.record, latest.version)
        } else if let base {
            current = base.record
        }
        base = nil
    }

    func restoration() -> () -> Void {
        let (current, base, version, wasWritten, state) = (current, base, version, wasWritten, state)
        return { [self] in
            (self.current, self.base, self.version, self.wasWritten) = (current, base, version, wasWritten)
            guard self.state != state else { return }
            ownership.identityMap?.move(self, to: state)
            if !isDeletedOrDetached { ownership.identityMap?.register(self) }
        }
    }

    func keepBase() {
        if !hasBase { base = Snapshot(current, of: ownership) }
    }

    func becomeUpdate(of row: StoredRow) throws {
        base = Snapshot(try recordEntity.storedRecord(from: row), of: ownership)
        version = row.version
        ownership.identityMap?.move(self, to: .updated)
    }

    func becomeInsertion() {
        base = nil
        version = ChangeSet.freshVersion()
        ownership.identityMap?.move(self, to: .inserted)
    }

    func refusal(of values: [StoredValue]) -> ValidationFailure? {
        do {
            _ = try recordEntity.record(from: StoredRow(id: rawID, version: version, values: values))
            return nil
        } catch {
            return ValidationFailure(
                entity: entityName, id: rawID, attribute: "", value: .null,
                rule: .rejected(by: entityName, reason: "\(error)"))
        }
    }

    func accept(_ visitor: inout some ObjectVisitor) throws { try visitor.visit(self) }
}

extension Managed where Record == DynamicRecord {
    /// Accesses a property by its handle.
    ///
    /// If the object is deleted or detached, a write makes the context's next save throw an error.
    ///
    /// - Precondition: The handle is for the object's entity, or for an entity with the same name and columns.
    public subscript<Value>(attribute: DynamicAttribute<Value>) -> Value {
        get { current[attribute] }
        set {
            let isNoticed = needsNotice
            if isNoticed { willChange() }
            current[attribute] = newValue
            if isNoticed { didChange() }
        }
    }
}
