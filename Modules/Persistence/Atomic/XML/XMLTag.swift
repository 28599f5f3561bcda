import StrataCore

/// A tag as it stands in a file.
struct XMLTag {
    /// One attribute.
    struct Attribute {
        let name: String
        let value: String
        /// Where it stands.
        let offset: Int
    }

    /// Which end of an element.
    enum Side {
        case start
        /// With a slash at its end: nothing is in the element.
        case empty
        case end
    }

    let side: Side
    let name: String
    let attributes: [Attribute]
    /// Where it stands.
    let offset: Int

    /// The value of an attribute that has to be there.
    func required(_ name: String) throws -> Attribute {
        guard let found = attributes.first(where: { $0.name == name }) else {
            throw FormatError("<\(self.name)> has no attribute “\(name)”", at: offset)
        }
        return found
    }

    /// The value of an attribute that need not be there.
    func optional(_ name: String) -> Attribute? { attributes.first { $0.name == name } }

    /// Refuses attributes that there are not.
    func allow(_ names: [String]) throws {
        for attribute in attributes where !names.contains(attribute.name) {
            let suggestion = NearestName.suggestion(for: attribute.name, among: names)
            throw FormatError("<\(name)> has no attribute “\(attribute.name)”\(suggestion)", at: attribute.offset)
        }
    }
}

extension XMLTag.Attribute {
    /// A whole number in decimal digits.
    func number() throws -> Int64 {
        do throws(InvalidText) { return try IntegerText.parse(Array(value.utf8).span) } catch {
            throw FormatError("\(name): \(error.reason)", at: offset)
        }
    }
}
