import StrataCore

/// The spelling in which an export writes the values of a column, determined once per column.
///
/// Every value is written in a form that a reader with the same model reads as the same value. If that is not possible,
/// for example because the text of a value means null, the export fails instead of changing the value.
struct WrittenSpelling: Sendable {
    /// The text that is written for null; `nil` for the default text.
    let null: String?
    /// A Boolean value that indicates whether the column has no text for null, so that null is an error.
    let refusesNull: Bool
    /// The texts that a reader would read as null; a value with such a text is an error.
    ///
    /// They are compared byte by byte, like the texts of a file.
    private let missing: Set<[UInt8]>
    private let decimal: String
    private let group: String
    private let trueWord: String?
    private let falseWord: String?
    private let format: DatePattern?
    let writesFewestDigits: Bool
    /// The JSON format of the column's texts, which a JSON document contains as JSON values; `nil` if they are strings.
    private let nested: TextFormat?
    /// A Boolean value that indicates whether texts other than the empty text mean null.
    let hasMissingTexts: Bool
    /// A Boolean value that indicates whether numbers do not have the default form, with a point and without groups.
    let hasOwnNumbers: Bool

    /// Creates the spelling of a column; returns `nil` if it is the default spelling.
    ///
    /// - Throws: ``InterchangeError/Code/unsupported`` with the invalid separator or date format of the model.
    init?(
        _ spelling: ExternalSpelling?, of type: AttributeType, missingValues: [String]?, format textFormat: TextFormat?
    ) throws(InterchangeError) {
        let said = spelling?.missingValues ?? missingValues
        // Null is written as an empty field by default; for other types no value has an empty text.
        let missing = said == [""] && type != .string ? nil : said
        nested = [.array, .object, .json, .number].contains(textFormat) ? textFormat : nil
        guard missing != nil || spelling?.isUsual == false || nested != nil else { return nil }
        let values = try ValueSpelling(spelling ?? ExternalSpelling())
        null = missing?.first
        refusesNull = missing?.isEmpty ?? false
        self.missing = Set((missing ?? []).map { Array($0.utf8) })
        hasMissingTexts = missing?.contains { !$0.isEmpty } ?? false
        decimal = values.decimal?.text ?? "."
        group = values.group?.text ?? ""
        trueWord = values.trueWords.first
        falseWord = values.falseWords.first
        format = type == .timeOfDay ? values.timeFormat : values.dateFormat
        writesFewestDigits = spelling?.writesFewestDigits ?? false
        hasOwnNumbers = decimal != "." || !group.isEmpty || writesFewestDigits
    }

    /// Returns the word for a Boolean value in this spelling; `nil` for the default word.
    func word(_ value: Bool) -> String? { value ? trueWord : falseWord }

    /// Returns a Boolean value that indicates whether a reader would read a text in this column as null.
    func isMissing(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { !missing.isEmpty && missing.contains(Array(bytes)) }

    /// Returns a Boolean value that indicates whether a JSON document contains a text of the column verbatim, without
    /// quotes.
    ///
    /// The text is an array, an object or a number. Arrays and objects were validated when they were stored. A number
    /// is quoted nevertheless if JSON does not allow its form, as for `+1` or `007`.
    func isNested(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard nested == .number else { return nested != nil }
        do throws(JSONSyntaxError) {
            if case .number = try JSONTreeReader.read(Array(text)).content { return true }
            return false
        } catch { return false }
    }

    /// Returns a number, whose text is in the default form, in this spelling.
    ///
    /// Only the digits before the decimal separator are grouped. A number with an exponent keeps it.
    func number(_ plain: String) -> String {
        var (whole, fraction) = (plain[...], ""[...])
        if let point = plain.firstIndex(of: ".") {
            (whole, fraction) = (plain[..<point], plain[plain.index(after: point)...])
            let exponent = fraction.firstIndex { $0 == "e" || $0 == "E" }
            if writesFewestDigits, exponent == nil { while fraction.hasSuffix("0") { fraction.removeLast() } }
        }
        var text = group.isEmpty || whole.contains("e") ? String(whole) : grouped(whole)
        if !fraction.isEmpty { text += decimal + fraction }
        return text
    }

    private func grouped(_ whole: Substring) -> String {
        let sign = whole.hasPrefix("-") ? "-" : ""
        let digits = Array(whole.dropFirst(sign.count))
        var text = sign
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += group }
            text.append(digit)
        }
        return text
    }

    /// Returns a date, a day or a time, whose text is in ISO 8601, in this spelling; `nil` for the default spelling.
    ///
    /// - Throws: ``InvalidText`` if the date format of the spelling cannot represent the value.
    func date(iso: String) throws(InvalidText) -> String? {
        guard let format else { return nil }
        guard let parts = DatePattern.WrittenParts(iso: iso) else {
            throw InvalidText("the format \(PrintableText.quoted(format.text)) cannot represent the year of \(iso)")
        }
        return try format.text(parts)
    }
}
