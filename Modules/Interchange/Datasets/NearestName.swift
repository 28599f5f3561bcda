import Persistence

/// Finds the name that someone probably meant.
public enum NearestName {
    /// The candidate with the fewest edits from a mistyped name, the first of several, or nil where none is near.
    ///
    /// Near is at most one edit in three characters, but always one. Case counts for nothing.
    public static func of(_ name: String, among candidates: [String]) -> String? {
        NearName.of(name, among: candidates)
    }

    /// The suffix of an error message: `; did you mean NAME?`, or nothing where no candidate is near.
    public static func suggestion(for name: String, among candidates: [String], prefix: String = "") -> String {
        of(name, among: candidates).map { "; did you mean \(prefix)\($0)?" } ?? ""
    }
}
