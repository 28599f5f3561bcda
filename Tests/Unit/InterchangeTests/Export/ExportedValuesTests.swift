import StrataInterchange
import StrataPersistence
import StrataTesting
import Testing

@Suite("Values of exported rows")
struct ExportedValuesTests {
    private let store: InMemoryStore

    init() throws {
        store = InMemoryStore(model: try SampleModel.model())
        try SampleStores.people(store)
    }

    @Test("exported values have the order and types of the requested columns, also across relationships")
    func values() throws {
        let exporter = try DatasetExporter(
            store: store,
            options: .with(.csv) { $0.columns = [ExportColumn("boss.name", as: "b"), ExportColumn("id")] })
        let columns = try exporter.columns(of: "Person")
        #expect(columns.map(\.name) == ["b", "id"])
        #expect(columns.map(\.type) == [.string, .integer64])
        var rows: [[StoredValue]] = []
        try exporter.forEach(StoreRequest("Person", sort: [.init("id", descending: true)], limit: 2, offset: 1)) {
            rows.append($0)
        }
        #expect(rows == [[.string("NULL"), .integer(4)], [.string("Bo, \"B\""), .integer(3)]])
    }

    @Test("an export without selected columns has all columns of the entity")
    func allColumns() throws {
        let exporter = try DatasetExporter(store: store, options: ExportOptions(format: .csv))
        #expect(try exporter.columns(of: "Person").map(\.name) == ["id", "name", "rank", "boss"])
        #expect(throws: PersistenceError.self) { try exporter.columns(of: "Missing") }
    }

    @Test("an error thrown by the closure or a cancellation ends the iteration over the exported rows")
    func ends() throws {
        struct Enough: Error {}
        let exporter = try DatasetExporter(store: store, options: ExportOptions(format: .csv))
        var count = 0
        #expect(throws: Enough.self) {
            try exporter.forEach(StoreRequest("Person")) { _ in
                count += 1
                if count == 2 { throw Enough() }
            }
        }
        #expect(count == 2)
        let cancelled = try DatasetExporter(store: store, options: .with(.csv) { $0.isCancelled = { true } })
        #expect(throws: CancellationError.self) { try cancelled.forEach(StoreRequest("Person")) { _ in } }
    }
}
