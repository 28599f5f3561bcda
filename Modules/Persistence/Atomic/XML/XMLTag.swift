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

    /// The kind of a tag.
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

    /// Returns a mandatory attribute.
    func required(_ name: String) throws -> Attribute {
        guard let found = attributes.first(where: { $0.name == name }) else {
            throw FormatError("<\(self.name)> has no attribute “\(name)”", at: offset)
        }
        return found
    }

    /// Returns an optional attribute.
    func optional(_ name: String) -> Attribute? { attributes.first { $0.name == name } }

    /// Throws an error if the tag has an unknown attribute.
    func allow(_ names: [String]) throws {
        for attribute in attributes where !names.contains(attribute.name) {
            let suggestion = NearestName.suggestion(for: attribute.name, among: names)
            throw FormatError("<\(name)> has no attribute “\(attribute.name)”\(suggestion)", at: attribute.offset)
        }
    }
}

extension XMLTag.Attribute {
    /// Returns the value as an integer in decimal digits.
    func number() throws -> Int64 {
        do throws(InvalidText) { return try IntegerText.parse(Array(value.utf8).span) } catch {
            throw FormatError("\(name): \(error.reason)", at: offset)
        }
    }
}
