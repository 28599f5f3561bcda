import StrataCore

/// The key values by which a file references an object.
///
/// Two values are equal if they reference the same object of the same entity by the same key.
struct KeyedValue: Hashable {
    let key: ReferenceKey
    let values: [StoredValue]

    static func == (left: KeyedValue, right: KeyedValue) -> Bool {
        left.values == right.values && left.key.key == right.key.key && left.key.entity.name == right.key.entity.name
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(key.entity.name)
        hasher.combine(values)
    }

    /// The object in the form of a message: `Customer with code "X-1"`.
    var description: String {
        let parts = zip(key.values, values).map { value, stored in
            "\(value.path.joined(separator: ".")) \(PrintableText.quoted(Self.text(stored)))"
        }
        return "\(key.entity.name) with \(parts.joined(separator: " and "))"
    }

    private static func text(_ value: StoredValue) -> String {
        if case .string(let text) = value { return text }
        return value.description
    }
}
