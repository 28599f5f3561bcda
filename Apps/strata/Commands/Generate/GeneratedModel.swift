import Foundation
import StrataFixtureDatasets
import StrataFixtures
import StrataInterchange
import StrataPersistence
import StrataReferenceFixtures

/// The model for which rows are generated, and the description of its entities for the generator.
struct GeneratedModel {
    /// The model.
    let model: ManagedObjectModel
    /// The entities that a description may name.
    let schema: [FixtureEntity]
    /// A Boolean value that indicates whether the schema is that of the reference model, which is written by hand and
    /// not derived from ``model``.
    let isReference: Bool
    /// The value of `--model`; `nil` if the model is that of an existing store.
    let name: String?

    /// Finds the model: the one that the arguments name, the one in their store, or the one in the manifest that is
    /// checked.
    ///
    /// - Throws: ``UsageError`` if there is no such model, ``FixtureError`` if values of an attribute cannot be
    ///   generated, or the errors of reading the model.
    init(_ arguments: ParsedArguments) throws {
        name = try arguments.value("model") ?? Self.manifestModel(arguments)
        if arguments.value("model") == nil, name != nil {
            model = try Models.reference()
        } else {
            model = try Self.model(arguments)
        }
        let isFile = try arguments.value("model").map { try Models.isFile($0) } ?? false
        isReference = try !isFile && model.json() == Models.reference().json()
        schema =
            try isReference
            ? ReferenceEntities.all(version: FixtureDescription.newestVersion) : FixtureEntity.all(of: model)
    }

    private static func model(_ arguments: ParsedArguments) throws -> ManagedObjectModel {
        guard try arguments.value("model") != nil || Models.hasStore(arguments) else {
            throw arguments.usageError(
                "generate requires a model; name a model file, a data package or its directory, a store, or reference "
                    + "with --model MODEL")
        }
        return try Models.opened(arguments).model
    }

    /// Returns `reference` if the directory to be checked was generated from the reference model.
    ///
    /// The manifest contains the hash of each entity from which it was generated.
    private static func manifestModel(_ arguments: ParsedArguments) throws -> String? {
        guard let directory = arguments.value("check") else { return nil }
        let path = "\(directory.withoutTrailingSlashes)/\(DatasetManifest.fileName)"
        let manifest = try DatasetManifest(json: Data(try ByteInput.contents(of: path)), source: path)
        let hashes = try Models.reference().entityHashes()
        let isReference = manifest.datasets.allSatisfy { hashes[$0.entity] == $0.modelHash }
        return isReference && !manifest.datasets.isEmpty ? "reference" : nil
    }
}
