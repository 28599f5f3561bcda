import StrataCore

/// Finds or makes the objects of rows; for record types without hooks.
@usableFromInline
struct ObjectCollector<Record: PersistentRecord>: RowCollector {
    /// Finds or makes the object of a row and appends it.
    let collect: @Sendable (RowReader, IdentityMap, inout [Managed<Record>]) throws -> Void

    @usableFromInline
    init(_ collect: @escaping @Sendable (RowReader, IdentityMap, inout [Managed<Record>]) throws -> Void) {
        self.collect = collect
    }
}

extension RecordEntity {
    /// Describes an entity.
    ///
    /// - Parameters:
    ///   - name: The entity's name, and its table's.
    ///   - id: The key path of the identifier, written out for the concrete type (`\.id`), because `#Predicate` finds it by that.
    ///   - rawID: The key path from the identifier to its number (`\.rawValue`), for predicates that use it.
    ///   - properties: Attributes and relationships, in the order of the columns.
    ///   - read: Makes a record from a row; the columns are numbered from 0 in the declared order, relationships without a column not counted.
    @inlinable
    public init(
        _ name: String,
        id: any KeyPath<Record, Record.ID> & Sendable,
        rawID: (any KeyPath<Record.ID, Int64> & Sendable)? = nil,
        _ properties: [RecordProperty<Record>],
        read: @escaping @Sendable (RowReader) throws -> Record
    ) {
        // Inlined into the record type's module, where the compiler knows the record's layout: appending takes half the time there, and making an
        // object a third.
        // What the closure throws is given its place here, once, and on no other way than the error's.
        self.init(
            name, id: id, rawID: rawID, properties,
            read: { row in
                do { return try read(row) } catch { throw Self.unreadable(error, row, name, properties) }
            },
            append: { row, records in
                do { records.append(try read(row)) } catch { throw Self.unreadable(error, row, name, properties) }
            },
            collector: ObjectCollector<Record> { row, identityMap, objects in
                let version = row.version
                func record() throws -> Record {
                    do { return try read(row) } catch { throw Self.unreadable(error, row, name, properties) }
                }
                if let known = identityMap.object(row.rawID) as? Managed<Record>, known.state != .detached {
                    if known.state == .unchanged, known.version != version {
                        known.refresh(try record(), version: version)
                        identityMap.sawNewerRow()
                    }
                    objects.append(known)
                } else {
                    let object = Managed(reading: try record(), version: version, ownership: identityMap.ownership)
                    identityMap.registerRead(object)
                    objects.append(object)
                }
            })
    }

    /// Finds or makes the object of a row and appends it.
    var collect: (@Sendable (RowReader, IdentityMap, inout [Managed<Record>]) throws -> Void)? {
        (collector as? ObjectCollector<Record>)?.collect
    }
}
