import StrataCore

/// A tag of an XML file.
struct XMLTag {
    /// An attribute of a tag.
    struct Attribute {
        let name: String
        let value: String
        /// The offset of the attribute in the file.
        let offset: Int
    }

    /// The kinds of tags.
    enum Side {
        case start
        /// A tag with a slash at its end, whose element is empty.
        case empty
        case end
    }

    let side: Side
    let name: String
    let attributes: [Attribute]
    /// The offset of the tag in the file.
    let offset: Int

    /// Returns the attribute with a name; throws an error if the tag lacks it.
    func required(_ name: String) throws -> Attribute {
        guard let found = attributes.first(where: { $0.name == name }) else {
            throw FormatError("<\(self.name)> has no attribute “\(name)”", at: offset)
        }
        return found
    }

    /// Returns the attribute with a name, or `nil` if the tag lacks it.
    func optional(_ name: String) -> Attribute? { attributes.first { $0.name == name } }

    /// Throws an error if the tag has an attribute whose name is not in a list.
    func allow(_ names: [String]) throws {
        for attribute in attributes where !names.contains(attribute.name) {
            let suggestion = NearestName.suggestion(for: attribute.name, among: names)
            throw FormatError("<\(name)> has no attribute “\(attribute.name)”\(suggestion)", at: attribute.offset)
        }
    }
}

extension XMLTag.Attribute {
    /// Returns the attribute's value as an integer; throws an error if the value does not consist of decimal digits.
    func number() throws -> Int64 {
        do throws(InvalidText) { return try IntegerText.parse(Array(value.utf8).span) } catch {
            throw FormatError("\(name): \(error.reason)", at: offset)
        }
    }
}
