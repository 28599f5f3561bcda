import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

import struct PersistenceTestSupport.Tag

@Suite("Stores prepared for tests that need a file")
struct PreparedStoreTests {
    @Test("every copy of a prepared store contains the rows that the preparing closure inserted")
    func filled() throws {
        let prepared = try PreparedStore(model: try Library.model()) { context in
            try context.insert(Tag.self) { Tag(id: $0, word: "war") }
        }
        for _ in 0..<2 {
            let stack = try prepared.temporaryCopy()
            let words = try stack.container.backgroundContext.performAndWait { context in
                try context.insert(Tag.self) { Tag(id: $0, word: "sea") }
                try context.save()
                return try context.fetchRecords(FetchRequest<Tag>()).map(\.word)
            }
            #expect(words == ["war", "sea"])
            #expect(stack.container.coordinator.store is SQLiteStore)
        }
    }

    @Test("a copy's folder contains only the copied file and is deleted when the copy is released")
    func folders() throws {
        let prepared = try PreparedStore(model: try Library.model()) { _ in }
        var stack: TemporaryStack? = try prepared.temporaryCopy()
        let folder = try #require(stack?.folder.url.path)
        try stack?.container.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["store.sqlite"])
        stack = nil
        #expect(!FileManager.default.fileExists(atPath: folder))
        let next = try prepared.temporaryCopy()
        #expect(try next.container.coordinator.store.count(StoreRequest("Tag")) == 0)
    }
}
