public import StrataCore
package import StrataFixtures
public import StrataInterchange
public import StrataStoreKit

/// A producer of the rows of an entity, for a store or a dataset.
///
/// Exports and ``FixtureDataset/store(in:isCancelled:progress:willCommit:)`` use producers. Use one directly to pass
/// rows to another destination without files:
///
/// ```text
/// var block = RowBlock(of: producer.entity)
/// try producer.fill(&block, with: 0..<min(producer.rowsInBlock, producer.count))
/// ```
///
/// A producer is immutable, and generates any range of rows without the rows before it. Several threads can therefore
/// fill blocks at the same time.
///
/// ## Topics
///
/// ### Describing the rows
///
/// - ``entity``
/// - ``count``
/// - ``rowsInBlock``
///
/// ### Generating rows
///
/// - ``fill(_:with:)``
public struct FixtureProducer: RowProducer {
    /// The entity whose rows are produced.
    public let entity: EntityDescription
    /// The compiled plan, which generates cells of numbers.
    private let plan: EntityPlan
    /// The index of the generated field for each column, or `nil` for columns without a field.
    private let locations: [Int?]
    /// The conversion of the generated values of each column.
    private let conversions: [Conversion]

    /// The conversion of a generated value to the value that is stored.
    private enum Conversion {
        case none
        /// The conversion of an instant to another type, such as a day.
        case instant(FixtureField.ValueType)
        /// The conversion of an integer in units of 10 to the power of -scale to a floating-point number.
        case double(scale: Int)
        /// The conversion of a generated value to bytes that are not text.
        case binary

        init(_ type: FixtureField.ValueType?) {
            switch type {
            case .double(let scale): self = .double(scale: scale)
            case .binary: self = .binary
            case .some(let type) where type.instantType != nil && type != .date: self = .instant(type)
            default: self = .none
            }
        }

        var isNone: Bool { if case .none = self { true } else { false } }
    }

    /// Creates a producer of the rows of an entity.
    ///
    /// - Parameters:
    ///   - plan: The plan that generates the rows.
    ///   - entity: The entity, which must have a column of the same type for each field.
    /// - Throws: `FixtureError` with the code `unknown` or `invalidDescription` if the fields and the columns do not
    ///   match.
    package init(_ plan: EntityPlan, for entity: EntityDescription) throws(FixtureError) {
        self.plan = plan
        self.entity = entity
        locations = try entity.columns.map { (column) throws(FixtureError) -> Int? in
            guard let location = plan.entity.fields.firstIndex(where: { $0.name == column.name }) else {
                guard column.isOptional || column.attribute?.defaultValue != nil else {
                    throw FixtureError(
                        .invalidDescription, entity: entity.name, attribute: column.name,
                        "the attribute is mandatory, but no field generates its values")
                }
                return nil
            }
            let field = plan.entity.fields[location]
            guard field.type.fits(column) else {
                throw FixtureError(
                    .invalidDescription, entity: entity.name, attribute: column.name,
                    "the attribute has the type \(column.type) in the model, but the field generates another type")
            }
            guard column.isOptional || !field.isOptional else {
                throw FixtureError(
                    .invalidDescription, entity: entity.name, attribute: column.name,
                    "the attribute is mandatory in the model, but the field may be null; set isOptional: false")
            }
            guard !column.isUnique || plan.isUnique(location) else {
                throw FixtureError(
                    .invalidDescription, entity: entity.name, attribute: column.name,
                    "the attribute is unique in the model, but the field may repeat values; set \"unique\"")
            }
            return location
        }
        conversions = locations.map { location in Conversion(location.map { plan.entity.fields[$0].type }) }
        hasConversions = !conversions.allSatisfy(\.isNone)
        rowsInBlock = max(1, min(Self.mostRowsInBlock, Self.mostBytesInBlock / max(1, plan.longestRow)))
        for field in plan.entity.fields where entity.columnIndex(field.name) == nil {
            throw FixtureError(
                .unknown, entity: entity.name, attribute: field.name, "the model has no such attribute or relationship")
        }
    }

    /// The number of rows that the description requests.
    public var count: Int { plan.count }

    /// The number of rows in a block: 4,096, or fewer if 4,096 rows with the longest texts would exceed 32 MiB.
    ///
    /// A block of 4,096 rows usually takes some hundred kilobytes.
    public let rowsInBlock: Int
    private let hasConversions: Bool

    private static let mostRowsInBlock = 4096
    private static let mostBytesInBlock = 32 << 20

    /// Adds generated rows to a block; the identifier of a row is its number, counted from 1.
    ///
    /// The rows are appended; remove earlier rows of the block first. Columns that no field generates get their
    /// default, or null. The range may contain more rows than ``rowsInBlock``, which then need more memory.
    ///
    /// - Parameters:
    ///   - block: A block of the entity's rows.
    ///   - rows: The numbers of the rows, from 0 and less than ``count``.
    /// - Throws: `PersistenceError` with the number of a row that violates a rule of the model that the generator does
    ///   not check, such as a length, a pattern, or the range of a narrow integer.
    /// - Complexity: O(*n*) in the number of values.
    public func fill(_ block: inout RowBlock, with rows: Range<Int>) throws {
        let validator = BlockValidator(entity)
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: plan.longestText) { scratch in
            try plan.makeRows(rows) { (index, row) throws(PersistenceError) in
                let location = RowLocation(line: index + 1, record: index + 1)
                block.beginRow(id: Int64(index) + 1, location: location)
                for (column, field) in locations.enumerated() {
                    guard let field else { continue }
                    if hasConversions,
                        Self.set(row.cells[field], as: conversions[column], column: column, row, scratch, into: &block)
                    {
                        continue
                    }
                    Self.set(row.cells[field], column: column, row: row, scratch: scratch, into: &block)
                }
                let failures = validator.validateLastRow(of: &block)
                guard failures.isEmpty else { throw validator.error(failures, at: location) }
            }
        }
    }

    /// Converts a generated value to the type of a column and sets it in a row.
    ///
    /// - Returns: A Boolean value that indicates whether the value was converted and set.
    private static func set(
        _ cell: FixtureCell, as conversion: Conversion, column: Int, _ row: BorrowedRow,
        _ scratch: UnsafeMutableBufferPointer<UInt8>, into block: inout RowBlock
    ) -> Bool {
        switch (conversion, cell) {
        case (.instant(let type), .date(let seconds, let nanoseconds)):
            guard let value = type.stored(seconds: seconds, nanoseconds: nanoseconds) else { return false }
            block.set(value, column: column)
        case (.double(let scale), .integer(let units)):
            block.setDouble(FixtureCell.double(units, scale: scale), column: column)
        case (.binary, .text), (.binary, .bytes): block.setBinary(row.text(cell, scratch).span, column: column)
        default: return false
        }
        return true
    }

    @inline(__always)
    private static func set(
        _ cell: FixtureCell, column: Int, row: BorrowedRow, scratch: UnsafeMutableBufferPointer<UInt8>,
        into block: inout RowBlock
    ) {
        switch cell {
        case .null: block.setNull(column: column)
        case .integer(let number): block.setInteger(number, column: column)
        case .boolean(let value): block.setInteger(value ? 1 : 0, column: column)
        case .real(let number): block.setDouble(number, column: column)
        case .date(let seconds, let nanoseconds):
            block.setDouble(FixtureCell.interval(seconds, nanoseconds), column: column)
        case .uuid, .color, .text, .pair, .code, .made, .bytes:
            block.setText(row.text(cell, scratch).span, column: column)
        }
    }
}

extension FixtureField.ValueType {
    /// Returns a Boolean value that indicates whether a column can store values of this type.
    ///
    /// A reference fits a column with the same destination. Integers fit columns of any width; their range is checked
    /// when rows are generated.
    fileprivate func fits(_ column: ColumnDescription) -> Bool {
        if case .reference(let target) = self { return column.destination == target }
        guard column.destination == nil else { return false }
        switch (self, column.type) {
        case (.text, .string), (.color, .string), (.boolean, .boolean), (.uuid, .uuid): return true
        case (.double, .double), (.binary, .binary): return true
        case (.integer, .integer16), (.integer, .integer32), (.integer, .integer64): return true
        case (.decimal(let scale), .decimal(let other)): return scale == Int(other)
        default: return instantType == column.type
        }
    }
}
