/// The matching of the names of a later model with those of an earlier one.
enum NameMatch {
    /// Finds the earlier name of each later name.
    ///
    /// An item with earlier names (`renamedFrom`), whose own name the earlier model does not have, gets the first of
    /// them that the earlier model has. A store of the first version can therefore migrate to the third directly. All
    /// other names match if they are equal without case.
    ///
    /// - Parameters:
    ///   - later: The names, each with its earlier names.
    ///   - earlier: The names of the earlier model.
    /// - Returns: The earlier names by later ones.
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
        // Names may move in a chain. If an item's own name was assigned to another item, the item still gets its
        // earlier name.
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
