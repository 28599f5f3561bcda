import StrataFixtures

extension FixtureDescription {
    /// Where this description, which made something, differs first from one that is given now; nil where nothing does.
    func difference(from given: FixtureDescription) -> String? {
        guard self != given else { return nil }
        return Self.difference("the dataset version", datasetVersion, given.datasetVersion)
            ?? Self.difference("the seed", seed, given.seed)
            ?? Self.difference("the reference date", referenceDate, given.referenceDate)
            ?? Self.difference("the share of hostile values", hostile.decimal, given.hostile.decimal)
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
                    return Self.difference("the count of \(name)", own.count, other.count)
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

    private static func difference<Value: Equatable>(_ what: String, _ own: Value, _ given: Value) -> String? {
        own == given ? nil : "\(what) is \(own), and \(given) is given"
    }
}
