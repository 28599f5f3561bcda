public import StrataDomain
public import StrataFixtures

extension HexColor: FixtureConvertible {
    /// Creates a color from a text value; `nil` if the value is not a text or not a color.
    public init?(fixtureValue: FixtureValue) {
        guard case .text(let text) = fixtureValue else { return nil }
        self.init(rawValue: text)
    }
}

extension Identifier: FixtureConvertible {
    /// Creates an identifier from an integer, such as a reference; `nil` for other values.
    public init?(fixtureValue: FixtureValue) {
        guard case .integer(let number) = fixtureValue else { return nil }
        self.init(rawValue: number)
    }
}

extension FixtureRow {
    /// Returns the row's identifier as the identifier of an entity.
    ///
    /// - Throws: `DomainError` if the number is out of range; no row has such a number.
    public func identifier<Entity>() throws -> Identifier<Entity> { try Identifier(Int(id)) }
}
