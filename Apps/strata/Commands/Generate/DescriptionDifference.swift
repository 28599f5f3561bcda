import StrataFixtures

extension FixtureDescription {
    /// Returns the first difference between this description and a given description, or `nil` if they are equal.
    func difference(from given: FixtureDescription) -> String? {
        guard self != given else { return nil }
        return Self.difference("the dataset version", own: datasetVersion, given: given.datasetVersion)
            ?? Self.difference("the seed", own: seed, given: given.seed)
            ?? Self.difference("the reference date", own: referenceDate, given: given.referenceDate)
            ?? Self.difference("the share of hostile values", own: hostile.decimal, given: given.hostile.decimal)
            ?? (locales == given.locales ? nil : "the locales differ")
            ?? entityDifference(from: given) ?? "another setting differs"
    }

    private func entityDifference(from given: FixtureDescription) -> String? {
        for name in schema.map(\.name) {
            switch (entities[name], given.entities[name]) {
            case (nil, nil): continue
            case (_?, nil): return "\(name) is in the manifest, but not in the description"
            case (nil, _?): return "\(name) is in the description, but not in the manifest"
            case (let own?, let other?):
                if own.count != other.count {
                    return Self.difference("the count of \(name)", own: own.count, given: other.count)
                }
                for attribute in own.attributes.keys.sorted()
                where own.attributes[attribute] != other.attributes[attribute] {
                    return "\(name).\(attribute) is described differently"
                }
                if own.fixed != other.fixed { return "the fixed rows of \(name) differ" }
            }
        }
        return nil
    }

    private static func difference<Value: Equatable>(_ what: String, own: Value, given: Value) -> String? {
        own == given ? nil : "\(what) is \(own) in the manifest, but \(given) is given"
    }
}
