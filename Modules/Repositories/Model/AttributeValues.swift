public import StrataDomain
public import StrataPersistence

extension Identifier: RecordIdentifier {}

extension HexColor: AttributeValue {
    /// Reads a colour from any of its spellings; kept as `#RRGGBB`.
    ///
    /// - Throws: `DomainError` that says which spellings there are.
    public init(storedValue: StoredValue) throws {
        try self.init(String(storedValue: storedValue))
    }
}
