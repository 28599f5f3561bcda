import StrataCore

/// A reader of the text format of a field's values.
///
/// A spelling that would make a text ambiguous is an error: the same character as the decimal and the group character,
/// or the same word for true, false or null. Default spellings are stored as missing, so that equal models have equal
/// descriptions.
struct SpellingReader {
    let view: ObjectView
    let findings: Findings
    /// The texts that represent null in all fields of the table; `nil` if the descriptor contains none.
    let missingValues: [String]?

    /// Returns the text format of a field's values; reports properties that do not fit the type.
    func spelling(of type: AttributeType) -> ExternalSpelling {
        var spelling = ExternalSpelling()
        spelling.missingValues = view.missingValues()
        if view.has("missingValues"), spelling.missingValues == nil { return spelling }
        spelling.decimal = sign("decimalChar", isFitting: type.isNumber, usual: ".")
        spelling.group = sign("groupChar", isFitting: type.isNumber, usual: nil)
        // An integer has no fraction, and therefore no decimal character by default.
        let hasPoint = type.isNumber && (type.integerRange == nil || view.has("decimalChar"))
        if let decimal = spelling.decimal ?? (hasPoint ? "." : nil), decimal == spelling.group {
            findings.error(view.place["groupChar"], "“\(decimal)” is both the decimal and the group character")
        }
        spelling.writesFewestDigits = view.truth("strata:fewestDigits") ?? false
        if spelling.writesFewestDigits, !type.isDecimal {
            findings.error(
                view.place["strata:fewestDigits"],
                "a value of type \(type) is always written with as few digits as possible; remove the property")
        }
        let missing = Set((spelling.missingValues ?? missingValues ?? []).map { Array($0.utf8) })
        spelling.trueWords = words("trueValues", of: type, usual: ["true", "True", "TRUE", "1"], missing)
        spelling.falseWords = words("falseValues", of: type, usual: ["false", "False", "FALSE", "0"], missing)
        if let word = spelling.trueWords.first(where: spelling.falseWords.contains) {
            findings.error(view.place["falseValues"], "“\(word)” is both true and false")
        }
        if let format = view.text("strata:format") ?? view.format, format.contains("%"),
            [.date, .day, .timeOfDay].contains(type)
        {
            spelling.dateFormat = format
            let refusal = DateFormat.refusal(of: format, for: type, needsTime: !view.has("strata:type"))
            if let refusal { findings.error(view.place["format"], refusal) }
        }
        if view.truth("bareNumber") == false {
            findings.warning(
                view.place["bareNumber"],
                "text around numbers is not removed; reject a cell such as “12 EUR”, or make the field a string"
            )
        }
        return spelling
    }

    /// Returns the decimal or group character of a field; `nil` if it is missing, invalid, or the default.
    private func sign(_ name: String, isFitting: Bool, usual: String?) -> String? {
        guard let text = view.text(name) else { return nil }
        guard isFitting else {
            findings.error(view.place[name], "this property can be used only for numbers")
            return nil
        }
        guard let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1 else {
            findings.error(view.place[name], "“\(text)” is not one character")
            return nil
        }
        let properties = scalar.properties
        guard properties.generalCategory != .control, !properties.isAlphabetic, properties.numericType == nil,
            !["+", "-", "\u{2212}"].contains(scalar)
        else {
            findings.error(
                view.place[name],
                "a letter, digit, plus, minus or control character is not allowed: it would be part of numbers")
            return nil
        }
        return text == usual ? nil : text
    }

    /// Returns the words for true or for false; an empty list if they are missing, invalid, or the default.
    private func words(_ name: String, of type: AttributeType, usual: [String], _ missing: Set<[UInt8]>) -> [String] {
        guard view.has(name), let words = view.texts(name) else { return [] }
        guard type == .boolean else {
            findings.error(view.place[name], "this property can be used only for booleans")
            return []
        }
        guard !words.isEmpty else {
            findings.error(view.place[name], "the list of words is empty")
            return []
        }
        if let word = words.first(where: { missing.contains(Array($0.utf8)) }) {
            findings.error(view.place[name], "“\(word)” is also a missing value")
        }
        return words == usual ? [] : words
    }
}

extension ObjectView {
    /// Returns the texts that represent null in the field, with or without quotes; `nil` if the descriptor contains
    /// none.
    ///
    /// If there are none, an empty cell without quotes represents null, and in columns that do not contain empty texts,
    /// so does an empty cell with quotes.
    func missingValues() -> [String]? {
        guard let elements = list("missingValues") else { return nil }
        var texts: [String] = []
        for (index, element) in elements.enumerated() {
            // In the second version, the texts may have labels.
            guard case .string(let text) = (element["value"] ?? element).content else {
                refuse(place["missingValues"][index], "a text is expected, or an object with one as its value")
                return nil
            }
            texts.append(text)
        }
        return texts
    }
}

extension AttributeType {
    var isNumber: Bool { integerRange != nil || self == .double || isDecimal }
    var isDecimal: Bool { if case .decimal = self { true } else { false } }
}
