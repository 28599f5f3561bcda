import PersistenceTestSupport
import StrataModelFiles
import StrataPersistence
import StrataTestSupport
import StrataTesting
import Testing

/// The contract, where the model was not declared but read from a file, in which everything that files may call otherwise has a name that was drawn.
@Suite("Store contract with a model from a file")
struct FileModelContractTests {
    /// Another one each run: it stands in the names of the tests.
    private static let seed = UInt64.random(in: 1...UInt64(UInt32.max))

    @Test(
        "every store obeys every rule with the model of a file, drawn by a seed",
        arguments: Seeds.first(1, of: StoreKind.everyKind.shuffled()), [seed])
    func obeys(_ kind: StoreKind, seed: UInt64) throws {
        let declared = try StoreContract.model()
        var names = RandomExternals(seed: seed)
        let written = ModelFile.text(of: try names.renamed(declared))
        let model = try ModelFile(json: Array(written.utf8)).model
        // What stores depend on is what was declared.
        try #require(try model.json() == declared.json(), "seed \(seed)")
        for check in StoreContract.checks.shuffled().prefix(Seeds.count(50, all: StoreContract.checks.count)) {
            let folder = try TemporaryFolder()
            for violation in try check.violations({ _ in try kind.open(model, in: folder) }) {
                Issue.record("seed \(seed): \(violation)")
            }
        }
    }
}

/// What files and people call things, drawn.
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
