import StrataCore

extension EntityWriter {
    /// Writes the conformance of the record type to `FixtureRecord`.
    func writeFixtures(_ file: inout SwiftFile) {
        file.needs("StrataFixtures", isExposed: true)
        // The conformance of identifiers of the domain is there.
        if options.layers == .two { file.needs("StrataReferenceFixtures", isExposed: false) }
        file.text.block("extension \(recordType): \(library("FixtureRecord"))") { text in
            text.comment("The entity with generators of realistic values.")
            text.block("\(access)static var fixtureEntity: \(library("FixtureEntity"))") { text in
                text.add("get throws { try \(types.model).fixtureEntity(\(SwiftLiteral.text(entity.name))) }")
            }
            text.add()
            text.comment("Creates a record from a generated row.")
            text.function("\(access)init", ["fixture row: \(library("FixtureRow"))"], "throws") { text in
                let values =
                    [SwiftExpression.labeled("id", "row.identifier()")]
                    + passed { "row[\(SwiftLiteral.text($0.name))]" }
                text.add(.call("try self.init", values))
            }
        }
        for attribute in entity.attributes {
            guard let enumeration = names.enumerations[attribute.name] else { continue }
            file.text.add()
            file.text.add("extension \(recordType).\(enumeration.type): \(library("FixtureConvertible")) {}")
        }
    }
}
