public import StrataDomain
public import StrataPersistence

extension Identifier: RecordIdentifier {}

extension HexColor: AttributeValue {
    /// Creates a color from any of its spellings; the store contains `#RRGGBB`.
    ///
    /// - Throws: `DomainError` that names the allowed spellings.
    public init(storedValue: StoredValue) throws {
        try self.init(String(storedValue: storedValue))
    }
}
