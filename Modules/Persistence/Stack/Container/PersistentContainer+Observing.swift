import StrataCore
import StrataStoreKit

extension PersistentContainer {
    /// Returns the sequence of the records that a request selects: the current ones, and then those after every commit
    /// that changes them.
    ///
    /// ```swift
    /// for try await colors in container.observe(FetchRequest<Color>(sort: [SortKey(\.name)])) {
    ///     print(colors.map(\.name))
    /// }
    /// ```
    ///
    /// Records are compared by their identifiers and the versions of their rows. Unsaved changes of contexts are not
    /// included.
    ///
    /// - Parameter request: The request for the records.
    /// - Returns: The sequence; see ``RecordObservation``. If the request is invalid, the sequence throws the error.
    public func observe<Record: ManagedRecord>(_ request: FetchRequest<Record>) -> RecordObservation<[Record]> {
        RecordObservation(observing(request), isEqual: Self.isSame) { _, new in new.map(\.record) }
    }

    /// Returns the sequence of the records that a request selects, each with the difference from the previous element.
    ///
    /// - Parameter request: The request for the records.
    /// - Returns: The sequence; see ``RecordObservation``.
    public func observeChanges<Record: ManagedRecord>(
        _ request: FetchRequest<Record>
    ) -> RecordObservation<ObservedRecords<Record>> {
        RecordObservation(observing(request), isEqual: Self.isSame) { old, new in
            func marks(_ records: [Versioned<Record>]) -> [(id: Record.ID, version: Int64)] {
                records.map { ($0.record.id, $0.version) }
            }
            return ObservedRecords(
                records: new.map(\.record), change: CollectionChange(from: marks(old ?? []), to: marks(new)))
        }
    }

    /// Returns the sequence of the states of one record, which is `nil` while no such record exists.
    ///
    /// - Parameters:
    ///   - type: The type of the record.
    ///   - entity: The entity of the record; `nil` uses the entity that the type declares.
    ///   - id: The identifier of the record.
    /// - Returns: The sequence; see ``RecordObservation``.
    public func observe<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, id: Record.ID
    ) -> RecordObservation<Record?> {
        RecordObservation(
            { [self] in try observing(FetchRequest(try Record.entity(entity), id: id))() }, isEqual: Self.isSame,
            element: { _, new in new.first?.record })
    }

    /// Returns the sequence of the count of records that a request selects.
    ///
    /// - Parameter request: The request, whose limit and offset apply to the count.
    /// - Returns: The sequence; see ``RecordObservation``.
    public func observeCount<Record: ManagedRecord>(_ request: FetchRequest<Record>) -> RecordObservation<Int> {
        observe(request) { try $0.count(request) }
    }

    /// Returns the sequence of a value that is read from the records of a request, such as an aggregate.
    ///
    /// ```swift
    /// let everyone = FetchRequest<Employee>()
    /// let longest = container.observe(everyone) { unit in
    ///     try unit.fetch(everyone).map(\.lastName.count).max()
    /// }
    /// for try await count in longest { print(count ?? 0) }
    /// ```
    ///
    /// The value is read again after every commit that may change the records of the request. A value that is read by
    /// one statement is that of one committed state.
    ///
    /// - Parameters:
    ///   - request: The request on which the value depends: its entity, and the relationships of its filter and its
    ///     sort keys.
    ///   - read: A closure that reads the value, on a queue of the observation. It must not change records.
    /// - Returns: The sequence; see ``RecordObservation``.
    public func observe<Record: ManagedRecord, Value: Sendable & Equatable>(
        _ request: FetchRequest<Record>, reading read: @escaping @Sendable (any RecordTransaction) throws -> Value
    ) -> RecordObservation<Value> {
        RecordObservation(observing(request, key: nil, read), isEqual: { $0 == $1 }, element: { $1 })
    }

    // MARK: Observed values

    static func isSame<Record: ManagedRecord>(_ old: [Versioned<Record>], _ new: [Versioned<Record>]) -> Bool {
        old.count == new.count && zip(old, new).allSatisfy { $0.record.id == $1.record.id && $0.version == $1.version }
    }

    func observing<Record: ManagedRecord>(
        _ request: FetchRequest<Record>
    ) -> @Sendable () throws -> ObservedValue<[Versioned<Record>]> {
        let key: @Sendable (StoreRequest) -> ObservedRequest? = { lowered in
            // The closure that receives unreadable rows has no identity.
            guard request.onUnreadableRow == nil else { return nil }
            return ObservedRequest(lowered, of: Record.self)
        }
        return observing(request, key: key) { try $0.versioned(request) }
    }

    private func observing<Record: ManagedRecord, Value: Sendable>(
        _ request: FetchRequest<Record>, key: (@Sendable (StoreRequest) -> ObservedRequest?)?,
        _ read: @escaping @Sendable (any RecordTransaction) throws -> Value
    ) -> @Sendable () throws -> ObservedValue<Value> {
        { [coordinator] in
            let lowered = try request.lowered()
            let region = try ObservedRegion(lowered, in: coordinator.model)
            return try coordinator.observers.value(key?(lowered)) {
                ObservedValue(ChangeSignal(region), coordinator, read)
            }
        }
    }
}
