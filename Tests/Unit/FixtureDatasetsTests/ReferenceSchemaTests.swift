import StrataFixtures
import StrataPersistence
import StrataReferenceFixtures
import StrataRepositories
import Testing

@Suite("Fixture schema of the reference entities")
struct ReferenceSchemaTests {
    @Test("the fixture schema agrees with the model in entities, columns, types, nulls, uniqueness and bounds")
    func agrees() throws {
        let model = try ReferenceModel.model()
        let schema = try ReferenceEntities.all(version: FixtureDescription.newestVersion)
        #expect(schema.map(\.name) == model.entities.map(\.name))
        for (entity, described) in zip(schema, model.entities) {
            #expect(entity.fields.map(\.name) == described.columns.map(\.name))
            for (field, column) in zip(entity.fields, described.columns) {
                let place = "\(entity.name).\(field.name)"
                #expect(field.isOptional == column.isOptional, "\(place)")
                guard let attribute = column.attribute else {
                    #expect(field.type == .reference(to: column.destination ?? ""), "\(place)")
                    continue
                }
                #expect(field.mustBeUnique == attribute.isUnique, "\(place)")
                let least = attribute.rules.compactMap { rule -> Int64? in
                    if case .minimum(.integer(let least)) = rule { least } else { nil }
                }
                #expect(least.first == field.least.flatMap { Int64("\($0)") }, "\(place)")
                #expect(Self.type(field.type) == attribute.type, "\(place)")
            }
        }
    }

    private static func type(_ type: FixtureField.ValueType) -> AttributeType? {
        switch type {
        case .text, .color: .string
        case .integer: .integer64
        case .decimal(let scale): .decimal(scale: UInt8(scale))
        case .double: .double
        case .binary: .binary
        case .boolean: .boolean
        case .date: .date
        case .day: .day
        case .timeOfDay: .timeOfDay
        case .uuid: .uuid
        case .reference: nil
        }
    }
}
