import Foundation
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@Suite("Writers used after closing")
struct KeptWriterTests {
    @Test("closing a store closes its file and moves the log into the file although a writer is still referenced")
    func closing() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"), model: try StoreContract.model())
        var kept: [any RowInserter] = []
        var keptWriter: (any RowWriter)?
        let place = RowLocation(line: 1, record: 1)
        try store.writeRows { writer in
            keptWriter = writer
            for action in [InsertOptions.ConflictAction.abort, .update, .replace, .ignore] {
                kept.append(try writer.inserter(of: "Node", InsertOptions(onConflict: action)))
                kept.append(try writer.inserter(of: "Owner", InsertOptions(onConflict: action)))
            }
            for inserter in kept {
                let isNode = inserter.entity.name == "Node"
                let isFirst = inserter === kept[0] || inserter === kept[1]
                let values: [StoredValue] = isNode ? [.string("t"), .integer(1)] : [.string("c"), .integer(1), .null]
                try inserter.insert(id: isNode || isFirst ? 1 : nil, values: values, location: place)
            }
            try writer.checkReferences()
        }
        try store.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["store.sqlite"])
        withExtendedLifetime((kept, keptWriter)) {}
    }
}
