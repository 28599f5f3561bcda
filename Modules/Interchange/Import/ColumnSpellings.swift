import StrataCore

/// How the columns of one file are spelled that are not spelled as usual, and what was rounded.
///
/// An object of its own, beside what is read for each value: a decoding that held all of it was copied for every one. Used by the thread that reads.
final class ColumnSpellings {
    /// For each column how it is read; `nil` where it is as usual.
    private let values: [SpelledValue?]
    private let id: NumberSpelling?
    let rounding: DateRounding
    let changes: CellChanges
    /// For each column whether a number of a document may stand for its text; none where no column may.
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

    /// Whether digits can be a value of the type: a text, a date, a time; of binary data they would be something else.
    private static func isOfDigits(_ type: AttributeType) -> Bool {
        switch type {
        case .string, .date, .day, .timeOfDay: true
        default: false
        }
    }

    /// Whether a number of a document may stand for a column's text.
    func takesNumber(column: Int) -> Bool { !takesNumbers.isEmpty && takesNumbers[column] }

    /// Reads a text that is not null by what was said of its column.
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
