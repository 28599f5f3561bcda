/// Which of an earlier model's names are those of a later one.
enum NameMatch {
    /// Finds for each later name the earlier one.
    ///
    /// What says that it had another name, and is not there under its own, takes that one: the first of its earlier names that the model has, so that
    /// the first version leads straight to the third. Otherwise names are the same, whatever their case.
    ///
    /// - Parameters:
    ///   - later: The names and what each was called before.
    ///   - earlier: The names of the earlier model.
    /// - Returns: Earlier names by later ones.
    static func pairs(of later: [(name: String, renamedFrom: [String])], among earlier: [String]) -> [String: String] {
        var free = Set(earlier)
        var pairs: [String: String] = [:]
        func take(_ name: String, for later: String) {
            pairs[later] = name
            free.remove(name)
        }
        let known = Set(earlier)
        for (name, renamedFrom) in later where !known.contains(name) {
            if let old = renamedFrom.first(where: free.contains) { take(old, for: name) }
        }
        // Names that move on in a chain: whose own name went to another one, that one's earlier name is told all the same.
        var isMoving = true
        while isMoving {
            isMoving = false
            for (name, renamedFrom) in later where pairs[name] == nil && !free.contains(name) {
                guard let old = renamedFrom.first(where: free.contains) else { continue }
                take(old, for: name)
                isMoving = true
            }
        }
        for (name, _) in later where pairs[name] == nil && free.contains(name) { take(name, for: name) }
        for (name, _) in later where pairs[name] == nil {
            let folded = name.foldingASCIICase()
            if let old = earlier.first(where: { free.contains($0) && $0.foldingASCIICase() == folded }) {
                take(old, for: name)
            }
        }
        return pairs
    }
}
