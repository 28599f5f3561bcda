import StrataCore
import StrataStoreKit

/// An entity whose records have no Swift type.
///
/// ``ManagedObjectModel/dynamicEntity(_:)`` returns it. Its methods return handles of properties and descriptions of
/// relationships. It is the argument `entity` of all methods that accept records without a Swift type.
public typealias DynamicEntity = RecordEntity<DynamicRecord>

extension ManagedObjectModel {
    /// Returns the entity with a name in this model, for records without a Swift type.
    ///
    /// ```swift
    /// let orders = try model.dynamicEntity("Orders")
    /// ```
    ///
    /// Store the returned entity and reuse it. Comparisons of handles and records are fastest if both contain the same
    /// returned entity.
    ///
    /// - Parameter name: The entity's name in the model.
    /// - Returns: The entity, which creates handles of its properties.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` and the nearest name if the
    ///   model has no entity with that name.
    /// - Complexity: O(*n*) in the number of the entity's properties.
    public func dynamicEntity(_ name: String) throws -> DynamicEntity {
        guard let entity = self[name] else {
            throw PersistenceError(
                .invalidRequest,
                "the model has no entity “\(name)”\(NearestName.suggestion(for: name, among: entities.map(\.name)))")
        }
        return DynamicEntity(entity, in: self)
    }
}

/// A row collector that creates no objects, because the context creates them.
private struct NoCollector: RowCollector {}

extension RecordEntity where Record == DynamicRecord {
    /// Creates an entity for records without a Swift type from its description in a model.
    init(_ description: EntityDescription, in model: ManagedObjectModel) {
        let position = description.positionColumn.flatMap { description.columns[$0].attribute }
        let stored =
            description.properties.filter { description.columnIndex($0.name) != nil }
            + (position.map { [.attribute($0)] } ?? [])
        let properties = stored.enumerated().map { index, property in
            RecordProperty<DynamicRecord>(
                property, encode: PropertyEncoder(of: DynamicRecord.self) { try $0.storable(at: index) },
                assign: { record, value in
                    record.write(fitting: try description.columns[index].fitting(value), column: index)
                })
        }
        self.init(
            id: \.id, rawID: nil, properties, rules: .model,
            reading: .byEntity { try DynamicRecord(reading: $0, of: $1) }, collector: NoCollector(),
            order: ReadingOrder(certain: description, properties), model: model)
    }
}

extension DynamicRecord {
    /// Creates a record from a row.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/unreadable`` or
    ///   ``PersistenceError/Code/corrupt``. The error names the object. If a value is the reason, the error also names
    ///   the attribute.
    fileprivate init(reading row: RowReader, of entity: DynamicEntity) throws {
        let forms = entity.description.forms
        do {
            var values: [StoredValue] = []
            values.reserveCapacity(forms.count)
            for index in forms.indices {
                let value = try row.value(at: index)
                if forms[index].holds(value) {
                    values.append(value)
                    continue
                }
                do { values.append(try entity.description.columns[index].fitting(value)) } catch {
                    throw UnreadableColumn(index: index, underlying: error)
                }
            }
            self.init(id: try row.id(), of: entity, fitting: values)
        } catch {
            throw PersistenceError.unreadable(error, id: row.rawID, of: entity.description)
        }
    }
}
