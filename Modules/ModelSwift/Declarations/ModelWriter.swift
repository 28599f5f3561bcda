import StrataCore

/// A writer of the declarations that belong to the whole model.
struct ModelWriter {
    let types: ModelTypes
    let options: SwiftModelOptions
    /// The digest of the model.
    let digest: String

    private var access: String { options.access == .internal ? "" : "\(options.access.rawValue) " }

    /// The files: the model, and the error of doubles.
    var files: [SwiftFile] {
        let isOneLayer = options.layers == .one
        var model = SwiftFile(folder: isOneLayer ? "" : SwiftFile.persistence, types.model)
        if !isOneLayer { model.needs(options.domainModule, isExposed: false) }
        writeModel(&model)
        guard options.parts.contains(.doubles) else { return [model] }
        var error = SwiftFile(folder: isOneLayer ? "" : SwiftFile.domain, types.unexpectedCall)
        writeError(&error.text)
        return [error, model]
    }

    private func writeModel(_ file: inout SwiftFile) {
        file.needs("StrataPersistence", isExposed: true)
        file.text.comment("The model of the record types.")
        file.text.block("\(access)enum \(types.model)") { text in
            text.comment("The digest of the model from which the code was generated.")
            text.add("\(access)static let digest = \(SwiftLiteral.text(digest))")
            text.add()
            text.comment(
                "Returns the model of all record types.\n\n- Returns: The model.\n"
                    + "- Throws: `PersistenceError` if generated code was changed.")
            let result = "throws -> \(types.type("ManagedObjectModel"))"
            text.function("\(access)static func model", [], result) { text in
                let module = options.layers == .one ? "" : "\(options.domainModule)."
                let records = types.entities.map { SwiftExpression.text("\(module)\($0.names.type).self") }
                text.add(
                    .call("try \(types.type("ManagedObjectModel"))", [.labeled("records", .array(records))]))
            }
        }
        guard options.parts.contains(.fixtures) else { return }
        writeFixtures(&file)
    }

    private func writeFixtures(_ file: inout SwiftFile) {
        file.needs("StrataFixtures", isExposed: true)
        file.text.add()
        file.text.block("extension \(types.model)") { text in
            let entity = types.type("FixtureEntity")
            text.add("private static let fixtureEntities = \(types.type("Result")) {")
            text.nested { $0.add("try \(entity).all(of: model())") }
            text.add("}")
            text.add()
            text.comment(
                "Returns an entity with generators of realistic values.\n\n"
                    + "- Parameter name: The name of an entity.\n- Returns: The entity.\n"
                    + "- Throws: `FixtureError` if no valid value was found for an attribute.")
            text.function(
                "static func fixtureEntity", ["_ name: \(types.type("String"))"], "throws -> \(entity)"
            ) { text in
                text.block("guard let entity = try fixtureEntities.get().first(where: { $0.name == name }) else") {
                    let message = SwiftLiteral.text("the model has no entity ").dropLast() + "\\(name)\""
                    $0.add("throw \(types.type("PersistenceError"))(.invalidModel, \(message))")
                }
                text.add("return entity")
            }
            text.add()
            text.comment(
                "Returns generated rows of all entities; the same seed returns the same rows.\n\n"
                    + "- Parameters:\n  - counts: The numbers of rows by the names of entities; the default is 100.\n"
                    + "  - seed: The seed.\n- Returns: The generator of the rows.\n"
                    + "- Throws: `FixtureError` if no valid value was found for an attribute.")
            let parameters = [
                "counts: [\(types.type("String")): \(types.type("Int"))] = [:]", "seed: \(types.type("UInt64")) = 1",
            ]
            text.function("\(access)static func fixtures", parameters, "throws -> \(types.type("Fixtures"))") { text in
                let description = "\(types.type("FixtureDescription"))(model: model(), counts: counts, seed: seed)"
                text.add("try \(types.type("Fixtures"))(\(description))")
            }
        }
    }

    private func writeError(_ text: inout SwiftText) {
        let (error, string) = (types.type("Error"), types.type("String"))
        text.comment("An error of a double whose closure was not set.")
        let conformances = "\(error), \(types.type("CustomStringConvertible"))"
        text.block("\(access)struct \(types.unexpectedCall): \(conformances)") { text in
            text.comment("The name of the method.")
            text.add("\(access)let method: \(string)")
            text.add()
            text.comment("Creates an error with the name of a method.")
            text.function("\(access)init", ["_ method: \(string)"]) { $0.add("self.method = method") }
            text.add()
            text.comment("A message with the name of the method.")
            text.add("\(access)var description: \(string) { \"\\(method) was called, but its closure is not set\" }")
        }
    }
}
