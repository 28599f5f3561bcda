import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// The greatest valid identifier.
@Suite("The greatest identifier")
struct GreatestIdentifierTests {
    @Test(
        "a row may have the greatest identifier, and reserving further identifiers then throws",
        arguments: StoreKind.allCases)
    func row(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(try League.model(), in: folder)
        let greatest = identifierRange.upperBound
        var changes = ChangeSet()
        changes["Team"].insertions = [1, greatest].map {
            .init(id: $0, values: [.string("T\($0)"), .null, .integer(0)], version: 1)
        }
        #expect(try store.save(changes).isEmpty)
        #expect(try store.rows(StoreRequest("Team")).map(\.id) == [1, greatest])
        #expect(try store.rows(StoreRequest("Team", where: .isIn(.property("id"), [.integer(greatest)]))).count == 1)
        #expect(try persistenceError { _ = try store.reserveIdentifiers(1, of: "Team") }.code == .identifiersExhausted)
        try store.close()
    }
}
