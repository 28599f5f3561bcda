import Foundation
import StrataCore

extension EntityFixtures {
    /// Reads the rules of an entity from a description; missing members have their default values.
    init(_ value: JSONValue, _ entity: FixtureEntity) throws(FixtureError) {
        self.init(entity)
        let object = try DescriptionObject(
            value, ["count", "attributes", "fixed"] + (entity.links.isEmpty ? [] : ["links"]), entity: entity.name)
        count = try object.integer("count", in: Self.counts) ?? count
        if let value = object["attributes"] {
            let named = try DescriptionObject(value, entity.fields.map(\.name), entity: entity.name)
            for field in entity.fields {
                guard let value = named[field.name] else { continue }
                attributes[field.name] = try AttributeFixtures(value, field, of: entity.name)
            }
        }
        if let value = object["links"] {
            let named = try DescriptionObject(value, entity.links.map(\.name), entity: entity.name)
            for link in entity.links {
                if let count = try named.integer(link.name, in: 0...Self.counts.upperBound) { links[link.name] = count }
            }
        }
        guard let value = object["fixed"] else { return }
        guard case .array(let rows) = value.content else {
            throw value.error(entity: entity.name, "\"fixed\" must be a list of rows")
        }
        for row in rows {
            let object = try DescriptionObject(row, entity.fields.map(\.name), entity: entity.name)
            var values: [String: FixtureValue] = [:]
            for field in entity.fields {
                guard let value = object[field.name] else { continue }
                values[field.name] = try FixtureValue(value, field, of: entity.name)
            }
            fixed.append(values)
        }
    }
}

extension AttributeFixtures {
    /// Reads the rules of an attribute from a description; missing members have their default values.
    init(_ value: JSONValue, _ field: FixtureField, of entity: String) throws(FixtureError) {
        self.init(field)
        let object = try DescriptionObject(
            value, FixtureGenerator.keys + ["nulls", "unique", "dependsOn"], entity: entity, attribute: field.name)
        let keys = FixtureGenerator.keys.filter { object[$0] != nil }
        if let second = keys.dropFirst().first {
            throw object.error(at: second, "\"\(keys[0])\" and \"\(second)\" cannot be combined")
        }
        if let key = keys.first {
            generator = try FixtureGenerator(key, attribute: object, name: (entity, field.name), usual: generator)
            guard field.type.takes(generator) else {
                throw object.error(at: key, "\(generator.mention) cannot generate \(field.type.indefinite)")
            }
        }
        nulls = try object.share("nulls") ?? nulls
        guard nulls == .none || field.isOptional else {
            throw object.error(at: "nulls", "the attribute is mandatory in the model")
        }
        if case .reference = field.type, nulls != .none {
            throw object.error(
                at: "nulls", "use \"without\" in \"reference\" for the share of rows without a reference")
        }
        isUnique = try object.boolean("unique") ?? isUnique
        guard isUnique || !field.mustBeUnique else {
            throw object.error(at: "unique", "the attribute is unique in the model")
        }
    }
}

extension FixtureValue {
    /// Reads the value of a field in a fixed row from JSON.
    init(_ value: JSONValue, _ field: FixtureField, of entity: String) throws(FixtureError) {
        let read: FixtureValue?
        switch (field.type, value.content) {
        case (_, .null): read = field.isOptional ? .null : nil
        case (.text, .string(let text)): read = .text(text)
        case (.color, .string(let text)): read = .text(text)
        case (.integer, .number(let digits)), (.reference, .number(let digits)):
            read = Int64(digits).map(FixtureValue.integer)
        case (.decimal, .number(let digits)): read = Decimal(exactly: digits).map(FixtureValue.decimal)
        case (.double, .number(let digits)): read = Double(digits).map(FixtureValue.double)
        case (.binary, .string(let text)): read = Data(base64Encoded: text).map(FixtureValue.binary)
        case (.boolean, .boolean(let boolean)): read = .boolean(boolean)
        case (.uuid, .string(let text)): read = UUID(uuidString: text).map(FixtureValue.uuid)
        case (_, .string(let text)): read = FixtureValue(text, instant: field.type)
        default: read = nil
        }
        guard let read else {
            throw value.error(entity: entity, attribute: field.name, "the value must be \(field.type.indefinite)")
        }
        do {
            _ = try FixedCell(read, field)
        } catch {
            throw value.error(entity: entity, attribute: field.name, error.message)
        }
        self = read
    }

    /// The value as JSON for a description.
    var value: JSONValue {
        switch self {
        case .null: .init(.null)
        case .text(let text): .init(.string(text))
        case .integer(let number): .number(number)
        case .decimal(let number): .number(number)
        case .double(let number): .number(number)
        case .binary(let data): .string(data.base64EncodedString())
        case .boolean(let value): .init(.boolean(value))
        case .uuid(let uuid): .init(.string(uuid.uuidString))
        default: .init(.string(instantText))
        }
    }
}
