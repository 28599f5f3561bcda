import StrataCore
import StrataStoreKit

/// The context in which a gatherer can query the store after both passes.
struct ColumnReading {
    /// The snapshot from which both passes have read.
    let snapshot: any StoreSnapshot
    let model: ManagedObjectModel
    let entity: EntityDescription
    let column: String
    /// The number of nulls in the column, from the first pass.
    let nullCount: Int
    let options: ReportOptions

    /// Reads the rows of a request, with the same checks for cancellation as the passes.
    func rows(_ request: StoreRequest, _ body: (RowReader) throws -> Void) throws {
        try snapshot.forEachRow(request, options: options, body)
    }
}
