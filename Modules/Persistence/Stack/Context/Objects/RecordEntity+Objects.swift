import StrataCore

/// Finds or makes the objects of rows; for record types without hooks.
@usableFromInline
struct ObjectCollector<Record: ManagedRecord>: RowCollector {
    /// Finds or makes the object of a row.
    let find: @Sendable (RowReader, IdentityMap) throws -> ManagedObject
    /// Finds or makes the object of a row and appends it.
    let collect: @Sendable (RowReader, IdentityMap, inout [Managed<Record>]) throws -> Void
    /// Makes the object of a row, which nobody knows yet, and appends it.
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
    /// Describes an entity.
    ///
    /// - Parameters:
    ///   - name: The entity's name, and its table's.
    ///   - id: The key path of the identifier, written out for the concrete type (`\.id`), because `#Predicate` finds it by that.
    ///   - rawID: The key path from the identifier to its number (`\.rawValue`), for predicates that use it.
    ///   - properties: Attributes and relationships, in the order of the columns.
    ///   - uniquenessConstraints: Names of attributes and to-one relationships whose values, taken together, no two rows may have; each list has two
    ///     names or more, and rows with a null among them are exempt. Checked when a model is made.
    ///   - indexes: Names of attributes and to-one relationships that have one index together, in the order in which it sorts them; each list has
    ///     two names or more. Checked when a model is made.
    ///   - external: What datasets call the entity and its identifiers.
    ///   - renamedFrom: What the entity was called in earlier versions of the model, so that stores of those follow.
    ///   - rules: Whether the initialiser may refuse what obeys the model's rules; where it does not, batches need no records. See ``RecordRules``.
    ///   - computationVersion: The version of the code that computes values: of the properties of
    ///     ``RecordProperty/computed(_:_:raw:scale:rules:isUnique:isIndexed:)`` and of an initializer that changes values. Raise it, from 1, when that code changes;
    ///     stores then compute the values of all rows of the entity again when they are next opened to be written.
    ///   - read: Makes a record from a row's values, which it reads with ``RecordReader/next(as:)`` in the order in which they are declared. When a
    ///     model is made of the record type, and then with each record until there is no doubt, what the record shows is compared with the
    ///     row: two values taken for each other, one left out and one read twice are errors with code
    ///     ``PersistenceError/Code/invalidModel``. For that the closure gets sample rows, which obey the declared rules; an initialiser
    ///     that does not accept one throws; where the model's rules are said to be all there are, that is an error too.
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
        // Inlined into the record type's module, where the compiler knows the record's layout: appending takes half the time there, and making an
        // object a third.
        let order = ReadingOrder<Record>(
            name, properties, uniquenessConstraints: uniquenessConstraints, indexes: indexes, external: external,
            renamedFrom: renamedFrom, computationVersion: computationVersion)
        // What the closure throws is given its place here, once, and on no other way than the error's.
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
    /// What finds and makes the objects of rows; `nil` for records without a type.
    var objectCollector: ObjectCollector<Record>? { collector as? ObjectCollector<Record> }
}
