import StrataCore

/// The spelling in which the values of a column are written, determined once per column.
struct WrittenSpelling: Sendable {
    /// The text for null; `nil` for the default.
    let null: String?
    /// A Boolean value that indicates whether no text means null.
    let refusesNull: Bool
    /// The texts that would be read as null, and therefore cannot be written.
    private let missing: Set<[UInt8]>
    private let decimal: String
    private let group: String
    private let trueWord: String?
    private let falseWord: String?
    private let format: DatePattern?
    let writesFewestDigits: Bool
    /// The JSON format of the column's texts, which a document contains as JSON values; `nil` if the texts are strings.
    private let nested: TextFormat?
    /// A Boolean value that indicates whether texts that are not empty mean null.
    let hasMissingTexts: Bool
    /// A Boolean value that indicates whether numbers differ from the default with a point and without groups.
    let hasOwnNumbers: Bool

    /// Creates the spelling of a column; `nil` if it is the default.
    ///
    /// - Throws: ``InterchangeError/Code/unsupported`` with the invalid separator or format.
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

    /// Returns the word for a Boolean; `nil` for the default word.
    func word(_ value: Bool) -> String? { value ? trueWord : falseWord }

    /// Returns a Boolean value that indicates whether a text means null in this column.
    func isMissing(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { !missing.isEmpty && missing.contains(Array(bytes)) }

    /// Returns a Boolean value that indicates whether a document contains a text verbatim, without quotes.
    ///
    /// Arrays and objects were validated when they were stored. A number may have a form that JSON does not allow, for
    /// example `+1` or `007`.
    func isNested(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard nested == .number else { return nested != nil }
        do throws(JSONSyntaxError) {
            if case .number = try JSONTreeReader.read(Array(text)).content { return true }
            return false
        } catch { return false }
    }

    /// Returns a number in this spelling.
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

    /// Returns a date, a day or a time in this spelling, from its ISO 8601 text; `nil` for the default spelling.
    ///
    /// - Throws: ``InvalidText`` if the format cannot represent it.
    func date(iso: String) throws(InvalidText) -> String? {
        guard let format else { return nil }
        guard let parts = DatePattern.WrittenParts(iso: iso) else {
            throw InvalidText("the format \(PrintableText.quoted(format.text)) cannot represent the year of \(iso)")
        }
        return try format.text(parts)
    }
}
