import StrataCore
import StrataStoreKit

/// A reference column or a many-to-many relationship, together with the inserter that writes its values.
///
/// Each pending row belongs to one property. The owner is the row that has the reference, or the row whose list column
/// contains the join row. If the input has the join rows as separate records, the owner is the source of the join row.
struct SQLPendingProperty {
    /// The place where the store has the values of a property.
    enum Storage {
        /// A column of the rows that an inserter writes.
        case column(Int, of: SQLInsertedRows)
        /// A join table; `inserter` is `nil` if no insert options define how to handle a dangling join row.
        case joinTable(JoinDescription, inserter: SQLPairInserter?)
    }

    let storage: Storage
    /// A Boolean value that indicates whether the owners are the sources of the join rows.
    let isSource: Bool
    let ownerEntity: String
    let targetEntity: String
    let onMissingReference: InsertOptions.MissingReferenceAction
    /// The number of the property, which its pending rows contain.
    var number = 0
    /// The number of the list column that contains the join rows; `nil` for references and separate records.
    var list: Int64?
    /// The placeholder identifiers for referenced objects that another row owns already.
    ///
    /// A row that references such a placeholder is rejected.
    var refusedTargets: [Int64] = []

    /// Creates the property of a column with references to another entity.
    init(_ column: Int, to destination: String, of rows: SQLInsertedRows) {
        (storage, isSource) = (.column(column, of: rows), true)
        (ownerEntity, targetEntity) = (rows.entity.name, destination)
        onMissingReference = rows.options.onMissingReference
    }

    /// Creates the property of the join rows that an inserter writes; without an inserter, of single join rows.
    init(_ join: JoinDescription, _ inserter: SQLPairInserter?) {
        (storage, isSource) = (.joinTable(join, inserter: inserter), inserter?.owners?.isSource ?? true)
        (ownerEntity, targetEntity) =
            isSource ? (join.sourceEntity, join.targetEntity) : (join.targetEntity, join.sourceEntity)
        onMissingReference = inserter?.options.onMissingReference ?? .error
    }

    /// The join table with the values; `nil` if they are in a column.
    var join: JoinDescription? { if case .joinTable(let join, _) = storage { join } else { nil } }

    /// The inserter of the owners; `nil` if the input has the join rows as separate records.
    var owners: SQLInsertedRows? {
        switch storage {
        case .column(_, let rows): rows
        case .joinTable(_, let inserter): inserter?.owners?.inserter
        }
    }

    /// A Boolean value that indicates whether an owner with a dangling value is rejected.
    var rejectsOwners: Bool { owners != nil && onMissingReference == .reject }

    /// Returns a Boolean value that indicates whether the values are in a column of an entity's rows.
    func isColumn(_ column: Int, of entity: EntityDescription) -> Bool {
        if case .column(column, _) = storage { ownerEntity == entity.name } else { false }
    }

    /// Returns the source and the target of a pending join row.
    func pair(_ row: PendingRow) -> JoinPair {
        isSource ? JoinPair(source: row.owner, target: row.target) : JoinPair(source: row.target, target: row.owner)
    }
}

/// A to-one reference or a join row that is checked after all rows are inserted.
struct PendingRow {
    /// The sequence number, which the temporary table assigns.
    var number: Int64 = 0
    /// The number of the property.
    let property: Int
    let owner: Int64
    let target: Int64
    /// A Boolean value that indicates whether the owner was inserted; without an inserter of owners, whether the join
    /// row was inserted.
    var isNew = true
    let location: RowLocation
    /// The note of the input record.
    var note: [UInt8] = []
}
