public import StrataCore

extension ModelFile {
    /// Returns the differences between two models, one sentence per difference; empty if there are none.
    ///
    /// ```swift
    /// let found = ModelFile.differences(from: old, to: new)
    /// ```
    ///
    /// Use the sentences for people, for example in a review of a changed model. For the steps that a migration of a
    /// store performs, use `ModelMapping` instead, because many of these differences need no migration.
    ///
    /// The comparison includes everything that a model file contains, also names in files and texts for people. Earlier
    /// names are not compared, but connect attributes: if an attribute of the new model has an earlier name that only
    /// the old model contains, both are the same attribute. Its new name is then one difference, and its other changes
    /// are further differences. An entity with another name counts as removed and added, even if it has an earlier
    /// name.
    ///
    /// - Parameters:
    ///   - old: The earlier model.
    ///   - new: The later model.
    /// - Returns: The sentences, each of which describes one difference, without a final period.
    /// - Complexity: O(*n*) in the count of properties of both models.
    public static func differences(from old: ManagedObjectModel, to new: ManagedObjectModel) -> [String] {
        let (old, renamed) = Renaming(of: old, to: new).result
        var found = renamed + new.differences(from: old)
        for entity in new.entities {
            guard let earlier = old[entity.name] else { continue }
            ExternalDifferences(old: (earlier, old), new: (entity, new)).add(to: &found)
        }
        return found
    }
}

/// The differences between two versions of an entity in its names in files, its properties' names in files, and the
/// formats of values.
///
/// Only properties with the same name in both versions are compared here.
private struct ExternalDifferences {
    let old: (entity: EntityDescription, model: ManagedObjectModel)
    let new: (entity: EntityDescription, model: ManagedObjectModel)

    func add(to found: inout [String]) {
        let (earlier, entity) = (old.entity, new.entity)
        func compare(_ subject: String, _ first: String, _ second: String) {
            guard first != second else { return }
            found.append("\(subject) \(first) in files of the old model, \(second) in those of the new one")
        }
        compare("\(entity.name) is", "“\(earlier.datasetName)”", "“\(entity.datasetName)”")
        compare("\(entity.name) has", Self.words(earlier.external), Self.words(entity.external))
        for column in entity.columns {
            guard let index = earlier.columnIndex(column.name) else { continue }
            let before = earlier.columns[index]
            compare("\(entity.name).\(column.name) is", Self.reference(before), Self.reference(column))
        }
        for relationship in entity.relationships {
            guard let before = earlier.relationships.first(where: { $0.name == relationship.name }) else { continue }
            compare(
                "\(entity.name).\(relationship.name) is", Self.link(before.externalLink),
                Self.link(relationship.externalLink))
        }
        let (first, second) = (DescriptorParts(earlier, in: old.model), DescriptorParts(entity, in: new.model))
        found += second.differences(from: first)
    }

    private static func words(_ form: ExternalForm) -> String {
        form.idColumn.map { "identifiers in “\($0)”" } ?? "no identifiers"
    }

    private static func reference(_ column: ColumnDescription) -> String {
        guard let key = column.externalKey else { return "“\(column.externalName)”" }
        return "\(quoted(key.columns)) with \(key.properties.joined(separator: ", ")) of \(column.destination ?? "")"
    }

    private static func link(_ link: ExternalLink?) -> String {
        switch link {
        case nil: "in a table with its name, or at its other side,"
        case .list(let list):
            "a list in “\(list.column)” of \(list.property ?? "identifiers"), with “\(list.separator)” between two,"
        case .table(let table):
            "a table “\(table.name)” with \(quoted(table.columns)) of "
                + (table.owner.properties + table.destination.properties).joined(separator: ", ")
        }
    }

    private static func quoted(_ names: [String]) -> String {
        names.map { "“\($0)”" }.joined(separator: ", ")
    }
}

/// The parts of an entity's descriptor that do not affect how a store contains the entity's rows.
///
/// The parts are compared in the form in which the file contains them. Therefore a difference has the same words as the
/// file.
private struct DescriptorParts {
    /// The names of the members with texts for people, and of those with the formats of values.
    private static let members = [
        "title", "description", "missingValues", "decimalChar", "groupChar", "trueValues", "falseValues",
        "strata:fewestDigits", "strata:format",
    ]

    private let name: String
    private let parts: [(subject: String, member: String, value: String)]
    private let order: [String]

    init(_ entity: EntityDescription, in model: ManagedObjectModel) {
        name = entity.name
        order = model.externalColumns(of: entity).map(\.name)
        var parts: [(subject: String, member: String, value: String)] = []
        func add(_ subject: String, _ json: JSONValue) {
            for member in Self.members {
                let value = json[member].map { JSONTreeWriter.line($0, .modelFile) } ?? "not specified"
                parts.append((subject, member, value))
            }
        }
        var form = ObjectBuilder()
        form.add("title", entity.external.title)
        form.add("description", entity.external.explanation)
        form.add("missingValues", entity.external.missingValues)
        add(entity.name, form.value)
        for attribute in entity.attributes {
            let subject = "\(entity.name).\(attribute.name)"
            add(subject, FieldWriter().field(attribute))
            parts.append((subject, "format", attribute.spelling.dateFormat.map { "“\($0)”" } ?? "not specified"))
        }
        self.parts = parts
    }

    func differences(from old: DescriptorParts) -> [String] {
        let earlier = Dictionary(
            old.parts.map { ("\($0.subject) \($0.member)", $0.value) }, uniquingKeysWith: { first, _ in first })
        var found: [String] = []
        for part in parts {
            guard let before = earlier["\(part.subject) \(part.member)"], before != part.value else { continue }
            found.append(
                "\(part.subject): \(part.member) is \(before) in the old model, \(part.value) in the new one")
        }
        // Other differences already report columns that only one model contains, and renamed columns.
        if order != old.order, order.sorted() == old.order.sorted() {
            found.append("\(name) has its columns in another order in files of the new model")
        }
        return found
    }
}

extension EntityDescription {
    fileprivate var datasetName: String { external.name ?? name }
}
