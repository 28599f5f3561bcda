import PersistenceTestSupport
import StrataModelFiles
import StrataPersistence
import StrataTestSupport
import StrataTesting
import Testing

/// The contract with a model that was read from a file, with random external names for everything that may have one.
@Suite("Store contract with a model from a file")
struct FileModelContractTests {
    /// A random seed for each run, which the names of the tests contain.
    private static let seed = UInt64.random(in: 1...UInt64(UInt32.max))

    @Test(
        "every store fulfills every contract rule with a model file with random names",
        arguments: Seeds.first(1, of: StoreKind.everyKind.shuffled()), [seed])
    func obeys(_ kind: StoreKind, seed: UInt64) throws {
        let declared = try StoreContract.model()
        var names = RandomExternals(seed: seed)
        let written = ModelFile.text(of: try names.renamed(declared))
        let model = try ModelFile(json: Array(written.utf8)).model
        // The parts of the model that stores depend on are unchanged.
        try #require(try model.json() == declared.json(), "seed \(seed)")
        for check in StoreContract.checks.shuffled().prefix(Seeds.count(50, all: StoreContract.checks.count)) {
            let folder = try TemporaryFolder()
            for violation in try check.violations({ _ in try kind.open(model, in: folder) }) {
                Issue.record("seed \(seed): \(violation)")
            }
        }
    }
}

/// Random external names.
private struct RandomExternals {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func renamed(_ model: ManagedObjectModel) throws -> ManagedObjectModel {
        var number = 0
        func name(_ random: inout SeededGenerator) -> String? {
            number += 1
            let names = ["full name \(number)", "Straße/\(number)", "\"\(number)\"", "日本\(number)", "\n\(number)"]
            return Bool.random(using: &random) ? names.randomElement(using: &random) : nil
        }
        let entities = model.entities.map { entity in
            let properties = entity.properties.map { property -> EntityDescription.Property in
                switch property {
                case .attribute(var attribute):
                    attribute.externalName = name(&random)
                    attribute.title = name(&random)
                    if case .boolean = attribute.type {
                        (attribute.spelling.trueWords, attribute.spelling.falseWords) = (["ja"], ["nein"])
                    }
                    return .attribute(attribute)
                case .relationship(var relationship):
                    if relationship.cardinality == .toOne, relationship.ownsForeignKey {
                        relationship.externalName = name(&random)
                    }
                    return .relationship(relationship)
                }
            }
            let form = ExternalForm(
                name: name(&random), identifiers: .column(name(&random) ?? "id"), title: name(&random))
            return EntityDescription(
                entity.name, properties, uniquenessConstraints: entity.uniquenessConstraints, indexes: entity.indexes,
                external: form)
        }
        return try ManagedObjectModel(entities)
    }
}
