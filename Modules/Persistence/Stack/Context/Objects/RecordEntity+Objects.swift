import StrataCore

/// The closures that find or create the objects of rows, for record types without hooks.
@usableFromInline
struct ObjectCollector<Record: ManagedRecord>: RowCollector {
    /// A closure that finds or creates the object of a row.
    let find: @Sendable (RowReader, IdentityMap) throws -> ManagedObject
    /// A closure that finds or creates the object of a row and appends it.
    let collect: @Sendable (RowReader, IdentityMap, inout [Managed<Record>]) throws -> Void
    /// A closure that creates the object of a row, which is not registered yet, and appends it.
    let make: @Sendable (RowReader, ObjectOwnership, inout [Managed<Record>]) throws -> Void

    @usableFromInline
    init(
        find: @escaping @Sendable (RowReader, IdentityMap) throws -> ManagedObject,
        collect: @escaping @Sendable (RowReader, IdentityMap, inout [Managed<Record>]) throws -> Void,
        make: @escaping @Sendable (RowReader, ObjectOwnership, inout [Managed<Record>]) throws -> Void
    ) {
        self.find = find
        self.collect = collect
        self.make = make
    }
}

extension RecordEntity where Record: PersistentRecord {
    /// Creates the description of an entity.
    ///
    /// - Parameters:
    ///   - name: The name of the entity and of its table.
    ///   - id: The key path of the identifier. Write it out for the concrete type (`\.id`), so that `#Predicate`
    ///     recognizes it.
    ///   - rawID: The key path from the identifier to its number (`\.rawValue`), for predicates that use it.
    ///   - properties: The attributes and relationships, in the order of the columns.
    ///   - uniquenessConstraints: Lists of names of attributes and to-one relationships. No two rows may have the same
    ///     combination of values. Each list has at least two names; rows with a null among the values are exempt. The
    ///     lists are checked when a model is created.
    ///   - indexes: Lists of names of attributes and to-one relationships that share one index, in its sort order. Each
    ///     list has at least two names. The lists are checked when a model is created.
    ///   - external: The names of the entity and its identifiers in datasets.
    ///   - renamedFrom: The names of the entity in earlier versions of the model, so that stores of those versions are
    ///     migrated.
    ///   - rules: Specifies whether the initializer may reject values that satisfy the model's rules. If it never does,
    ///     batches need no records. See ``RecordRules``.
    ///   - computationVersion: The version of the code that computes values: of the properties of
    ///     ``RecordProperty/computed(_:_:raw:scale:rules:isUnique:isIndexed:)`` and of an initializer that changes
    ///     values. Raise it, from 1, when that code changes. Stores then compute the values of all rows of the entity
    ///     again when they are next opened for writing.
    ///   - read: Creates a record from the values of a row. The closure reads them with ``RecordReader/next(as:)`` in
    ///     the order of their declaration. The record's values are compared with the row when a model is created with
    ///     the record type, and then for each record until the order is verified. Two exchanged values, a skipped
    ///     value, and a value read twice are errors with code ``PersistenceError/Code/invalidModel``. For this check
    ///     the closure receives sample rows, which satisfy the declared rules; an initializer that does not accept one
    ///     throws. If `rules` declares that the model's rules are complete, that is an error too.
    @inlinable
    public init(
        _ name: String,
        id: any KeyPath<Record, Record.ID> & Sendable,
        rawID: (any KeyPath<Record.ID, Int64> & Sendable)? = nil,
        _ properties: [RecordProperty<Record>],
        uniquenessConstraints: [[String]] = [],
        indexes: [[String]] = [],
        external: ExternalForm = ExternalForm(),
        renamedFrom: [String] = [],
        rules: RecordRules = .initializer,
        computationVersion: Int = 1,
        read: @escaping @Sendable (inout RecordReader) throws -> Record
    ) {
        // This code is inlined into the record type's module, where the compiler knows the record's layout. An append
        // takes half the time there, and the creation of an object a third.
        let order = ReadingOrder<Record>(
            name, properties, uniquenessConstraints: uniquenessConstraints, indexes: indexes, external: external,
            renamedFrom: renamedFrom, computationVersion: computationVersion)
        // An error of the closure receives its location only here, and only on the error path.
        @Sendable @inline(__always)
        func record(_ row: RowReader) throws -> Record {
            do {
                var reader = RecordReader(row)
                let record = try read(&reader)
                if !order.isKnown { try order.check(record, reader) }
                return record
            } catch {
                throw order.unreadable(error, row)
            }
        }
        @Sendable @inline(__always)
        func object(_ row: RowReader, _ identityMap: IdentityMap) throws -> Managed<Record> {
            let version = row.version
            if let known = identityMap.objectForRead(row.rawID) as? Managed<Record>, known.state != .detached {
                if known.state == .unchanged, known.version != version {
                    known.refresh(try record(row), version: version)
                    identityMap.sawNewerRow()
                }
                return known
            }
            let object = try Managed(version: version, ownership: identityMap.ownership) { try record(row) }
            identityMap.registerRead(object)
            return object
        }
        self.init(
            id: id, rawID: rawID, properties, rules: rules,
            read: { row in try record(row) },
            append: { row, records in records.append(try record(row)) },
            collector: ObjectCollector<Record>(
                find: { row, identityMap in try object(row, identityMap) },
                collect: { row, identityMap, objects in objects.append(try object(row, identityMap)) },
                make: { row, ownership, objects in
                    objects.append(try Managed(version: row.version, ownership: ownership) { try record(row) })
                }), order: order)
    }

}

extension RecordEntity {
    /// The closures that find and create the objects of rows; `nil` for records without a type.
    var objectCollector: ObjectCollector<Record>? { collector as? ObjectCollector<Record> }
}
