/// Finds the name that someone probably meant.
public enum NearestName {
    /// The most characters of a name that is looked at, so that no file makes much work.
    private static let longest = 64

    /// The candidate with the fewest edits from a mistyped name, the first of several, or nil where none is near.
    ///
    /// Near is at most one edit in three characters, but always one. Case counts for nothing.
    public static func of(_ name: String, among candidates: [String]) -> String? {
        guard name.utf8.count <= 4 * longest, name.count <= longest else { return nil }
        let typed = Array(name.lowercased())
        let allowed = max(1, typed.count / 3)
        var nearest: (name: String, distance: Int)?
        for candidate in candidates {
            let known = Array(candidate.lowercased())
            // The difference in length is the least distance there can be; this also bounds the work.
            guard abs(known.count - typed.count) <= allowed else { continue }
            let distance = editDistance(typed, known)
            if distance <= allowed, distance < nearest?.distance ?? Int.max { nearest = (candidate, distance) }
        }
        return nearest?.name
    }

    /// The suffix of an error message: `; did you mean NAME?`, or nothing where no candidate is near.
    ///
    /// Of what is far only the one candidate that begins so is named: three characters or more of a long name.
    public static func suggestion(for name: String, among candidates: [String], prefix: String = "") -> String {
        let found = of(name, among: candidates) ?? beginning(with: name, among: candidates)
        return found.map { "; did you mean \(prefix)\($0)?" } ?? ""
    }

    private static func beginning(with name: String, among candidates: [String]) -> String? {
        guard name.utf8.count >= 3, name.utf8.count <= longest else { return nil }
        let found = candidates.filter { $0.lowercased().hasPrefix(name.lowercased()) }
        return found.count == 1 ? found.first : nil
    }

    /// How many insertions, deletions, replacements and swaps of neighbours lead from one text to the other.
    static func editDistance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, character) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                let replaced = last[column] + (character == other ? 0 : 1)
                var least = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
