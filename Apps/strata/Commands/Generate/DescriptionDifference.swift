import StrataFixtures

extension FixtureDescription {
    /// Returns the first difference between this description and a given description, or `nil` if they are equal.
    func difference(from given: FixtureDescription) -> String? {
        guard self != given else { return nil }
        return Self.difference("the dataset version", own: datasetVersion, given: given.datasetVersion)
            ?? Self.difference("the seed", own: seed, given: given.seed)
            ?? Self.difference("the reference date", own: referenceDate, given: given.referenceDate)
            ?? Self.difference("the share of hostile values", own: hostile.decimal, given: given.hostile.decimal)
            ?? (locales == given.locales ? nil : "the locales are others")
            ?? entityDifference(from: given) ?? "something else"
    }

    private func entityDifference(from given: FixtureDescription) -> String? {
        for name in schema.map(\.name) {
            switch (entities[name], given.entities[name]) {
            case (nil, nil): continue
            case (_?, nil): return "\(name) is made, and it is not described now"
            case (nil, _?): return "\(name) is not made, and it is described now"
            case (let own?, let other?):
                if own.count != other.count {
                    return Self.difference("the count of \(name)", own: own.count, given: other.count)
                }
                for attribute in own.attributes.keys.sorted()
                where own.attributes[attribute] != other.attributes[attribute] {
                    return "\(name).\(attribute) is described otherwise now"
                }
                if own.fixed != other.fixed { return "the fixed rows of \(name) are others" }
            }
        }
        return nil
    }

    private static func difference<Value: Equatable>(_ what: String, own: Value, given: Value) -> String? {
        own == given ? nil : "\(what) is \(own), and \(given) is given"
    }
}
