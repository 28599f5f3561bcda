import Foundation
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

// The examples of the documentation of stores in one file, line by line.

@Suite("Stores in one file")
struct FileStoreExamples {
    private let model: ManagedObjectModel

    init() throws {
        model = try ManagedObjectModel([EntityDescription("Note", [.attribute(AttributeDescription("text", .string))])])
    }

    @Test func descriptions() throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        let notes = try PersistentContainer(model: model, .xml(at: folder.appendingPathComponent("notes.stxml")))
        let prices = try PersistentContainer(model: model, .binary(at: folder.appendingPathComponent("prices.stbin")))
        #expect(try [notes, prices].map { try $0.coordinator.store.information().kind } == ["XML", "binary"])
        try notes.close()
        try prices.close()
    }

    @Test func xmlProvider() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("notes.stxml")
        let container = try PersistentContainer(
            model: model, PersistentStoreDescription(AtomicStoreProvider(.xml, at: url)), mainQueue: .private)
        try container.close()
    }

    @Test func binaryProvider() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("notes.stbin")
        let container = try PersistentContainer(
            model: model, PersistentStoreDescription(AtomicStoreProvider(.binary, at: url)), mainQueue: .private)
        try container.close()
    }
}
