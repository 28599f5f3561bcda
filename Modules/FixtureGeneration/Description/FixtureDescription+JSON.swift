import Foundation
package import StrataCore

extension FixtureDescription {
    /// Creates a description from JSON, in which missing members have default values.
    ///
    /// Only the entities that the description names are generated.
    ///
    /// If `entities` is missing, all entities of the schema are generated. Unknown keys and repeated keys are errors,
    /// so that a misspelled key is not ignored:
    ///
    /// ```json
    /// { "seed": 7, "entities": { "Invoice": { "count": 200 } } }
    /// ```
    ///
    /// The initializer checks the text: keys, types, and ranges of single values. Creating ``Fixtures`` checks whether
    /// the values can be satisfied together.
    ///
    /// - Parameters:
    ///   - json: The bytes of the description's file, at most 2^31.
    ///   - source: The name of the description's file, for error messages.
    ///   - schema: The entities that the description can name.
    /// - Throws: ``FixtureError`` with line and column. The code is `malformed` for invalid JSON, `unknown` for unknown
    ///   keys and entities, and `invalidDescription` for a value that its key does not allow.
    public init(json: [UInt8], source: String, schema: [FixtureEntity]) throws(FixtureError) {
        do {
            try self.init(try JSONValue.read(json), schema: schema)
        } catch {
            var located = error
            located.source = source
            throw located
        }
    }

    /// The keys of the JSON object of a description.
    private static let keys = ["datasetVersion", "seed", "referenceDate", "locales", "hostile", "entities"]

    /// Creates a description from a JSON value.
    ///
    /// - Throws: ``FixtureError`` if the JSON value is not a valid description.
    package init(_ value: JSONValue, schema: [FixtureEntity]) throws(FixtureError) {
        let object = try DescriptionObject(value, Self.keys)
        let version = try object.integer("datasetVersion", in: 1...Int.max) ?? 1
        guard version <= Self.newestVersion else {
            throw object.error(
                at: "datasetVersion", code: .unknown,
                "dataset version \(version) does not exist; this program supports versions up to \(Self.newestVersion)")
        }
        try self.init(
            seed: try object.integer("seed", in: 0...UInt64.max) ?? Self.standardSeed, version: version, schema: schema)
        referenceDate = try object.instant("referenceDate") ?? referenceDate
        hostile = try object.share("hostile") ?? hostile
        if let value = object["locales"] { locales = try Self.locales(value) }
        guard let value = object["entities"] else { return }
        let named = try DescriptionObject(value, self.schema.map(\.name))
        var made: [String: EntityFixtures] = [:]
        for entity in self.schema {
            guard let value = named[entity.name] else { continue }
            made[entity.name] = try EntityFixtures(value, entity)
            places.note(entity, value)
        }
        entities = made
        // The dependencies can be checked only after all entities are read.
        for entity in self.schema { try checkDependencies(of: entity, in: named) }
    }

    private static func locales(_ value: JSONValue) throws(FixtureError) -> [String: Int] {
        let object = try DescriptionObject(value, NameLists.all.map(\.code))
        var locales: [String: Int] = [:]
        for list in NameLists.all {
            if let weight = try object.integer(list.code, in: 0...1_000_000) { locales[list.code] = weight }
        }
        guard locales.values.contains(where: { $0 > 0 }) else {
            throw value.error("\"locales\" must contain a locale with a weight above 0")
        }
        return locales
    }

    private func checkDependencies(
        of entity: FixtureEntity, in named: DescriptionObject
    ) throws(FixtureError) {
        guard let attributes = named[entity.name]?["attributes"] else { return }
        for field in entity.fields {
            guard let stated = attributes[field.name]?["dependsOn"] else { continue }
            let expected = dependencies(of: field, in: entity.name)
            guard case .array(let elements) = stated.content,
                elements.map({ if case .string(let text) = $0.content { text } else { "" } }) == expected
            else {
                throw stated.error(
                    entity: entity.name, attribute: field.name,
                    expected.isEmpty
                        ? "\"dependsOn\" must be omitted: the values depend only on the seed, version and index"
                        : "\"dependsOn\" must be [\(expected.map { "\"\($0)\"" }.joined(separator: ", "))], "
                            + "which is what the values depend on besides seed, version and index")
            }
        }
    }

    /// Returns the row counts on which a field's values depend, in addition to seed, version, entity and index.
    ///
    /// The values of most fields depend on no row counts.
    ///
    /// The names have the form `Boss.count`. A description contains them under `dependsOn`, for readers; a different
    /// list in a file is an error.
    func dependencies(of field: FixtureField, in entity: String) -> [String] {
        guard case .reference(let target) = field.type,
            case .reference(_, let perTarget) = entities[entity]?.attributes[field.name]?.generator ?? field.generator
        else { return [] }
        return perTarget == nil || target == entity ? ["\(target).count"] : ["\(target).count", "\(entity).count"]
    }

    // MARK: - Writing

    /// The complete description as indented JSON; equal descriptions have the same JSON.
    ///
    /// All values are written, including defaults, so that a later change of a default does not affect the text.
    /// Reading the text with the same schema returns a description of the same rows.
    public var json: String { value.json }

    /// The description as a JSON value.
    package var value: JSONValue {
        .object([
            ("datasetVersion", .number(datasetVersion)),
            ("seed", .number(seed)),
            ("referenceDate", .init(.string("\(referenceDate)"))),
            ("locales", .object(locales.sorted { $0.key < $1.key }.map { ($0.key, .number($0.value)) })),
            ("hostile", .number(hostile.decimal)),
            (
                "entities",
                .object(
                    schema.compactMap { entity in
                        entities[entity.name].map { (entity.name, value(of: $0, entity)) }
                    })
            ),
        ])
    }

    private func value(of fixtures: EntityFixtures, _ entity: FixtureEntity) -> JSONValue {
        var attributes: [(String, JSONValue)] = []
        for field in entity.fields {
            guard let attribute = fixtures.attributes[field.name] else { continue }
            // A value of zero or false is written only if the default differs from it.
            var members = [(attribute.generator.key, attribute.generator.parameters(usual: field.generator))]
            if attribute.nulls != .none || field.nulls != .none {
                members.append(("nulls", .number(attribute.nulls.decimal)))
            }
            if attribute.isUnique || field.isUnique {
                members.append(("unique", .init(.boolean(attribute.isUnique || field.mustBeUnique))))
            }
            let dependencies = dependencies(of: field, in: entity.name)
            if !dependencies.isEmpty {
                members.append(("dependsOn", .init(.array(dependencies.map { .init(.string($0)) }))))
            }
            attributes.append((field.name, .object(members)))
        }
        var members = [("count", JSONValue.number(fixtures.count)), ("attributes", .object(attributes))]
        let links = entity.links.compactMap { link in
            fixtures.links[link.name].map { (link.name, JSONValue.number($0)) }
        }
        if !links.isEmpty { members.append(("links", .object(links))) }
        if !fixtures.fixed.isEmpty {
            let rows = fixtures.fixed.map { row in
                JSONValue.object(
                    entity.fields.compactMap { field in row[field.name].map { (field.name, $0.value) } })
            }
            members.append(("fixed", .init(.array(rows))))
        }
        return .object(members)
    }
}
