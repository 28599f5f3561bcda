import Foundation
package import StrataCore

extension MigrationPreview {
    /// Returns a copy of the preview in which properties have the names of their columns in files.
    ///
    /// - Parameter mapping: The mapping that the preview describes.
    /// - Returns: The copy.
    package func withFileNames(_ mapping: ModelMapping) -> MigrationPreview {
        MigrationPreview(
            steps: steps.map { $0.withFileNames(mapping) }, rowCount: rowCount,
            drops: drops.map { drop in
                MigrationDrop(
                    entity: drop.entity,
                    attribute: drop.attribute.map { mapping.source.fileNames(of: $0, in: drop.entity) },
                    count: drop.count)
            },
            violations: violations.map { violation in
                var violation = violation
                violation.attribute = mapping.destination.fileNames(of: violation.attribute, in: violation.entity)
                return violation
            }, obstacles: obstacles, hints: hints)
    }
}

extension MigrationStep {
    fileprivate func withFileNames(_ mapping: ModelMapping) -> MigrationStep {
        guard let attribute else { return self }
        let earlier = mapping.entity(named: entity)?.source?.name ?? entity
        func later(_ name: String) -> String { mapping.destination.fileNames(of: name, in: entity) }
        func before(_ name: String) -> String { mapping.source.fileNames(of: name, in: earlier) }
        return switch kind {
        case .remove: MigrationStep(kind, entity, attribute: before(attribute), to: to, isPhysical: isPhysical)
        case .rename:
            MigrationStep(kind, entity, attribute: before(attribute), to: to.map(later), isPhysical: isPhysical)
        default: MigrationStep(kind, entity, attribute: later(attribute), to: to, isPhysical: isPhysical)
        }
    }
}

extension ManagedObjectModel {
    /// Returns the name of the column that a property has in files.
    ///
    /// If the property has no column or several columns, the result is the property's name in the model.
    ///
    /// - Parameters:
    ///   - properties: The name of a property, or several names separated by commas.
    ///   - entity: The name of the entity.
    /// - Returns: The name, or the names separated by commas.
    package func fileNames(of properties: String, in entity: String) -> String {
        guard let description = self[entity] else { return properties }
        let columns = externalColumns(of: description)
        return properties.components(separatedBy: PersistenceError.attributeSeparator).map { property in
            let places = columns.filter { column in
                switch column.content {
                case .column(let place), .key(let place, _): description.columns[place].name == property
                case .identifier, .list: false
                }
            }
            return places.count == 1 ? places[0].name : property
        }.joined(separator: PersistenceError.attributeSeparator)
    }
}
