import StrataCore

/// Functions that match names of columns and entities and ignore case, `_`, `-` and spaces.
public enum NameMatching {
    /// Returns the form in which all spellings of one name are equal.
    ///
    /// The form of `first_name`, `First Name` and `firstName` is `firstname`.
    public static func folded(_ name: String) -> String {
        String(decoding: name.lowercased().utf8.filter { !separators.contains($0) }, as: UTF8.self)
    }

    /// Returns a Boolean value that indicates whether two names are spellings of the same name.
    package static func isSame(_ name: String, _ other: String) -> Bool { folded(name) == folded(other) }

    private static let separators = Set("_- ".utf8)

    /// Returns the candidate most similar to a name; `nil` if none is similar enough to be meant.
    ///
    /// Spellings of the same name count as equal.
    public static func nearest(to name: String, among candidates: [String]) -> String? {
        guard let near = NearestName.of(folded(name), among: candidates.map(folded)) else { return nil }
        return candidates.first { folded($0) == near }
    }
}
