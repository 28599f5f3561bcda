import StrataCore
import StrataStoreKit

/// A record in a context, compared by its row version and, if it has unsaved changes, by its values.
private struct ObservedObject<Record: ManagedRecord>: Sendable {
    let record: Record
    let version: Int64
    /// The values of an object with unsaved changes; `nil` for other objects.
    let unsavedValues: [StoredValue]?

    init(_ object: Managed<Record>) {
        record = object.record
        version = object.version
        let columns = object.ownership.identityMap?.entity.columns.indices
        unsavedValues = object.hasChanges ? columns?.map { object.typed.value(at: $0) } : nil
    }

    func isSame(as other: ObservedObject<Record>) -> Bool {
        record.id == other.record.id && version == other.version && unsavedValues == other.unsavedValues
    }
}

extension ManagedObjectContext {
    /// Returns the sequence of the records that a request selects in this context, including the unsaved changes of the
    /// context.
    ///
    /// ```swift
    /// for try await colors in context.observe(FetchRequest<Color>(sort: [SortKey(\.name)])) {
    ///     print(colors.map(\.name))
    /// }
    /// ```
    ///
    /// Each element is what a fetch in this context returns. The request is evaluated on the queue of the context,
    /// after each closure of the context, of its parents and of its children, and after each commit that may change the
    /// result. Closures that the observer does not wait for are combined.
    ///
    /// - Parameter request: The request for the records.
    /// - Returns: The sequence; see ``RecordObservation``. If the request is invalid, the sequence throws the error.
    public nonisolated func observe<Record: ManagedRecord>(
        _ request: FetchRequest<Record>
    ) -> RecordObservation<[Record]> {
        RecordObservation(
            { [self] in
                let region = try ObservedRegion(try request.lowered(), in: coordinator.model)
                let signal = ChangeSignal(region)
                let value = try coordinator.observers.value(nil) {
                    ObservedValue(signal, onQueue: { try await self.performUnobserved($0) }) { context in
                        try context.fetch(request).map(ObservedObject.init)
                    }
                }
                observed.add(signal)
                return value
            },
            isEqual: { $0.count == $1.count && zip($0, $1).allSatisfy { $0.isSame(as: $1) } },
            element: { _, new in new.map(\.record) })
    }
}
