import StrataCore
import StrataInterchange

/// A count of the cells of a column that do not match the type that the user specified for it.
struct GivenTypeScan: Sendable {
    /// The first cell that does not match the type.
    struct Misfit: Sendable {
        let line: Int
        let text: String
        let reason: String
    }

    /// The type that the user specified.
    let type: GivenType
    /// The first cell that does not match the type; `nil` if all cells match.
    private(set) var misfit: Misfit?
    /// The count of cells that do not match the specified type.
    private(set) var misfits = 0
    /// The maximum count of digits after the decimal separator in a cell.
    private(set) var fractionDigits = 0
    private let check: CellCheck?
    /// The decimal character of the column, as an ASCII byte.
    private let decimal: UInt8

    init(_ type: GivenType, _ spelling: ValueSpelling) {
        self.type = type
        decimal =
            spelling.decimal?.text.utf8.first ?? (spelling.group == .point ? UInt8(ascii: ",") : UInt8(ascii: "."))
        check = type.attributeType.map { CellCheck($0, type.spelling(in: spelling)) }
    }

    /// Checks a cell that is not null, and counts its digits after the decimal separator.
    mutating func note(_ text: Span<UInt8>, line: Int) {
        guard let reason = check?.reason(text) else {
            var digits = 0
            for index in text.indices where text[index] == decimal { digits = text.count - index - 1 }
            fractionDigits = max(fractionDigits, digits)
            return
        }
        misfits += 1
        if misfit == nil { misfit = Misfit(line: line, text: KindScan.beginning(text), reason: reason) }
    }
}
