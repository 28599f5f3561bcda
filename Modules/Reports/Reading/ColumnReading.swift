import StrataCore
import StrataStoreKit

/// The context in which a gatherer can query the store after both passes.
struct ColumnReading {
    let snapshot: any StoreSnapshot
    let model: ManagedObjectModel
    let entity: EntityDescription
    let column: String
    let nullCount: Int
    let options: ReportOptions

    /// Reads the rows of a request.
    func rows(_ request: StoreRequest, _ body: (RowReader) throws -> Void) throws {
        try snapshot.forEachRow(request, options: options, body)
    }
}
