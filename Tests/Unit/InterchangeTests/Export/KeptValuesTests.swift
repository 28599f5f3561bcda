import StrataPersistence
import Testing

@testable import StrataInterchange

/// Raw stored values, which an export writes directly if they have the type of their column.
///
/// Otherwise, the export requests the converted value.
@Suite("Export of raw stored values")
struct KeptValuesTests {
    /// A row with one number.
    private final class Row: RawRowSource {
        let id: Int64 = 1
        let version: Int64 = 1
        private let kept: RawValue

        init(_ kept: RawValue) { self.kept = kept }

        func raw(at index: Int) -> RawValue { kept }

        func value(at index: Int) throws -> StoredValue {
            throw PersistenceError(.corrupt, "what is stored is of another type")
        }
    }

    private static func written(_ kept: RawValue, as type: AttributeType) throws -> String {
        let entity = EntityDescription("Thing", [.attribute(.init("value", type))])
        let columns = ResolvedColumn.ownColumns(of: entity)
        let encoding = TableEncoding(columns: columns.map(\.name), ExportOptions(format: .csv))
        let row = Row(kept)
        var buffer = ByteBuffer()
        try RowEncoder(entity, columns: columns, encoding: encoding).write(RowReader(row), from: row, to: &buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test(
        "a whole-number column exports a stored integer, and a stored floating-point number is an error",
        arguments: [AttributeType.integer16, .integer32, .integer64, .decimal(scale: 0)])
    func wholeNumber(_ type: AttributeType) throws {
        #expect(try Self.written(.integer(5), as: type) == "1,5\n")
        let error = #expect(throws: PersistenceError.self) { try Self.written(.real(5), as: type) }
        #expect(error?.code == .corrupt)
    }

    @Test(
        "a stored number in a column of texts, bytes, UUIDs, days or times is an error",
        arguments: [AttributeType.string, .binary, .uuid, .day, .timeOfDay])
    func number(_ type: AttributeType) throws {
        for kept in [RawValue.integer(5), .real(5)] {
            let error = #expect(throws: PersistenceError.self) { try Self.written(kept, as: type) }
            #expect(error?.code == .corrupt)
        }
    }

    @Test(
        "a double or date column exports a stored floating-point number, and a stored integer is an error",
        arguments: [AttributeType.double, .date])
    func floatingPoint(_ type: AttributeType) throws {
        #expect(try Self.written(.real(0), as: type).hasPrefix("1,"))
        let error = #expect(throws: PersistenceError.self) { try Self.written(.integer(0), as: type) }
        #expect(error?.code == .corrupt)
    }
}
