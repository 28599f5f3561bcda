import StrataCore

/// How the values of one column are written that are not spelled as usual: found out once a column.
struct WrittenSpelling: Sendable {
    /// What is written for null; `nil` where that is as usual.
    let null: String?
    /// Whether there is no text that means null.
    let refusesNull: Bool
    /// Texts that would be read as null, and so cannot be written.
    private let missing: Set<[UInt8]>
    private let decimal: String
    private let group: String
    private let trueWord: String?
    private let falseWord: String?
    private let format: DatePattern?
    let writesFewestDigits: Bool
    /// What a document has as what it is, where the text is JSON already; `nil` where texts are strings.
    private let nested: TextFormat?
    /// Whether texts that are not empty mean null.
    let hasMissingTexts: Bool
    /// Whether numbers are written otherwise than with a point and no groups.
    let hasOwnNumbers: Bool

    /// - Throws: ``InterchangeError/Code/unsupported`` with what is no sign or no format.
    init?(
        _ spelling: ExternalSpelling?, of type: AttributeType, missingValues: [String]?, format textFormat: TextFormat?
    ) throws(InterchangeError) {
        let said = spelling?.missingValues ?? missingValues
        // An empty field is written for null anyway; an empty text cannot be written then.
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

    /// The word for a truth value; `nil` where it is the usual one.
    func word(_ value: Bool) -> String? { value ? trueWord : falseWord }

    /// Whether a text means null here.
    func isMissing(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { !missing.isEmpty && missing.contains(Array(bytes)) }

    /// Whether a text stands in a document as it is, without quotes.
    ///
    /// Arrays and objects were looked at when they were stored. A number may be written in ways that JSON does not have, as `+1` or `007`.
    func isNested(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard nested == .number else { return nested != nil }
        do throws(JSONSyntaxError) {
            if case .number = try JSONTreeReader.read(Array(text)).content { return true }
            return false
        } catch { return false }
    }

    /// A number as it is spelled here.
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

    /// A date, a day or a time as it is spelled here, from what it is written as elsewhere; `nil` where that is as usual.
    ///
    /// - Throws: ``InvalidText`` where the format cannot hold it.
    func date(iso: String) throws(InvalidText) -> String? {
        guard let format else { return nil }
        guard let parts = DatePattern.WrittenParts(iso: iso) else {
            throw InvalidText("the format \(PrintableText.quoted(format.text)) has no room for the year of \(iso)")
        }
        return try format.text(parts)
    }
}
