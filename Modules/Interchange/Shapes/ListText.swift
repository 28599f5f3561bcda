import StrataCore

/// What a relationship leads to, all of it, as a text: `red;green`, as files have it, or the elements of an array of a document.
enum ListText {
    /// What stands before each element of an array: no text of a file has it, so that elements may have the separator in them, or be empty.
    private static let mark: UInt8 = 0

    /// So many elements are compared each with each.
    private static let fewElements = 8

    /// The elements as the values by which they name objects.
    ///
    /// - Throws: ``InvalidText`` naming the element that is none: by its text, and of an array by its position from 1.
    static func elements(_ text: String, _ listed: ListedPairs) throws(InvalidText) -> [StoredValue] {
        let coding = listed.elementType.coding
        let bytes = Array(text.utf8)
        let isArray = bytes.first == mark
        let separator = isArray ? [mark] : Array(listed.list.separator.utf8)
        var values: [StoredValue] = []
        var seen: Set<StoredValue> = []
        for range in ranges(bytes[(isArray ? 1 : 0)...], separator: separator) {
            guard isArray || !range.isEmpty else {
                throw InvalidText("there is nothing between two \(PrintableText.quoted(listed.list.separator))")
            }
            do throws(InvalidText) {
                let value = try coding.parse(bytes.span.extracting(range))
                if listed.key == nil, case .integer(let id) = value, !identifierRange.contains(id) {
                    throw InvalidText("not an identifier")
                }
                // A few are compared sooner than hashed; of many each is compared with all before it only by its hash.
                if values.count == fewElements { seen = Set(values) }
                let isRepeated = values.count < fewElements ? values.contains(value) : !seen.insert(value).inserted
                guard !isRepeated else { throw InvalidText("is there twice") }
                values.append(value)
            } catch {
                let element = PrintableText.quoted(String(decoding: bytes[range], as: UTF8.self))
                let place = isArray ? "element \(values.count + 1), " : ""
                throw InvalidText("\(place)\(element): \(error.reason)")
            }
        }
        return values
    }

    /// Where the texts between separators are, byte for byte.
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

    private static func text(_ element: StoredValue, _ type: AttributeType) throws(InvalidText) -> String {
        var buffer = ByteBuffer()
        try type.coding.write(element, to: &buffer)
        return String(decoding: Array(buffer.bytes), as: UTF8.self)
    }

    /// The elements as one text.
    ///
    /// - Throws: ``InvalidText`` where an element has the separator in it, or is empty: it would be read as something else.
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

    /// The elements as an array of a JSON document: texts in quotes, numbers and truth values without.
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

    /// The array of a JSON document as a text that ``elements(_:_:)`` reads; `nil` for an empty one.
    ///
    /// - Parameters:
    ///   - json: The array as it stands in the document, which was found to be JSON.
    ///   - listed: What it names.
    ///   - takesNumbers: Whether a number may stand for the text as which it is written.
    /// - Returns: The text.
    /// - Throws: ``InvalidText`` naming the position, from 1, of what can be no element.
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
            // It was found to be JSON: what is left to be wrong is an object that has a name twice.
            throw InvalidText("among its elements is an array or an object, where \(coding.jsonName) is expected")
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
                    "element \(place + 1): \(JSONKind(element).name) stands where \(coding.jsonName) is expected")
            }
        }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }
}
