// swift-tools-version: 6.2

import PackageDescription

/// The layers, lowest first.
///
/// A target may import only its `dependencies`: `make strict` builds with
/// `--explicit-target-dependency-import-check error`, which rejects other imports.
let package = Package(
    name: "strata",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "StrataDomain", targets: ["StrataDomain"]),
        .library(name: "StrataCore", targets: ["StrataCore"]),
        .library(name: "StrataStoreKit", targets: ["StrataStoreKit"]),
        .library(name: "StrataModelFiles", targets: ["StrataModelFiles"]),
        .library(name: "StrataModelSwift", targets: ["StrataModelSwift"]),
        .library(name: "StrataModelOpenAPI", targets: ["StrataModelOpenAPI"]),
        .library(name: "StrataInMemory", targets: ["StrataInMemory"]),
        .library(name: "StrataSQLite", targets: ["StrataSQLite"]),
        .library(name: "StrataPostgreSQL", targets: ["StrataPostgreSQL"]),
        .library(name: "StrataAtomicStores", targets: ["StrataAtomicStores"]),
        .library(name: "StrataPersistence", targets: ["StrataPersistence"]),
        .library(name: "StrataRepositories", targets: ["StrataRepositories"]),
        .library(name: "StrataInterchange", targets: ["StrataInterchange"]),
        .library(name: "StrataInference", targets: ["StrataInference"]),
        .library(name: "StrataReports", targets: ["StrataReports"]),
        .library(name: "StrataFixtures", targets: ["StrataFixtures"]),
        .library(name: "StrataReferenceFixtures", targets: ["StrataReferenceFixtures"]),
        .library(name: "StrataFixtureDatasets", targets: ["StrataFixtureDatasets"]),
        .library(name: "StrataTesting", targets: ["StrataTesting"]),
        .executable(name: "strata", targets: ["strata"]),
    ],
    traits: [
        .trait(name: "PostgreSQL", description: "The store on a PostgreSQL server; needs libpq's header.")
    ],
    targets: [
        // The system's libpq, which only the trait needs. Only Modules/Persistence/PostgreSQL imports it.
        .systemLibrary(
            name: "CStrataPostgreSQL", path: "Modules/CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]
        ),

        // The system's libsqlite3. Only Modules/Persistence/SQLite imports it (`make lint` checks this).
        .systemLibrary(name: "CStrataSQLite", path: "Modules/CSQLite", providers: [.apt(["libsqlite3-dev"])]),

        // The status, locks, temporary files and replacement of files, for stores, datasets and the tool.
        .target(name: "StrataFiles", path: "Modules/Files"),

        // ZIP archives, DEFLATE, XML and the workbooks of spreadsheets in them, independent of datasets.
        .target(name: "StrataContainers", dependencies: ["StrataFiles"], path: "Modules/Containers"),

        // Value types and protocols over Foundation, independent of StrataPersistence.
        .target(name: "StrataDomain", path: "Modules/Domain"),

        // Values, texts, errors, models, conditions and requests: what code that stores records uses.
        .target(name: "StrataCore", path: "Modules/Persistence/Core"),

        // The requirements of stores and the rules that all stores share: what code that implements a store uses.
        .target(name: "StrataStoreKit", dependencies: ["StrataCore"], path: "Modules/Persistence/StoreKit"),

        // Model files, which are Data Package descriptors.
        .target(
            name: "StrataModelFiles", dependencies: ["StrataCore", "StrataStoreKit"],
            path: "Modules/Persistence/ModelFiles"),

        // Swift record types, repositories and fixtures from a model.
        .target(
            name: "StrataModelSwift", dependencies: ["StrataCore", "StrataModelFiles"], path: "Modules/ModelSwift"),

        // The description of an HTTP API for the records of a model.
        .target(
            name: "StrataModelOpenAPI", dependencies: ["StrataCore", "StrataModelFiles"], path: "Modules/ModelOpenAPI"),

        // The generator for builds, which links no database library. The build tool plugin below runs it.
        .executableTarget(
            name: "strata-model-generator",
            dependencies: ["StrataFiles", "StrataModelFiles", "StrataModelSwift"],
            path: "Apps/strata-model-generator"
        ),

        // SQL for resolved requests, tables and changes, with a dialect for each engine, independent of database
        // libraries.
        .target(
            name: "StrataSQL", dependencies: ["StrataCore", "StrataStoreKit", "StrataModelFiles"],
            path: "Modules/Persistence/SQL"),

        // Stores, independent of records and contexts.
        .target(
            name: "StrataInMemory", dependencies: ["StrataCore", "StrataStoreKit"], path: "Modules/Persistence/InMemory"
        ),
        .target(
            name: "StrataSQLite",
            dependencies: [
                "StrataCore", "StrataFiles", "StrataModelFiles", "StrataSQL", "StrataStoreKit", "CStrataSQLite",
            ],
            path: "Modules/Persistence/SQLite"
        ),

        // The store on a server. Without the trait, all sources are empty.
        .target(
            name: "StrataPostgreSQL",
            dependencies: [
                "StrataCore", "StrataStoreKit", "StrataModelFiles", "StrataSQL",
                .target(name: "CStrataPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            path: "Modules/Persistence/PostgreSQL"
        ),

        // XML and binary stores in one file, based on the store in memory.
        .target(
            name: "StrataAtomicStores",
            dependencies: [
                "StrataContainers", "StrataCore", "StrataFiles", "StrataStoreKit", "StrataInMemory",
                "StrataModelFiles",
            ],
            path: "Modules/Persistence/Atomic"
        ),

        // Records, coordinator, contexts and containers: the module that users import, which re-exports the modules
        // below it. It is independent of the reference model.
        .target(
            name: "StrataPersistence",
            dependencies: [
                "StrataCore", "StrataStoreKit", "StrataInMemory", "StrataSQLite", "StrataAtomicStores",
                .target(name: "StrataPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            path: "Modules/Persistence/Stack"
        ),

        // The connection of both: managed types, the reference model and the repositories.
        .target(
            name: "StrataRepositories",
            dependencies: ["StrataDomain", "StrataPersistence"],
            path: "Modules/Repositories"
        ),

        // Streaming readers and writers of an entity's rows in CSV and JSON.
        .target(
            name: "StrataInterchange",
            dependencies: ["StrataContainers", "StrataCore", "StrataFiles", "StrataStoreKit"],
            path: "Modules/Interchange"),

        // Models inferred from data: types, keys and references, with the reason for each.
        .target(
            name: "StrataInference",
            dependencies: ["StrataCore", "StrataStoreKit", "StrataInterchange", "StrataModelFiles"],
            path: "Modules/Inference"),

        // The statistics of a store as an HTML page.
        .target(name: "StrataReports", dependencies: ["StrataCore", "StrataStoreKit"], path: "Modules/Reports"),

        // Seeded datasets; needs values and their texts, but no store.
        .target(
            name: "StrataFixtures", dependencies: ["StrataCore", "StrataStoreKit"], path: "Modules/FixtureGeneration"),

        // The fixtures of the reference application's records.
        .target(
            name: "StrataReferenceFixtures", dependencies: ["StrataDomain", "StrataFixtures"],
            path: "Modules/ReferenceFixtures"),

        // The output of generated rows to files, directories and stores, and checks of directories.
        .target(
            name: "StrataFixtureDatasets",
            dependencies: ["StrataFixtures", "StrataInterchange", "StrataCore", "StrataStoreKit"],
            path: "Modules/FixtureDatasets"
        ),

        // Support for the tests of users.
        .target(name: "StrataTesting", dependencies: ["StrataPersistence"], path: "Modules/PersistenceTesting"),

        // The command-line tool.
        .executableTarget(
            name: "strata",
            dependencies: [
                "StrataContainers", "StrataFiles", "StrataPersistence", "StrataModelFiles", "StrataModelOpenAPI",
                "StrataModelSwift", "StrataRepositories", "StrataInterchange", "StrataInference", "StrataReports",
                "StrataFixtures", "StrataReferenceFixtures",
                "StrataFixtureDatasets",
            ],
            path: "Apps/strata"
        ),

        // Support for several test targets; not a product.
        .target(
            name: "StrataTestSupport", dependencies: ["StrataContainers", "StrataCore", "StrataStoreKit"],
            path: "Tests/Support/TestSupport"
        ),

        // Every kind of store, and the models that tests of the stack share.
        .target(
            name: "PersistenceTestSupport",
            dependencies: [
                "StrataPersistence", "StrataTesting",
                .target(name: "StrataPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            path: "Tests/Support/PersistenceTestSupport"
        ),

        .testTarget(
            name: "ContainersTests", dependencies: ["StrataContainers", "StrataFiles", "StrataTestSupport"],
            path: "Tests/Unit/ContainersTests"
        ),
        .testTarget(name: "DomainTests", dependencies: ["StrataDomain"], path: "Tests/Unit/DomainTests"),
        // The stack has three test targets, because a single module would occupy one core long after the other modules
        // are compiled.
        // Tests of stores, values, models and predicates, for all callers.
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "StrataCore", "StrataFiles", "StrataStoreKit", "StrataInMemory", "StrataModelFiles", "StrataSQL",
                "StrataSQLite",
                "StrataPersistence",
                "StrataTesting", "StrataTestSupport", "PersistenceTestSupport",
            ],
            path: "Tests/Unit/StoreTests"
        ),
        // Tests of contexts, their objects, units of work and saves, and keys that a save must preserve.
        .testTarget(
            name: "ContextTests",
            dependencies: [
                "StrataCore", "StrataStoreKit", "StrataInMemory", "StrataSQL", "StrataSQLite", "StrataPersistence",
                "StrataTesting",
                "StrataTestSupport", "PersistenceTestSupport",
            ],
            path: "Tests/Unit/ContextTests"
        ),
        // The other tests of the stack: containers, relationships, batches, rules.
        .testTarget(
            name: "PersistenceTests",
            dependencies: [
                "StrataCore", "StrataStoreKit", "StrataInMemory", "StrataSQLite", "StrataPersistence", "StrataTesting",
                "StrataTestSupport", "PersistenceTestSupport",
            ],
            path: "Tests/Unit/PersistenceTests"
        ),
        .testTarget(
            name: "MigrationTests",
            dependencies: [
                "StrataCore", "StrataStoreKit", "StrataInMemory", "StrataPersistence", "StrataSQL", "StrataSQLite",
                "StrataTesting",
                "StrataTestSupport",
                .target(name: "StrataPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            path: "Tests/Unit/MigrationTests"
        ),
        // Tests of the store on a server; empty without the trait.
        .testTarget(
            name: "PostgreSQLTests",
            dependencies: [
                "StrataCore", "StrataStoreKit", "StrataSQL", "StrataPersistence", "StrataTesting", "StrataTestSupport",
                .target(name: "StrataPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            path: "Tests/Unit/PostgreSQLTests"
        ),
        .testTarget(
            name: "AtomicStoresTests",
            dependencies: [
                "StrataAtomicStores", "StrataCore", "StrataFiles", "StrataStoreKit", "StrataInMemory",
                "StrataModelFiles",
                "StrataPersistence",
                "StrataTesting", "StrataTestSupport",
            ],
            path: "Tests/Unit/AtomicStoresTests"
        ),
        .testTarget(
            name: "ModelFilesTests",
            dependencies: [
                "StrataModelFiles", "StrataModelOpenAPI", "StrataModelSwift", "StrataCore", "StrataStoreKit",
                "StrataPersistence", "StrataRepositories", "StrataTestSupport",
            ],
            path: "Tests/Unit/ModelFilesTests"
        ),
        .testTarget(
            name: "RepositoriesTests",
            dependencies: ["StrataDomain", "StrataPersistence", "StrataTesting", "StrataRepositories"],
            path: "Tests/Unit/RepositoriesTests"
        ),
        .testTarget(
            name: "InterchangeTests",
            dependencies: [
                "StrataContainers", "StrataInterchange", "StrataModelFiles", "StrataPersistence", "StrataTesting",
                "StrataTestSupport",
                "PersistenceTestSupport",
            ],
            path: "Tests/Unit/InterchangeTests"
        ),
        .testTarget(
            name: "InferenceTests",
            dependencies: [
                "StrataInference", "StrataCore", "StrataStoreKit", "StrataInterchange", "StrataModelFiles",
                "StrataPersistence",
                "StrataTestSupport",
            ],
            path: "Tests/Unit/InferenceTests"
        ),
        .testTarget(
            name: "ReportsTests",
            dependencies: [
                "StrataReports", "StrataPersistence", "StrataTesting", "StrataTestSupport", "PersistenceTestSupport",
            ],
            path: "Tests/Unit/ReportsTests"
        ),
        .testTarget(
            name: "FixtureGenerationTests",
            dependencies: [
                "StrataCore", "StrataStoreKit", "StrataDomain", "StrataFixtures", "StrataReferenceFixtures",
                "StrataTestSupport",
            ],
            path: "Tests/Unit/FixtureGenerationTests"
        ),
        .testTarget(
            name: "FixtureDatasetsTests",
            dependencies: [
                "StrataCore", "StrataStoreKit", "StrataFixtureDatasets", "StrataFixtures", "StrataInterchange",
                "StrataPersistence",
                "StrataReferenceFixtures", "StrataTesting", "StrataRepositories", "StrataTestSupport",
            ],
            path: "Tests/Unit/FixtureDatasetsTests"
        ),
        // Compiled versions of the documentation's examples.
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "StrataDomain", "StrataFixtureDatasets", "StrataFixtures", "StrataInference", "StrataInterchange",
                "StrataModelFiles", "StrataModelOpenAPI", "StrataModelSwift", "StrataPersistence",
                "StrataReferenceFixtures", "StrataReports", "StrataRepositories", "StrataTestSupport", "StrataTesting",
            ],
            path: "Tests/Unit/DocumentationTests"
        ),
        .testTarget(
            name: "StrataTests",
            dependencies: [
                "strata", "strata-model-generator", "StrataContainers", "StrataPersistence", "StrataRepositories",
                "StrataTestSupport",
            ],
            path: "Tests/Unit/StrataTests"
        ),
    ]
)

for target in package.targets where target.type != .system {
    var settings = target.swiftSettings ?? []

    settings.append(.swiftLanguageMode(.v6))

    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
    settings.append(.enableUpcomingFeature("ExistentialAny"))

    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
    settings.append(.enableUpcomingFeature("MemberImportVisibility"))

    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
    settings.append(.enableUpcomingFeature("InternalImportsByDefault"))

    target.swiftSettings = settings
}

// The build tool plugin, which the packages of users apply. A build that includes it compiles the generator and its
// modules a second time, so `make test` and `make check` omit it; Tests/Packages tests it.
if Context.environment["STRATA_WITHOUT_PLUGIN"] == nil {
    package.products.append(.plugin(name: "StrataModelPlugin", targets: ["StrataModelPlugin"]))
    package.targets.append(
        .plugin(
            name: "StrataModelPlugin", capability: .buildTool(), dependencies: ["strata-model-generator"],
            path: "Modules/ModelPlugin"))
}

// SwiftPM's generated entry point finds XCTest's tests with the index, and the index takes a tenth of a debug build.
// The documentation's example is the only test of XCTest, so `make test` and `make check` use an entry point without
// XCTest. A plain `swift test`, and therefore `make test-release`, uses XCTest.
if Context.environment["STRATA_TESTS_WITHOUT_INDEX"] != nil {
    package.targets.append(.testTarget(name: "EntryPoint", path: "Tests/Support/EntryPoint/Target"))
}
