import StrataCore
import Testing

@Suite("Blocks of rows")
struct RowBlockTests {
    @Test("which columns are set is asked of the row that was begun last")
    func isSet() throws {
        let entity = EntityDescription(
            "Thing",
            ["a", "b"].map { .attribute(AttributeDescription($0, .integer64, isOptional: true)) })
        var block = RowBlock(of: try #require(ManagedObjectModel([entity])["Thing"]))
        block.beginRow(location: RowLocation(line: 1, record: 1))
        block.setInteger(7, column: 1)
        #expect(!block.isSet(column: 0) && block.isSet(column: 1))
        block.beginRow(location: RowLocation(line: 2, record: 2))
        block.setNull(column: 0)
        #expect(block.isSet(column: 0) && !block.isSet(column: 1))
    }
}
