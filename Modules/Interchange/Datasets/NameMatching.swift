import StrataCore

/// How names of columns and entities are matched: whatever their case, `_`, `-` and spaces.
public enum NameMatching {
    /// The form in which two spellings of one name are equal: `first_name`, `First Name` and `firstName` are `firstname`.
    public static func folded(_ name: String) -> String {
        String(decoding: name.lowercased().utf8.filter { !separators.contains($0) }, as: UTF8.self)
    }

    /// Returns whether two names are spellings of one.
    package static func isSame(_ name: String, _ other: String) -> Bool { folded(name) == folded(other) }

    private static let separators = Set("_- ".utf8)

    /// The candidate nearest to a name, spellings of one name counted as equal; `nil` when none is near enough to be meant.
    public static func nearest(to name: String, among candidates: [String]) -> String? {
        guard let near = NearestName.of(folded(name), among: candidates.map(folded)) else { return nil }
        return candidates.first { folded($0) == near }
    }
}
