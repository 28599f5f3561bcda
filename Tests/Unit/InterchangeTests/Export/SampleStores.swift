import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import StrataTesting

/// Stores with people and their bosses.
enum SampleStores {
    static func people(_ store: any PersistentStore) throws {
        try store.insertRows(of: "Person") { inserter in
            let people: [(Int64, String, Int64?)] = [
                (1, "Ada", nil), (2, "Bo, \"B\"", 1), (3, "=1+1", 2), (4, "", 9), (9, "NULL", 2),
            ]
            for (number, person) in people.enumerated() {
                _ = try inserter.insert(
                    id: person.0,
                    values: [.string(person.1), .integer(-person.0), person.2.map(StoredValue.integer) ?? .null],
                    location: RowLocation(line: number, record: number))
            }
        }
    }
}

extension PersistentStore {
    /// Returns the exported text of a request.
    func exported(_ request: StoreRequest, _ options: ExportOptions) throws -> String {
        let output = ByteOutput.memory()
        try DatasetExporter(store: self, options: options).run(request, to: output)
        return String(decoding: output.bytes, as: UTF8.self)
    }
}

extension ExportOptions {
    /// Returns changed options for a format.
    static func with(_ format: DatasetFormat, _ change: (inout ExportOptions) -> Void) -> ExportOptions {
        var options = ExportOptions(format: format)
        change(&options)
        return options
    }
}
