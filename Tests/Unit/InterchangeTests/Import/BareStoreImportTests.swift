import StrataInterchange
import StrataPersistence
import StrataStoreKit
import Testing

@Suite("Imports into a store without a container")
struct BareStoreImportTests {
    @Test("an import into a store without a container stores all rows, or none if a reference is dangling")
    func bareStore() throws {
        let store = InMemoryStore(model: try SampleModel.model())
        func run(_ text: String) throws -> ImportSummary {
            try DatasetImporter(entity: "Person", container: store, options: ImportOptions(format: .csv))
                .run(ByteInput(bytes: Array(text.utf8), name: "people.csv"))
        }
        let summary = try run("id,name,boss\n1,Ann,2\n2,Bob,\n")
        #expect(summary.files.map(\.counts.inserted) == [2])
        #expect(try store.rows(StoreRequest("Person")).map(\.values[0]) == [.string("Ann"), .string("Bob")])
        let error = try #require(throws: InterchangeError.self) { _ = try run("id,name,boss\n3,Cid,9\n") }
        #expect(error.line == 2)
        #expect(try store.count(StoreRequest("Person")) == 2)
    }
}
