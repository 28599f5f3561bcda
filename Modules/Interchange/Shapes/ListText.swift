import StrataCore

/// Conversions between the targets of a relationship and a text: `red;green`, or the elements of a JSON array.
///
/// In memory, an array has a NUL byte before each element, so both forms of a list are one text.
enum ListText {
    /// The byte before each element of an array.
    ///
    /// It does not occur in texts of files, so that elements may contain the separator, or be empty.
    private static let mark: UInt8 = 0

    /// The maximum count of elements that are compared pairwise.
    private static let fewElements = 8

    /// Returns the elements as the values by which they reference objects.
    ///
    /// - Throws: ``InvalidText`` with the text of the invalid element, and for an array with its position from 1.
    static func elements(_ text: String, _ listed: ListedPairs) throws(InvalidText) -> [StoredValue] {
        let coding = listed.elementType.coding
        let bytes = Array(text.utf8)
        let isArray = bytes.first == mark
        let separator = isArray ? [mark] : Array(listed.list.separator.utf8)
        var values: [StoredValue] = []
        var seen: Set<StoredValue> = []
        for range in ranges(bytes[(isArray ? 1 : 0)...], separator: separator) {
            guard isArray || !range.isEmpty else {
                throw InvalidText("there is no element between two \(PrintableText.quoted(listed.list.separator))")
            }
            do throws(InvalidText) {
                let value = try coding.parse(bytes.span.extracting(range))
                if listed.key == nil, case .integer(let id) = value, !identifierRange.contains(id) {
                    throw InvalidText("not an identifier")
                }
                // Pairwise comparison is faster for few elements; hashing is faster for many.
                if values.count == fewElements { seen = Set(values) }
                let isRepeated = values.count < fewElements ? values.contains(value) : !seen.insert(value).inserted
                guard !isRepeated else { throw InvalidText("occurs twice") }
                values.append(value)
            } catch {
                let element = PrintableText.quoted(String(decoding: bytes[range], as: UTF8.self))
                let place = isArray ? "element \(values.count + 1), " : ""
                throw InvalidText("\(place)\(element): \(error.reason)")
            }
        }
        return values
    }

    /// Returns the ranges of the texts between separators, compared byte by byte.
    private static func ranges(_ bytes: ArraySlice<UInt8>, separator: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = bytes.startIndex
        var index = start
        while index + separator.count <= bytes.endIndex {
            guard bytes[index] == separator[0], bytes[index..<index + separator.count].elementsEqual(separator) else {
                index += 1
                continue
            }
            ranges.append(start..<index)
            index += separator.count
            start = index
        }
        return ranges + [start..<bytes.endIndex]
    }

    // MARK: Writing

    /// Returns an element in the default spelling of its type.
    private static func text(_ element: StoredValue, _ type: AttributeType) throws(InvalidText) -> String {
        var buffer = ByteBuffer()
        try type.coding.write(element, to: &buffer)
        return String(decoding: Array(buffer.bytes), as: UTF8.self)
    }

    /// Returns the elements as one text.
    ///
    /// - Throws: ``InvalidText`` if an element contains the separator or is empty, because it would be read as
    ///   something else.
    static func text(_ elements: [StoredValue], _ listed: ListedPairs) throws(InvalidText) -> String {
        let separator = Array(listed.list.separator.utf8)
        var texts: [String] = []
        for element in elements {
            let text = try text(element, listed.elementType)
            guard !text.isEmpty, ranges(Array(text.utf8)[...], separator: separator).count == 1 else {
                throw InvalidText(
                    "\(PrintableText.quoted(text)) cannot be an element of a list that \(PrintableText.quoted(listed.list.separator)) separates"
                )
            }
            texts.append(text)
        }
        return texts.joined(separator: listed.list.separator)
    }

    // MARK: Arrays

    /// Returns the elements as a JSON array: texts in quotes, numbers and Booleans without.
    static func array(_ elements: [StoredValue], _ listed: ListedPairs) throws(InvalidText) -> String {
        let type = listed.elementType
        var bytes = [UInt8(ascii: "[")]
        for (place, element) in elements.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            let text = try text(element, type)
            if type.coding.json == .string { JSONText.append(text, to: &bytes) } else { bytes += text.utf8 }
        }
        bytes.append(UInt8(ascii: "]"))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Converts a JSON array to a text that ``elements(_:_:)`` reads; returns `nil` for an empty array.
    ///
    /// - Parameters:
    ///   - json: The verbatim array, whose syntax was already validated.
    ///   - listed: The column with the array.
    ///   - takesNumbers: A Boolean value that indicates whether a number is accepted as the text that represents it.
    /// - Returns: The text.
    /// - Throws: ``InvalidText`` with the position, from 1, of an invalid element.
    static func text(
        ofArray json: Span<UInt8>, _ listed: ListedPairs, takesNumbers: Bool
    ) throws(InvalidText) -> String? {
        let coding = listed.elementType.coding
        let elements: [JSONValue]
        do throws(JSONSyntaxError) {
            let value = try JSONTreeReader.read(json.withUnsafeBufferPointer { Array($0) }, deepest: 512)
            guard case .array(let found) = value.content else { return nil }
            elements = found
        } catch {
            // The syntax was validated, so the only remaining error is an object with a repeated name.
            throw InvalidText("its elements contain an array or an object, but \(coding.jsonName) is expected")
        }
        var text: [UInt8] = []
        for (place, element) in elements.enumerated() {
            text.append(mark)
            switch (element.content, coding.json) {
            case (.string(let string), .string), (.string(let string), .number): text += string.utf8
            case (.number(let number), .string) where takesNumbers: text += number.utf8
            case (.boolean(let isTrue), .boolean): text += (isTrue ? "true" : "false").utf8
            case (.number(let number), .number):
                do throws(InvalidText) {
                    text += try self.text(coding.parseNumber(Array(number.utf8).span), listed.elementType).utf8
                } catch {
                    throw InvalidText("element \(place + 1), \(PrintableText.quoted(number)): \(error.reason)")
                }
            default:
                throw InvalidText(
                    "element \(place + 1): \(JSONKind(element).name) found, but \(coding.jsonName) is expected")
            }
        }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }
}
