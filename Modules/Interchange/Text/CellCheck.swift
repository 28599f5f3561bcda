package import StrataCore

/// A check whether texts of a dataset are values of a type, as an import reads them.
///
/// It is used to determine the type of a column from its texts, before a model exists. It has the same results as an
/// import, except for rules of attributes.
package struct CellCheck: Sendable {
    private let coding: any AttributeCoding
    private let numbers: NumberSpelling?
    private let words: BooleanSpelling?
    private let format: DatePattern?
    private let isDay: Bool

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - spelling: The spelling of the texts.
    package init(_ type: AttributeType, _ spelling: ValueSpelling) {
        coding = type.coding
        let hasNumbers = spelling.decimal != nil || spelling.group != nil
        let isWhole = [.integer16, .integer32, .integer64].contains(type)
        let decimal = spelling.decimal ?? (isWhole && spelling.group == .point ? nil : .point)
        numbers = hasNumbers && type.isNumber ? NumberSpelling(decimal: decimal, group: spelling.group) : nil
        words =
            type == .boolean && !(spelling.trueWords + spelling.falseWords).isEmpty
            ? BooleanSpelling(trueWords: spelling.trueWords, falseWords: spelling.falseWords) : nil
        format =
            switch type {
            case .date, .day: spelling.dateFormat
            case .timeOfDay: spelling.timeFormat
            default: nil
            }
        isDay = type == .day
    }

    /// Returns the reason why a text is not a value of the type; `nil` if it is one.
    package func reason(_ text: Span<UInt8>) -> String? {
        if let format {
            let isValue =
                isDay
                ? format.writesDay(text, orReads: true)
                : format.hasDay
                    ? format.writesInstant(text, orReads: true) : format.writesTime(text, orReads: true)
            return isValue ? nil : mismatch(format)
        }
        do throws(InvalidText) {
            try parse(text)
            return nil
        } catch {
            return error.reason
        }
    }

    private func parse(_ text: Span<UInt8>) throws(InvalidText) {
        if let words {
            _ = try words.parse(text)
        } else if let numbers {
            let plain = try numbers.plain(text)
            _ = try coding.parse(plain.span)
        } else {
            _ = try coding.parse(text)
        }
    }

    private func mismatch(_ format: DatePattern) -> String {
        "not a value in the format \(PrintableText.quoted(format.text))"
    }
}
