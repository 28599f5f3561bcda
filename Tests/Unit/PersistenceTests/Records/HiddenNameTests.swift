import StrataPersistence
import StrataTesting
import Testing

/// Properties with the name of a member of `Managed`, which could not be read from an object.
@Suite("Property names that conflict with members of managed objects")
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

    @Test("a model is rejected if a record's property has the name of a managed object's member")
    func rejected() throws {
        for (types, entity, name) in [
            ([Document.self], "Document", "version"), ([Address.self], "Address", "state"),
        ] as [([any PersistentRecord.Type], String, String)] {
            let error = #expect(throws: PersistenceError.self) { _ = try ManagedObjectModel(records: types) }
            #expect(error?.code == .invalidModel && error?.entity == entity && error?.attribute == name)
            #expect(error?.message.contains("“\(name)”") == true)
        }
    }

    @Test("a model without record types may have a property with the name of a managed object's member")
    func dynamic() throws {
        let version = AttributeDescription("version", .integer64)
        _ = try ManagedObjectModel([EntityDescription("Document", [.attribute(version)])])
    }
}
