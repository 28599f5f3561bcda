public import StrataFixtures

extension FixtureDescription {
    /// Creates the default description of the reference entities: colors, bosses, employees, and items.
    ///
    /// The numbers of rows are 500 colors, 20 bosses, 1,000 employees and 200 items.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - version: The dataset version; the default is 1 in every version of Strata.
    /// - Throws: `FixtureError` with the code `unknown` if the version does not exist.
    public init(seed: UInt64 = FixtureDescription.standardSeed, version: Int = 1) throws(FixtureError) {
        try self.init(seed: seed, version: version, schema: try ReferenceEntities.all(version: version))
    }

    /// Reads a description of the reference entities.
    ///
    /// Only the entities that the description names are generated. If it names `Employee` but not `Boss`, no employee
    /// has a boss by default.
    ///
    /// - Parameters:
    ///   - json: The bytes of the file, at most 2^31.
    ///   - source: The file's name, for messages.
    /// - Throws: `FixtureError` with line and column if the text is not such a description.
    public init(json: [UInt8], source: String) throws(FixtureError) {
        try self.init(json: json, source: source, schema: try ReferenceEntities.all(version: Self.newestVersion))
    }
}

extension Fixtures {
    /// Creates the rows of the reference entities.
    ///
    /// The counts do not limit single rows: `row(of:at:)` also returns rows with greater indexes.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - counts: The number of rows of each entity, by name, if it differs from the default. An employee's boss
    ///     depends on these counts.
    /// - Throws: `FixtureError` for a name that no entity has, or a count that is out of range.
    public init(seed: UInt64, counts: [String: Int] = [:]) throws(FixtureError) {
        try self.init(try FixtureDescription(seed: seed).with(counts))
    }
}
