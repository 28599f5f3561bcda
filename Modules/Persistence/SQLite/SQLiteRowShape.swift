import CStrataSQLite
import StrataCore
import StrataSQL

/// How the rows of an entity are read: what stands where in a statement, and what each column's cell holds.
///
/// A connection keeps those of its fetches.
final class SQLiteRowShape {
    /// The identifier and the version stand before the entity's columns.
    static let firstColumn: Int32 = 2

    let entity: EntityDescription
    /// By themselves, because a column's description is a large value, and copying it for every value costs more than reading.
    let types: [AttributeType]
    /// The same as cells hold them; these three as C takes them.
    let kinds: UnsafePointer<UInt32>
    /// What null is in a cell of each column: unknown where it is not allowed, so that whoever reads it asks for the value, and is told.
    let nulls: UnsafePointer<UInt32>
    /// The words of a row's cells, its identifier and its version.
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

    /// The numbers at a place of their own, which the shape gives back when nobody reads by it any more.
    private static func kept<Number>(_ numbers: [Number]) -> UnsafePointer<Number> {
        let place = UnsafeMutablePointer<Number>.allocate(capacity: numbers.count)
        for (index, number) in numbers.enumerated() { (place + index).initialize(to: number) }
        return UnsafePointer(place)
    }
}

extension RowCells.Kind {
    /// How a cell holds the values of a type; those of other types are asked of the source.
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
