/// How names of columns and entities are matched: whatever their case, `_`, `-` and spaces.
public enum NameMatching {
    /// The form in which two spellings of one name are equal: `first_name`, `First Name` and `firstName` are `firstname`.
    public static func folded(_ name: String) -> String {
        String(decoding: name.lowercased().utf8.filter { !separators.contains($0) }, as: UTF8.self)
    }

    private static let separators = Set("_- ".utf8)

    /// The candidate nearest to a name by changed, missing, surplus and exchanged letters; `nil` when none is near enough to be meant.
    ///
    /// - Complexity: O(*n* · *m*) in the letters of the name and all candidates.
    public static func nearest(to name: String, among candidates: [String]) -> String? {
        let wanted = Array(folded(name).utf8)
        guard wanted.count <= 64 else { return nil }
        var best: (distance: Int, name: String)?
        for candidate in candidates {
            let distance = distance(wanted, Array(folded(candidate).utf8))
            // A third of the letters may differ: more is another word.
            guard distance <= max(1, wanted.count / 3), distance < best?.distance ?? Int.max else { continue }
            best = (distance, candidate)
        }
        return best?.name
    }

    /// The optimal string alignment distance.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, letter == right[column - 1], other == left[row - 1] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
