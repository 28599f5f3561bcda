import Foundation
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

// The examples of the documentation of copies and metadata, line by line.

@Suite("Copies and metadata")
struct CopyExamples {
    @Test func copies() throws {
        let model = try ManagedObjectModel([
            EntityDescription("Customer", [.attribute(AttributeDescription("name", .string))])
        ])
        let folder = try TemporaryFolder()
        let (url, backup, listing) = (folder.file("a.sqlite"), folder.file("b.sqlite"), folder.file("c.stxml"))
        let container = try PersistentContainer(model: model, .sqlite(at: url), mainQueue: .private)
        try container.setMetadata(["customer": "Ada", "draft": nil])
        try container.copyPersistentStore(to: .sqlite(at: backup))
        try PersistentContainer.copyPersistentStore(.sqlite(at: url), to: .xml(at: listing))
        try container.close()
        try PersistentContainer.replacePersistentStore(.sqlite(at: url), with: .sqlite(at: backup))
        let metadata = try PersistentContainer.metadata(of: .sqlite(at: url))
        print(metadata.texts["customer"] ?? "unknown", metadata.model?.entities.map(\.name) ?? [])
        #expect(metadata.texts == ["customer": "Ada"])
        #expect(try PersistentContainer.metadata(of: .file(at: listing)).information.kind == "XML")
    }

    @Test("a store reports the reader that keeps its log from shrinking")
    func log() throws {
        let model = try ManagedObjectModel([EntityDescription("Customer", [])])
        let folder = try TemporaryFolder()
        let container = try PersistentContainer(
            model: model, .sqlite(at: folder.file("a.sqlite")), mainQueue: .private)
        let log = try container.coordinator.store.information().log
        if let reader = log?.reader, reader.age > .seconds(60) {
            print("process", reader.processID ?? 0, "holds back", log?.unmovedByteCount ?? 0, "bytes")
        }
        #expect(log?.reader == nil)
        try container.close()
    }
}
