import StrataCore

/// The closures that find or create the objects of rows, for record types without hooks.
@usableFromInline
struct ObjectCollector<Record: ManagedRecord>: RowCollector {
    /// A closure that finds or creates the object of a row.
    let find: @Sendable (RowReader, IdentityMap) throws -> ManagedObject
    /// A closure that finds or creates the object of a row, and appends the object to an array.
    let collect: @Sendable (RowReader, IdentityMap, inout [Managed<Record>]) throws -> Void
    /// A closure that creates the object of a row without registering it, and appends the object to an array.
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
    /// Creates the entity of a record type.
    ///
    /// - Parameters:
    ///   - name: The name of the entity and of its table.
    ///   - id: The key path of the record's identifier. Write the key path as a literal with the concrete record type
    ///     (`\.id`), so that `#Predicate` recognizes it.
    ///   - rawID: The key path from the identifier to its number (`\.rawValue`), for predicates that use the number.
    ///   - properties: The attributes and relationships, in the order of the columns.
    ///   - uniquenessConstraints: Lists of at least two names of attributes and to-one relationships. No two rows may
    ///     have the same combination of values of a list. If a value of the combination is null, the row is exempt. The
    ///     lists are checked when a model is created.
    ///   - indexes: Lists of at least two names of attributes and to-one relationships. Each list defines one index,
    ///     sorted in the order of the names. The lists are checked when a model is created.
    ///   - external: The names of the entity and its identifiers in datasets.
    ///   - renamedFrom: The names of the entity in earlier versions of the model. Stores of those versions are
    ///     migrated.
    ///   - keepsOrder: A Boolean value that indicates whether the rows retain the order that they had in their file;
    ///     see ``EntityDescription/keepsOrder``. Records have no property for the position.
    ///   - rules: Specifies whether the record's initializer may reject values that satisfy the model's rules. If it
    ///     never does, batches need not create records. See ``RecordRules``.
    ///   - computationVersion: The version of the code that computes attributes, that is, of the properties of
    ///     ``RecordProperty/computed(_:_:raw:scale:rules:isUnique:isIndexed:)`` and of an initializer that changes
    ///     values. If that code changes, raise the version, which is at least 1. When a store is next opened for
    ///     writing, the values of all rows of the entity are then computed again.
    ///   - read: A closure that creates a record from the values of a row. The closure reads the values with
    ///     ``RecordReader/next(as:)`` in the order in which `properties` declares them. To verify this order, sample
    ///     rows that satisfy the declared rules are read when a model is created with the record type, and the first
    ///     stored rows are compared with their records. If two values are exchanged, or a value is skipped or read
    ///     twice, an error with code ``PersistenceError/Code/invalidModel`` is thrown. If the initializer rejects a
    ///     sample row, the sample is ignored, unless `rules` is ``RecordRules/model``; then that is an error too.
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
        keepsOrder: Bool = false,
        rules: RecordRules = .initializer,
        computationVersion: Int = 1,
        read: @escaping @Sendable (inout RecordReader) throws -> Record
    ) {
        // This code is inlined into the record type's module, where the compiler knows the record's layout. An append
        // takes half the time there, and the creation of an object a third.
        let order = ReadingOrder<Record>(
            name, properties, uniquenessConstraints: uniquenessConstraints, indexes: indexes, external: external,
            renamedFrom: renamedFrom, keepsOrder: keepsOrder, computationVersion: computationVersion)
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
    /// The closures that find and create the objects of rows, or `nil` for records without a Swift type.
    var objectCollector: ObjectCollector<Record>? { collector as? ObjectCollector<Record> }
}
