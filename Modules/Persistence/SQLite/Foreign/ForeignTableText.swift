import Foundation
import StrataCore

/// The rows of a table as CSV, which is produced while it is read.
///
/// Texts are in quotes, so that a text that looks like a number or is empty remains a text. Null is an empty field.
package final class ForeignTableText {
    private let table: ForeignTable
    private let rows: ForeignRows
    private var bytes: [UInt8] = []
    private var taken = 0
    private var isAtEnd = false

    init(_ table: ForeignTable, _ rows: ForeignRows) {
        (self.table, self.rows) = (table, rows)
        for (place, column) in table.columns.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            appendQuoted(column.label.utf8)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Copies the next bytes into a buffer and returns their count, which is 0 at the end.
    ///
    /// - Throws: ``PersistenceError`` if the row cannot be read.
    package func read(into buffer: inout [UInt8], at offset: Int, _ room: Int) throws -> Int {
        if taken == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            taken = 0
            while !isAtEnd, bytes.count < room {
                guard try rows.step() else {
                    isAtEnd = true
                    rows.end()
                    break
                }
                try appendRow()
            }
        }
        let count = min(room, bytes.count - taken)
        buffer.replaceSubrange(offset..<offset + count, with: bytes[taken..<taken + count])
        taken += count
        return count
    }

    private func appendRow() throws {
        for (place, column) in table.columns.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            append(rows.raw(place), column.form)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private func append(_ value: RawValue, _ form: ForeignForm) {
        switch (value, form) {
        case (.null, _): return
        case (.integer(let number), .boolean): bytes.append(contentsOf: (number == 0 ? "false" : "true").utf8)
        case (.integer(let number), .unixTime(let units)):
            // The difference is exact; the initializer for 1970 would add it after the division.
            let date = Date(timeIntervalSinceReferenceDate: Double(number - 978_307_200 * units) / Double(units))
            // The statistics have checked that the date is in the range of texts.
            try? DateText.append(date, to: &bytes)
        case (.integer(let number), .binary): appendBinary(Data("\(number)".utf8))
        case (.integer(let number), .mixed): appendQuoted("\(number)".utf8)
        case (.integer(let number), _): bytes.append(contentsOf: "\(number)".utf8)
        case (.real(let number), .binary): appendBinary(Data("\(number)".utf8))
        case (.real(let number), .mixed): appendQuoted("\(number)".utf8)
        case (.real(let number), _): bytes.append(contentsOf: "\(number)".utf8)
        case (.text(let text), .binary): appendBinary(Data(text))
        case (.text(let text), _): appendQuoted(text)
        case (.blob(let blob), .uuid) where blob.count == 16:
            bytes.append(contentsOf: UUID(uuid: blob.loadUnaligned(as: uuid_t.self)).uuidString.utf8)
        case (.blob(let blob), .mixed):
            appendQuoted(
                "X'\(blob.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined())'".utf8)
        case (.blob(let blob), _): appendBinary(Data(blob))
        }
    }

    private func appendBinary(_ data: Data) { appendQuoted(data.base64EncodedString().utf8) }

    private func appendQuoted(_ text: some Sequence<UInt8>) {
        let quote = UInt8(ascii: "\"")
        bytes.append(quote)
        for byte in text {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
    }
}
