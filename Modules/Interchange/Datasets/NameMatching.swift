import StrataCore

/// Functions that compare names of columns and entities, ignoring case, `_`, `-` and spaces.
public enum NameMatching {
    /// Returns the folded form of a name, which is equal for all spellings of the name.
    ///
    /// For example, the folded form of `first_name`, `First Name` and `firstName` is `firstname`.
    public static func folded(_ name: String) -> String {
        String(decoding: name.lowercased().utf8.filter { !separators.contains($0) }, as: UTF8.self)
    }

    /// Returns a Boolean value that indicates whether two names are spellings of the same name.
    package static func isSame(_ name: String, _ other: String) -> Bool { folded(name) == folded(other) }

    private static let separators = Set("_- ".utf8)

    /// Returns the candidate that is most similar to a name; `nil` if no candidate is similar enough to be meant.
    ///
    /// Different spellings of the same name are treated as equal.
    public static func nearest(to name: String, among candidates: [String]) -> String? {
        guard let near = NearestName.of(folded(name), among: candidates.map(folded)) else { return nil }
        return candidates.first { folded($0) == near }
    }
}
