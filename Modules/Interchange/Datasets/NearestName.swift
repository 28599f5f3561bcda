import StrataPersistence

/// Finds the name that someone probably meant.
public enum NearestName {
    /// The candidate with the fewest edits from a mistyped name, the first of several, or nil where none is near.
    ///
    /// Near is at most one edit in three characters, but always one. Case counts for nothing.
    public static func of(_ name: String, among candidates: [String]) -> String? {
        NearName.of(name, among: candidates)
    }

    /// The suffix of an error message: `; did you mean NAME?`, or nothing where no candidate is near.
    ///
    /// Of what is far only the one candidate that begins so is named: three characters or more of a long name.
    public static func suggestion(for name: String, among candidates: [String], prefix: String = "") -> String {
        let found = of(name, among: candidates) ?? beginning(with: name, among: candidates)
        return found.map { "; did you mean \(prefix)\($0)?" } ?? ""
    }

    private static func beginning(with name: String, among candidates: [String]) -> String? {
        guard name.utf8.count >= 3, name.utf8.count <= NearName.longest else { return nil }
        let found = candidates.filter { $0.lowercased().hasPrefix(name.lowercased()) }
        return found.count == 1 ? found.first : nil
    }
}
