import Foundation
import StrataModelFiles
import StrataPersistence
import StrataTestSupport
import Testing

/// Dynamic records of models from files.
@Suite("Dynamic records of model files")
struct DynamicRecordTests {
    /// Returns the error of a saved unit of work, or "saved".
    private func outcome(_ body: () async throws -> Void) async throws -> String {
        do {
            try await body()
            return "saved"
        } catch let error as PersistenceError {
            // If several values exist already, each store reports the first one that it finds.
            if error.code == .uniqueness { return "\(error.code) \(error.entity ?? "-")" }
            return "\(error.code) \(error.entity ?? "-") \(error.attribute ?? "-") \(error.failures.map(\.attribute))"
        }
    }

    @Test(
        "a number with a fraction is no integer, whatever its size",
        arguments: ["1.5", "92233720368547758.07", "9007199254740993.5"])
    func fractions(_ number: String) throws {
        let count = EntityDescription("Counter", [.attribute(AttributeDescription("count", .integer64))])
        let entity = try ManagedObjectModel([count]).dynamicEntity("Counter")
        #expect(throws: DecodingError.self) { try DynamicRecord(entity, json: #"{"id": 1, "count": \#(number)}"#) }
        let exact = try DynamicRecord(entity, json: #"{"id": 1, "count": 9223372036854775807}"#)
        #expect(exact.values == [.integer(.max)])
    }

    @Test(
        "in-memory and SQLite stores accept, reject and return the same random rows, also as JSON",
        arguments: Seeds.first(20, of: 1...1_000))
    func anyModel(seed: Int) async throws {
        var random = RandomModel(seed: UInt64(seed))
        let model = try ModelFile(json: Array(ModelFile.text(of: random.model()).utf8)).model
        let folder = FileManager.default.temporaryDirectory.appending(path: "strata-rows-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let containers = [
            try PersistentContainer(model: model, .inMemory, mainQueue: .private),
            try PersistentContainer(
                model: model, .sqlite(at: folder.appending(path: "store.sqlite")), mainQueue: .private),
        ]
        let entities = try model.entities.map { try model.dynamicEntity($0.name) }
        var rows = RandomRow(seed: UInt64(seed))
        for round in 0..<12 {
            let entity = entities[round % entities.count]
            // In the first round every reference is dangling, and both stores must reject it equally.
            let values = rows.values(of: entity.description)
            var outcomes: [String] = []
            for container in containers {
                outcomes.append(
                    try await outcome {
                        _ = try await container.backgroundContext.insert(into: entity) { id in
                            try DynamicRecord(entity, StoredRow(id: id.rawValue, values: values))
                        }
                    })
            }
            #expect(outcomes[0] == outcomes[1], "seed \(seed), \(entity.name) \(values)")
            guard outcomes[0] == "saved" else { continue }
            for container in containers {
                let records = container.backgroundContext
                let saved = try #require(try await records.fetch(FetchRequest(entity)).last)
                #expect(saved.values.elementsEqual(values) { $0 == $1 }, "seed \(seed), \(entity.name)")
                let json = try saved.json()
                #expect(try DynamicRecord(entity, json: json) == saved, "seed \(seed): \(json)")
                let data = try JSONEncoder().encode(saved)
                #expect(
                    try JSONDecoder().decode(DynamicRecord.self, from: data, configuration: entity) == saved,
                    "seed \(seed): \(String(decoding: data, as: UTF8.self))")
                #expect(try await records.count(FetchRequest(entity, where: "id = \(saved.id)")) == 1)
            }
        }
        for entity in entities {
            let found = [
                try await containers[0].backgroundContext.fetch(FetchRequest(entity)),
                try await containers[1].backgroundContext.fetch(FetchRequest(entity)),
            ]
            #expect(found[0] == found[1], "seed \(seed)")
        }
        for container in containers { try container.close() }
    }

    private func shop() throws -> ManagedObjectModel {
        let file = Checkout.root.appending(path: "Fixtures/shop/datapackage.json")
        return try ModelFile(json: [UInt8](try Data(contentsOf: file))).model
    }

    @Test("a store that was created with a model file can be opened and read with its stored model")
    func storeAlone() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "strata-shop-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "shop.sqlite")
        let made = try PersistentContainer(model: try shop(), .sqlite(at: url), mainQueue: .private)
        let customers = try made.model.dynamicEntity("Customers")
        let ada = try await made.backgroundContext.insert(into: customers) {
            try DynamicRecord(customers, id: $0, ["fullName": "Ada Lace", "eMail": "ada@example.org"])
        }
        try made.close()
        let file = try #require(try SQLiteStore.storedModel(at: url).file)
        let model = try ModelFile(json: Array(file.utf8)).model
        let opened = try PersistentContainer(model: model, .sqlite(at: url), mainQueue: .private)
        let again = try model.dynamicEntity("Customers")
        let request = try FetchRequest(again, where: "fullName beginswith 'Ada'")
        #expect(try await opened.backgroundContext.fetch(request) == [ada])
        let refused = await #expect(throws: PersistenceError.self) {
            try await opened.backgroundContext.update(in: again, id: ada.id) { try $0.set("eMail", to: "nowhere") }
        }
        #expect(refused?.failures.map(\.attribute) == ["eMail"])
        try opened.close()
    }
}
