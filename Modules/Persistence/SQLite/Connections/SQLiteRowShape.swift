import CStrataSQLite
import StrataCore
import StrataSQL

/// The mapping from the result columns of a statement to the values of an entity's row, with the kind of each cell.
///
/// A connection caches one instance for each entity that it fetches.
final class SQLiteRowShape {
    /// The index of the result column with the entity's first column; the identifier and the version precede it.
    static let firstColumn: Int32 = 2

    let entity: EntityDescription
    /// The types of the entity's columns, in an array of their own.
    ///
    /// A column description is large: copying it for every value would take longer than reading the value.
    let types: [AttributeType]
    /// The cell kinds of the columns' types, as a C array.
    let kinds: UnsafePointer<UInt32>
    /// The cell kind that null has in each column, as a C array.
    ///
    /// If a column does not allow null, the kind is unknown. A reader then requests the value from the statement and
    /// receives an error.
    let nulls: UnsafePointer<UInt32>
    /// The count of 64-bit words for the cells, the identifier and the version of a row.
    var wordCount: Int { 2 * (types.count + 1) }

    init(_ entity: EntityDescription) {
        self.entity = entity
        types = entity.columnTypes
        kinds = Self.kept(types.map { RowCells.Kind($0).rawValue })
        nulls = Self.kept(entity.columnsAllowNull.map { ($0 ? RowCells.Kind.null : .unknown).rawValue })
    }

    deinit {
        kinds.deallocate()
        nulls.deallocate()
    }

    /// Returns a copy of the numbers in memory that the instance frees when it is deallocated.
    private static func kept<Number>(_ numbers: [Number]) -> UnsafePointer<Number> {
        let place = UnsafeMutablePointer<Number>.allocate(capacity: numbers.count)
        for (index, number) in numbers.enumerated() { (place + index).initialize(to: number) }
        return UnsafePointer(place)
    }
}

extension RowCells.Kind {
    /// Creates the cell kind of a type; it is unknown for the types whose values a reader must request from the
    /// statement.
    fileprivate init(_ type: AttributeType) {
        self =
            switch type {
            case .integer16, .integer32, .integer64: .integer
            case .double: .double
            case .boolean: .boolean
            case .date: .date
            case .string: .string
            default: .unknown
            }
    }
}
