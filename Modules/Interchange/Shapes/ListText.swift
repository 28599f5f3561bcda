import StrataCore

/// The text of a column with all that a relationship leads to: `red;green`.
enum ListText {
    /// The elements as the values by which they name objects.
    ///
    /// - Throws: ``InvalidText`` naming the element that is none.
    static func elements(_ text: String, _ listed: ListedPairs) throws(InvalidText) -> [StoredValue] {
        let type = listed.key?.values.first?.type ?? .integer64
        var values: [StoredValue] = []
        for element in parts(text, separator: listed.list.separator) {
            guard !element.isEmpty else {
                throw InvalidText("there is nothing between two \(PrintableText.quoted(listed.list.separator))")
            }
            do throws(InvalidText) {
                let value = try type.coding.parse(element.utf8.span)
                if listed.key == nil, case .integer(let id) = value, !identifierRange.contains(id) {
                    throw InvalidText("not an identifier")
                }
                guard !values.contains(value) else { throw InvalidText("is there twice") }
                values.append(value)
            } catch {
                throw InvalidText("\(PrintableText.quoted(element)): \(error.reason)")
            }
        }
        return values
    }

    /// The texts between separators, byte for byte.
    private static func parts(_ text: String, separator: String) -> [String] {
        let (bytes, separator) = (Array(text.utf8), Array(separator.utf8))
        var parts: [String] = []
        var start = 0
        var index = 0
        while index + separator.count <= bytes.count {
            guard bytes[index..<index + separator.count].elementsEqual(separator) else {
                index += 1
                continue
            }
            parts.append(String(decoding: bytes[start..<index], as: UTF8.self))
            index += separator.count
            start = index
        }
        return parts + [String(decoding: bytes[start...], as: UTF8.self)]
    }

    /// The elements as one text.
    ///
    /// - Throws: ``InvalidText`` where an element has the separator in it, or is empty: it would be read as something else.
    static func text(_ elements: [StoredValue], _ listed: ListedPairs) throws(InvalidText) -> String {
        let type = listed.key?.values.first?.type ?? .integer64
        var texts: [String] = []
        for element in elements {
            var buffer = ByteBuffer()
            try type.coding.write(element, to: &buffer)
            let text = String(decoding: Array(buffer.bytes), as: UTF8.self)
            guard !text.isEmpty, parts(text, separator: listed.list.separator).count == 1 else {
                throw InvalidText(
                    "\(PrintableText.quoted(text)) cannot be an element of a list that \(PrintableText.quoted(listed.list.separator)) separates"
                )
            }
            texts.append(text)
        }
        return texts.joined(separator: listed.list.separator)
    }
}
