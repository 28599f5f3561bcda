import Foundation
import StrataFixtures
import StrataModelFiles
import StrataPersistence
import StrataTesting
import Testing

// The module has types with the names of types of the standard library, which an import of the module would add.
import enum Hostile.AppModel2
import struct Hostile.Enumerated
import struct Hostile.Keywords
import struct Hostile.WideTable

@Suite("Code that is generated from a hostile model")
struct RoundTripTests {
    private func source() throws -> ManagedObjectModel {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Hostile/hostile.model.json")
        return try ModelFile(json: Array(Data(contentsOf: file))).model
    }

    @Test("the model of the generated types equals the model of the file")
    func equalModels() throws {
        let (source, generated) = (try source(), try AppModel2.model())
        #expect(ModelFile.differences(from: source, to: generated) == [])
        #expect(ModelFile.text(of: generated) == ModelFile.text(of: source))
    }

    @Test("generated records are saved, read and encoded without loss")
    func records() async throws {
        let fixtures = try AppModel2.fixtures(counts: ["Keywords": 20, "WideTable": 20, "Enumerated": 20])
        let wide: [WideTable] = try fixtures.records()
        let keywords: [Keywords] = try fixtures.records()
        let enumerated: [Enumerated] = try fixtures.records()
        let records = try InMemoryRecords(AppModel2.model(), wide + keywords + enumerated)
        #expect(try await records.fetch(FetchRequest<WideTable>()) == wide)
        #expect(try await records.fetch(FetchRequest<Keywords>()) == keywords)
        #expect(try await records.fetch(FetchRequest<Enumerated>()) == enumerated)
        #expect(try await records.find(Keywords.self, by: \.key, keywords[3].key) == keywords[3])
        #expect(try JSONDecoder().decode([Keywords].self, from: JSONEncoder().encode(keywords)) == keywords)
    }
}
