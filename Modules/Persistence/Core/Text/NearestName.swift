/// A search for the known name that is most similar to a mistyped name; case is ignored.
package enum NearestName {
    /// The maximum count of characters of a mistyped name, which bounds the time of the search.
    package static let longest = 64

    /// Returns the candidate that is most similar to a name, the first of several; `nil` if none is similar.
    ///
    /// A candidate is similar if it differs by at most one edit for each three characters; one edit is always allowed.
    package static func of(_ name: String, among candidates: [String]) -> String? {
        guard name.utf8.count <= 4 * longest else { return nil }
        let typed = Array(name.lowercased())
        guard typed.count <= longest else { return nil }
        let allowed = max(1, typed.count / 3)
        var nearest: (name: String, distance: Int)?
        for candidate in candidates {
            let known = Array(candidate.lowercased())
            guard abs(known.count - typed.count) <= allowed else { continue }
            let distance = distance(typed, known)
            if distance <= allowed, distance < nearest?.distance ?? Int.max { nearest = (candidate, distance) }
        }
        return nearest?.name
    }

    /// Returns the suffix of an error message, `; did you mean NAME?`, or an empty text if no candidate is near.
    ///
    /// If no candidate is near, the function suggests the only candidate that begins with the name. The name must have
    /// three characters or more.
    package static func suggestion(for name: String, among candidates: [String], prefix: String = "") -> String {
        let found = of(name, among: candidates) ?? beginning(with: name, among: candidates)
        return found.map { "; did you mean \(prefix)\($0)?" } ?? ""
    }

    private static func beginning(with name: String, among candidates: [String]) -> String? {
        guard name.utf8.count >= 3, name.utf8.count <= longest else { return nil }
        let found = candidates.filter { $0.lowercased().hasPrefix(name.lowercased()) }
        return found.count == 1 ? found.first : nil
    }

    /// Returns the minimum count of insertions, deletions, replacements and swaps of neighbors between two texts.
    package static func distance(_ left: [Character], _ right: [Character]) -> Int {
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
