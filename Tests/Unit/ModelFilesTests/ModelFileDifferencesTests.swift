import StrataCore
import StrataModelFiles
import Testing

/// Textual differences between two models.
@Suite("Model differences")
struct ModelFileDifferencesTests {
    private func model(_ attributes: [AttributeDescription], external: ExternalForm = ExternalForm()) throws
        -> ManagedObjectModel
    {
        try ManagedObjectModel([
            EntityDescription("A", attributes.map { .attribute($0) }, external: external)
        ])
    }

    @Test("an attribute that declares its earlier name is reported as renamed, and other changes are reported")
    func renamed() throws {
        let old = try model([AttributeDescription("mail", .string), AttributeDescription("age", .integer16)])
        let new = try model([
            AttributeDescription("email", .string, isOptional: true, renamedFrom: ["eMail", "mail"]),
            AttributeDescription("age", .integer16),
        ])
        let found = ModelFile.differences(from: old, to: new)
        #expect(found.first == "A.mail has the name email in the new model")
        #expect(found.count == 3, "\(found)")
        #expect(found.dropFirst().allSatisfy { $0.hasPrefix("A.email ") }, "\(found)")
        // Without an earlier name, the attribute counts as removed and added.
        let stranger = try model([
            AttributeDescription("email", .string, isOptional: true), AttributeDescription("age", .integer16),
        ])
        #expect(!ModelFile.differences(from: old, to: stranger).contains { $0.hasPrefix("A.mail has the name") })
    }

    @Test("an earlier name is ignored if both models contain an attribute of this name")
    func taken() throws {
        let old = try model([AttributeDescription("a", .string), AttributeDescription("b", .string)])
        let new = try model([
            AttributeDescription("a", .string), AttributeDescription("b", .string, renamedFrom: ["a"]),
        ])
        #expect(ModelFile.differences(from: old, to: new) == [])
    }

    @Test("changed titles, formats and column orders are reported")
    func external() throws {
        var first = AttributeDescription("a", .decimal(scale: 2), title: "Price")
        first.spelling = ExternalSpelling(missingValues: ["-"], decimal: ",")
        let second = AttributeDescription("a", .decimal(scale: 2), title: "The price")
        let day = AttributeDescription("d", .day)
        var german = day
        german.spelling.dateFormat = "%d.%m.%Y"
        let found = ModelFile.differences(
            from: try model([first, day]),
            to: try model([second, german], external: ExternalForm(columns: ["d", "a", "id"], title: "Things")))
        #expect(
            found == [
                "A: title is not specified in the old model, \"Things\" in the new one",
                "A.a: title is \"Price\" in the old model, \"The price\" in the new one",
                "A.a: missingValues is [\"-\"] in the old model, not specified in the new one",
                "A.a: decimalChar is \",\" in the old model, not specified in the new one",
                "A.d: format is not specified in the old model, “%d.%m.%Y” in the new one",
                "A has its columns in another order in files of the new model",
            ])
    }

    @Test("changed keys of references and changed lists in files are reported")
    func keys() throws {
        func model(key: ExternalKey?, link: ExternalLink?) throws -> ManagedObjectModel {
            try ManagedObjectModel([
                EntityDescription(
                    "A",
                    [
                        .attribute(AttributeDescription("code", .string, isUnique: true)),
                        .relationship(RelationshipDescription("a", to: "A", .toOne, externalKey: key)),
                        .relationship(
                            RelationshipDescription("all", to: "A", .toMany, inverse: "back", externalLink: link)),
                        .relationship(RelationshipDescription("back", to: "A", .toMany, inverse: "all")),
                    ])
            ])
        }
        let found = ModelFile.differences(
            from: try model(key: nil, link: nil),
            to: try model(
                key: ExternalKey("code", column: "a code"), link: .list(ExternalList(column: "all", property: "code"))))
        #expect(found.contains("A.a is “a” in files of the old model, “a code” with code of A in those of the new one"))
        #expect(found.contains { $0.contains("a list in “all” of code") }, "\(found)")
    }
}
