/// The validation of an entity's uniqueness constraints and of its indexes over several columns.
extension ModelCheck {
    func checkKeys(of entity: EntityDescription) throws {
        try check(entity.uniquenessConstraints, as: "uniqueness constraint", isOrdered: false, of: entity)
        try check(entity.indexes, as: "index", isOrdered: true, of: entity)
    }

    private func check(
        _ lists: [[String]], as what: String, isOrdered: Bool, of entity: EntityDescription
    ) throws {
        var seen: Set<[String]> = []
        for names in lists {
            let list = "the \(what) (\(names.joined(separator: ", ")))"
            guard names.count > 1 else {
                throw invalid(
                    "\(list) has fewer than two names; declare the uniqueness of one attribute at the attribute itself",
                    entity: entity.name)
            }
            for name in names where entity.columnIndex(name) == nil {
                let exists = entity.properties.contains { $0.name == name }
                throw invalid(
                    exists
                        ? "\(list) names a relationship without a column" : "\(list) names no property of the entity",
                    entity: entity.name, property: name)
            }
            let sorted = names.sorted()
            if let twice = zip(sorted, sorted.dropFirst()).first(where: { $0 == $1 }) {
                throw invalid("\(list) has the name twice", entity: entity.name, property: twice.0)
            }
            // The order of names is irrelevant to uniqueness. Indexes with different orders are different indexes.
            guard seen.insert(isOrdered ? names : sorted).inserted else {
                throw invalid("\(list) is declared twice", entity: entity.name)
            }
        }
    }
}
