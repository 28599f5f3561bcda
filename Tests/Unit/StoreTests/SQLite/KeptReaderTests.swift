import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Readers that are used after the fetch has left their row.
@Suite("Readers used after a fetch")
struct KeptReaderTests {
    @Test(
        "a row reader used after the end of its fetch returns the original text, or nil if the store released the row",
        arguments: StoreKind.allCases)
    func afterTheFetch(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(try StoreContract.model(), in: folder)
        var changes = ChangeSet()
        let text = String(repeating: "long enough to stand on a page of its own. ", count: 20)
        changes["Tag"].insertions = [.init(id: 1, values: [.string(text)])]
        _ = try store.save(changes)
        var kept: RowReader?
        try store.fetch(StoreRequest("Tag")) { row in
            kept = row
            let word: String? = try row[0]
            #expect(word == text)
            return .next
        }
        let reader = try #require(kept)
        for _ in 0..<100 { try store.fetch(StoreRequest("Tag")) { _ in .next } }
        let word: String? = try? reader[0]
        // Stores that hold rows by value still have the row; SQLite's memory and a server's result are released.
        let holdsRows = [.inMemory, .xml, .binary].contains(kind)
        #expect(word == (holdsRows ? text : nil))
        try store.close()
    }
}
