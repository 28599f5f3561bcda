import StrataCore

/// The matching of names in a later model with names in an earlier model.
enum NameMatch {
    /// Returns the earlier name that corresponds to each later name.
    ///
    /// If an item has earlier names (`renamedFrom`) and the earlier model does not have its current name, it
    /// corresponds to the first of those names that the earlier model has. A store of the first version can therefore
    /// migrate to the third version directly. All other names correspond if they are equal without case.
    ///
    /// - Parameters:
    ///   - later: The names in the later model, each with its earlier names.
    ///   - earlier: The names in the earlier model.
    /// - Returns: The earlier names, by the later names.
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
