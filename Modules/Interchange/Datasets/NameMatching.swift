import StrataCore

/// Functions that compare names of columns and entities, ignoring case, `_`, `-` and spaces.
///
/// An import matches columns with attributes by this comparison, so a column is found by any of its usual spellings.
public enum NameMatching {
    /// Returns the folded form of a name, which is equal for all spellings of the name.
    ///
    /// For example, the folded form of `first_name`, `First Name` and `firstName` is `firstname`.
    ///
    /// - Parameter name: Any name.
    /// - Returns: The lowercase name without `_`, `-` and spaces; it may be empty.
    /// - Complexity: O(*n*) in the name.
    public static func folded(_ name: String) -> String {
        String(decoding: name.lowercased().utf8.filter { !separators.contains($0) }, as: UTF8.self)
    }

    /// Returns a Boolean value that indicates whether two names are spellings of the same name.
    package static func isSame(_ name: String, _ other: String) -> Bool { folded(name) == folded(other) }

    private static let separators = Set("_- ".utf8)

    /// Returns the candidate that is most similar to a name; `nil` if no candidate is similar enough to be meant.
    ///
    /// Different spellings of the same name are treated as equal.
    ///
    /// Use it for the hint of a message about an unknown name.
    ///
    /// - Parameters:
    ///   - name: The name for which a similar one is searched.
    ///   - candidates: The known names.
    /// - Returns: One of the candidates, as it is written in the list.
    public static func nearest(to name: String, among candidates: [String]) -> String? {
        guard let near = NearestName.of(folded(name), among: candidates.map(folded)) else { return nil }
        return candidates.first { folded($0) == near }
    }
}
