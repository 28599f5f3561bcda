import StrataPersistence
import StrataTesting
import Testing

/// Properties with the name of a member of `Managed`, which could not be read from an object.
@Suite("Names of properties that objects hide")
struct HiddenNameTests {
    struct Document: PersistentRecord {
        let id: RecordID<Document>
        var version: Int64
        static let entity = RecordEntity<Document>("Document", id: \.id, [.attribute("version", \.version)]) {
            try Document(id: $0.id(), version: $0.next())
        }
    }

    struct Address: PersistentRecord {
        let id: RecordID<Address>
        var state: RecordID<Address>?
        static let entity = RecordEntity<Address>("Address", id: \.id, [.toOne("state", \.state, to: "Address")]) {
            try Address(id: $0.id(), state: $0.next())
        }
    }

    @Test("a hidden name is rejected when the model is created")
    func rejected() throws {
        for (types, entity, name) in [
            ([Document.self], "Document", "version"), ([Address.self], "Address", "state"),
        ] as [([any PersistentRecord.Type], String, String)] {
            let error = #expect(throws: PersistenceError.self) { _ = try ManagedObjectModel(records: types) }
            #expect(error?.code == .invalidModel && error?.entity == entity && error?.attribute == name)
            #expect(error?.message.contains("“\(name)”") == true)
        }
    }

    @Test("a model without record types may use a hidden name")
    func dynamic() throws {
        let version = AttributeDescription("version", .integer64)
        _ = try ManagedObjectModel([EntityDescription("Document", [.attribute(version)])])
    }
}
