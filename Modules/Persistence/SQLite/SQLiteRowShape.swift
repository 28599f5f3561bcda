import CStrataSQLite
import StrataCore
import StrataSQL

/// The mapping from a statement's columns to the values of an entity, and the kind of each column's cell.
///
/// A connection caches the shapes of its fetches.
final class SQLiteRowShape {
    /// The index of the first entity column, which follows the identifier and the version.
    static let firstColumn: Int32 = 2

    let entity: EntityDescription
    /// The types of the columns, in a separate array.
    ///
    /// A column description is large, and its copy for every value would cost more than the read of the value.
    let types: [AttributeType]
    /// The cell kinds of the types; this property and the next one are C arrays.
    let kinds: UnsafePointer<UInt32>
    /// The cell kind of null for each column.
    ///
    /// If null is not allowed, the kind is unknown, so that the reader requests the value and receives an error.
    let nulls: UnsafePointer<UInt32>
    /// The count of words for a row's cells, its identifier and its version.
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

    /// Returns a copy of the numbers in separate memory, which the shape frees when no reader uses it any more.
    private static func kept<Number>(_ numbers: [Number]) -> UnsafePointer<Number> {
        let place = UnsafeMutablePointer<Number>.allocate(capacity: numbers.count)
        for (index, number) in numbers.enumerated() { (place + index).initialize(to: number) }
        return UnsafePointer(place)
    }
}

extension RowCells.Kind {
    /// Creates the cell kind for a type; the reader requests values of all other types from the source.
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
