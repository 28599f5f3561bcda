import Foundation
import StrataCore

/// The binary form of a row: the identifier, the version, one bit for each column that indicates whether it has a
/// value, and the values.
///
/// Integers, Boolean values and the digits of decimals are numbers of one to ten bytes. Doubles and dates have eight
/// bytes. All other values are their length and their bytes: texts in UTF-8, and days, times and UUIDs as texts.
struct BinaryRow {
    private let entity: EntityDescription
    private let columns: [StoredColumn]

    init(_ entity: EntityDescription) {
        self.entity = entity
        columns = entity.columns.map(StoredColumn.init)
    }

    func write(_ row: StoredRow, to writer: BlockWriter) throws {
        writer.put(row.id)
        writer.put(row.version)
        var bits: UInt8 = 0
        for (index, value) in row.values.enumerated() {
            if !value.isNull { bits |= 1 << UInt8(index % 8) }
            if index % 8 == 7 || index == row.values.count - 1 {
                writer.put(bits)
                bits = 0
            }
        }
        for (column, value) in zip(columns, row.values) {
            let value = try column.written(value, of: entity.name, id: row.id)
            if value.isNull { continue }
            switch column.coding.stored(value) {
            case .null: break
            case .integer(let number): writer.put(number)
            case .real(let number): writer.put(number)
            case .text(let text): writer.put(text)
            case .blob(let data): writer.put(data)
            }
        }
    }

    func read(_ reader: inout BlockReader, of place: Int, into loader: ContentsLoader) throws {
        let start = reader.offset
        var row = StoredRow(id: try reader.signed(), version: try reader.signed(), values: [])
        var bits: [UInt8] = []
        for _ in 0..<(columns.count + 7) / 8 { bits.append(try reader.byte()) }
        if let last = bits.last, columns.count % 8 != 0, last >> UInt8(columns.count % 8) != 0 {
            throw FormatError("the row has a value for an unknown column", at: start)
        }
        row.values.reserveCapacity(columns.count)
        var isWhole = true
        for (index, column) in columns.enumerated() {
            guard bits[index / 8] >> UInt8(index % 8) & 1 == 1 else {
                row.values.append(.null)
                continue
            }
            let offset = reader.offset
            if let value = try value(&reader, column) {
                row.values.append(value)
            } else {
                row.values.append(.null)
                isWhole = false
                try loader.found(
                    .type, "the value is not of type \(column.coding.name)", entity: entity.name, id: row.id,
                    attribute: column.name, at: offset)
            }
        }
        try loader.add(row, of: place, at: start, isWhole: isWhole)
    }

    /// Reads a value, or returns `nil` if the bytes contain no value of the column's type.
    private func value(_ reader: inout BlockReader, _ column: StoredColumn) throws -> StoredValue? {
        let value: StoredValue?
        switch column.coding.storage {
        case .integer:
            let number = try reader.signed()
            if let range = column.coding.integers, !range.contains(number) { return nil }
            value = column.coding.value(.integer(number))
        case .real: value = column.coding.value(.real(try reader.double()))
        case .text:
            value = try reader.withBytes { bytes in
                guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
                return column.coding.value(.text(bytes))
            }
        case .blob: value = try reader.withBytes { column.coding.value(.blob(UnsafeRawBufferPointer($0))) }
        }
        return value.flatMap(column.stored)
    }
}
