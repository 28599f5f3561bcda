/// The location of a cell in a sheet.
package struct CellAddress: Sendable, Equatable {
    /// The maximum counts of rows and columns of a sheet, which the format defines.
    package static let maximumRows = 1_048_576
    package static let maximumColumns = 16_384

    /// The index of the column, from 0.
    package var column: Int
    /// The number of the row, from 1.
    package var row: Int

    /// Creates a location.
    package init(column: Int, row: Int) { (self.column, self.row) = (column, row) }

    /// Reads an address such as `C7`; returns `nil` if the text is not the address of a cell.
    package init?(_ text: Span<UInt8>) {
        var (column, row, index) = (0, 0, 0)
        while index < text.count, column <= Self.maximumColumns {
            let letter = text[index] & 0xDF
            guard text[index] >= 0x41, 0x41...0x5A ~= letter else { break }
            column = column * 26 + Int(letter - 0x40)
            index += 1
        }
        guard column > 0, column <= Self.maximumColumns, index < text.count else { return nil }
        while index < text.count, row <= Self.maximumRows {
            guard 0x30...0x39 ~= text[index] else { return nil }
            row = row * 10 + Int(text[index] - 0x30)
            index += 1
        }
        guard row > 0, row <= Self.maximumRows else { return nil }
        (self.column, self.row) = (column - 1, row)
    }

    /// The address, such as `C7`.
    package var text: String { Self.letters(column) + String(row) }

    /// Returns the letters of a column, such as `C` for 2.
    package static func letters(_ column: Int) -> String {
        var (rest, letters) = (column + 1, "")
        while rest > 0 {
            letters = String(Character(Unicode.Scalar(UInt8(0x41 + (rest - 1) % 26)))) + letters
            rest = (rest - 1) / 26
        }
        return letters
    }
}

/// A rectangle of cells, such as `A6:C900`.
package struct CellRange: Sendable, Equatable {
    /// The indices of the columns, from 0.
    package var columns: ClosedRange<Int>
    /// The numbers of the rows, from 1.
    package var rows: ClosedRange<Int>

    /// Creates a range.
    package init(columns: ClosedRange<Int>, rows: ClosedRange<Int>) { (self.columns, self.rows) = (columns, rows) }

    /// Reads a range such as `A6:C900`; returns `nil` if the text is not a range.
    package init?(_ text: String) {
        let corners = text.split(separator: ":", omittingEmptySubsequences: false)
            .map { CellAddress(Array($0.utf8).span) }
        guard corners.count == 2, let first = corners[0], let last = corners[1], first.column <= last.column,
            first.row <= last.row
        else { return nil }
        (columns, rows) = (first.column...last.column, first.row...last.row)
    }
}
