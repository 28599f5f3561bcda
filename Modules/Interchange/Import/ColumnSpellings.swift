import StrataCore
import StrataStoreKit

/// The spellings of the columns in one file that differ from the default, and the count of rounded dates.
///
/// This is a separate object because ``RowDecoding`` is copied for every value, which must stay cheap. The object is
/// used by the reading thread.
final class ColumnSpellings {
    /// For each column, the way it is read; `nil` for the default.
    private let values: [SpelledValue?]
    private let id: NumberSpelling?
    let rounding: DateRounding
    let changes: CellChanges
    /// For each column, a Boolean value that indicates whether a JSON number is accepted as its text.
    ///
    /// The array is empty if no column accepts numbers.
    private let takesNumbers: [Bool]

    init(
        _ reading: ReadingOptions, columns: [ColumnDescription], values: [SpelledValue?] = [],
        id: NumberSpelling? = nil
    ) {
        changes = CellChanges(columns)
        self.values = values
        self.id = id
        rounding = DateRounding(isAllowed: reading.roundsDates)
        takesNumbers = reading.readsNumbersAsTexts ? columns.map { Self.isOfDigits($0.type) } : []
    }

    /// Returns a Boolean value that indicates whether digits can be a value of the type: a text, a date, or a time.
    ///
    /// Digits in binary data would have a different meaning.
    private static func isOfDigits(_ type: AttributeType) -> Bool {
        switch type {
        case .string, .date, .day, .timeOfDay: true
        default: false
        }
    }

    /// Returns a Boolean value that indicates whether a JSON number is accepted as the text of a column.
    func takesNumber(column: Int) -> Bool { !takesNumbers.isEmpty && takesNumbers[column] }

    /// Reads a text that is not null with the spelling of its column.
    ///
    /// The function does nothing for a column with the default spelling, which the caller reads itself.
    @inline(never)
    func set(_ bytes: Span<UInt8>, column: Int, into block: inout RowBlock) throws(InvalidText) {
        try values[column]?.set(bytes, rounding: rounding, column: column, into: &block)
    }

    /// Reads an identifier.
    @inline(never)
    func identifier(_ bytes: Span<UInt8>) throws(InvalidText) -> Int64 {
        guard let id else { return try IntegerText.parse(bytes) }
        let plain = try id.plain(bytes)
        return try IntegerText.parse(plain.span)
    }
}
