import StrataCore
import StrataStoreKit

extension PersistentContainer {
    /// Returns the sequence of the records that a request selects, grouped by the value of its first sort key.
    ///
    /// ```swift
    /// let request = FetchRequest<Color>(sort: [SortKey(\.name), SortKey(\.dateCreated)])
    /// for try await sections in container.observe(request, sectionedBy: \.name) {
    ///     for section in sections { print(section.key ?? "", section.records.count) }
    /// }
    /// ```
    ///
    /// The sections have the order of the request, and each key occurs once. The direction is that of the sort key; the
    /// records without a value are a section of their own.
    ///
    /// - Parameters:
    ///   - request: The request for the records.
    ///   - path: The property of the first sort key.
    /// - Returns: The sequence; see ``RecordObservation``. If the first sort key is not that property, the sequence
    ///   throws ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``.
    public func observe<Record: ManagedRecord, Key: Hashable & Sendable>(
        _ request: FetchRequest<Record>, sectionedBy path: any KeyPath<Record, Key> & Sendable
    ) -> RecordObservation<[RecordSection<Key, Record>]> {
        let records = observing(request)
        let observe = { @Sendable in
            let key = try SortKey(path).lowered(of: request.entity).key
            guard try request.sort.first?.lowered(of: request.entity).key == key else {
                throw PersistenceError(
                    .invalidRequest, "the property of the sections is not the first sort key of the request",
                    entity: request.entity.name)
            }
            return try records()
        }
        return RecordObservation(observe, isEqual: Self.isSame) { _, new in
            var places: [Key: Int] = [:]
            var sections: [RecordSection<Key, Record>] = []
            for record in new.map(\.record) {
                let key = record[keyPath: path]
                if let place = places[key] {
                    sections[place].records.append(record)
                } else {
                    places[key] = sections.count
                    sections.append(RecordSection(key: key, records: [record]))
                }
            }
            return sections
        }
    }
}
