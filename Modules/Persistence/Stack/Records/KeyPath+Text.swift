import StrataCore

extension AnyKeyPath {
    /// The key path as a text for messages, in the form that Swift prints.
    ///
    /// For a computed property, Swift prints an address; the text omits it.
    var text: String {
        let parts = "\(self)".split(separator: "<computed 0x", omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first else { return "\(self)" }
        return parts.dropFirst().reduce(String(first)) { text, part in
            let type = part.drop { $0 != "(" }
            guard let end = type.firstIndex(of: ">") else { return text + part }
            return text + "<computed " + type[..<end] + type[end...]
        }
    }
}
