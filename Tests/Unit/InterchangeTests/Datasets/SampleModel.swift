import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// An entity with an attribute of every type, and an entity that refers to itself.
enum SampleModel {
    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel([
            EntityDescription(
                "Thing",
                [
                    .attribute(AttributeDescription("text", .string, isOptional: true)),
                    .attribute(AttributeDescription("small", .integer16, isOptional: true)),
                    .attribute(AttributeDescription("whole", .integer64, isOptional: true)),
                    .attribute(AttributeDescription("real", .double, isOptional: true)),
                    .attribute(AttributeDescription("price", .decimal(scale: 2), isOptional: true)),
                    .attribute(AttributeDescription("flag", .boolean, isOptional: true)),
                    .attribute(AttributeDescription("day", .date, isOptional: true)),
                    .attribute(AttributeDescription("key", .uuid, isOptional: true, isUnique: true)),
                    .attribute(AttributeDescription("bytes", .binary, isOptional: true)),
                    .attribute(AttributeDescription("birthday", .day, isOptional: true)),
                    .attribute(AttributeDescription("opens", .timeOfDay, isOptional: true)),
                ]),
            EntityDescription(
                "Person",
                [
                    .attribute(AttributeDescription("name", .string)),
                    .attribute(AttributeDescription("rank", .integer64, defaultValue: .constant(.integer(3)))),
                    .relationship(RelationshipDescription("boss", to: "Person", .toOne, inverse: "staff")),
                    .relationship(RelationshipDescription("staff", to: "Person", .toMany, inverse: "boss")),
                ]),
        ])
    }

    static func container() throws -> PersistentContainer {
        try PersistentContainer(model: model(), .inMemory, mainQueue: .private)
    }
}

extension PersistentContainer {
    /// Imports a text and returns the rows of the store.
    func importing(
        _ text: String, _ format: DatasetFormat, into entity: String, _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> [StoredRow] {
        var options = ImportOptions(format: format)
        change(&options)
        let importer = try DatasetImporter(entity: entity, container: self, options: options)
        _ = try importer.run(ByteInput(bytes: Array(text.utf8), name: "data"))
        return try coordinator.store.rows(StoreRequest(entity))
    }

    /// Returns the exported text of an entity.
    func exported(_ entity: String, _ format: DatasetFormat) throws -> String {
        let output = ByteOutput.memory()
        try DatasetExporter(store: coordinator.store, format: format).run(StoreRequest(entity), to: output)
        return String(decoding: output.bytes, as: UTF8.self)
    }
}
