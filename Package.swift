// swift-tools-version: 6.2

import PackageDescription

/// The layers, lowest first.
///
/// A target may import only what its `dependencies` name; `make strict` builds with
/// `--explicit-target-dependency-import-check error`, so that a layer that reaches past its neighbour does not build.
let package = Package(
    name: "strata",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "StrataDomain", targets: ["StrataDomain"]),
        .library(name: "StrataCore", targets: ["StrataCore"]),
        .library(name: "StrataModelFiles", targets: ["StrataModelFiles"]),
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
        // The system's libpq, which is needed with the trait only. Only Modules/Persistence/PostgreSQL imports it.
        .systemLibrary(
            name: "CStrataPostgreSQL", path: "Modules/CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]
        ),

        // The system's libsqlite3. Imported by Modules/Persistence/SQLite and nowhere else (`make lint` looks).
        .systemLibrary(name: "CStrataSQLite", path: "Modules/CSQLite", providers: [.apt(["libsqlite3-dev"])]),

        // Value types and protocols. Foundation only; knows no StrataPersistence.
        .target(name: "StrataDomain", path: "Modules/Domain"),

        // Values, errors, model, conditions, requests, rows, and what a store must do. Knows no store.
        .target(name: "StrataCore", path: "Modules/Persistence/Core"),

        // Models as files: Data Package descriptors.
        .target(name: "StrataModelFiles", dependencies: ["StrataCore"], path: "Modules/Persistence/ModelFiles"),

        // SQL for resolved requests, tables and changes, with a dialect for each engine; without a database library.
        .target(name: "StrataSQL", dependencies: ["StrataCore", "StrataModelFiles"], path: "Modules/Persistence/SQL"),

        // Stores, which know nothing of records and contexts.
        .target(name: "StrataInMemory", dependencies: ["StrataCore"], path: "Modules/Persistence/InMemory"),
        .target(
            name: "StrataSQLite", dependencies: ["StrataCore", "StrataModelFiles", "StrataSQL", "CStrataSQLite"],
            path: "Modules/Persistence/SQLite"
        ),

        // The store on a server. Every source is empty without the trait.
        .target(
            name: "StrataPostgreSQL",
            dependencies: [
                "StrataCore", "StrataModelFiles", "StrataSQL",
                .target(name: "CStrataPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            path: "Modules/Persistence/PostgreSQL"
        ),

        // Stores that are one file, XML or binary, on top of the store in memory.
        .target(
            name: "StrataAtomicStores", dependencies: ["StrataCore", "StrataInMemory", "StrataModelFiles"],
            path: "Modules/Persistence/Atomic"
        ),

        // Records, coordinator, contexts, container: what users import; it brings the four below along. Knows no Color.
        .target(
            name: "StrataPersistence",
            dependencies: [
                "StrataCore", "StrataInMemory", "StrataSQLite", "StrataAtomicStores",
                .target(name: "StrataPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            path: "Modules/Persistence/Stack"
        ),

        // Joins the two: managed types, the reference model, the repositories.
        .target(
            name: "StrataRepositories",
            dependencies: ["StrataDomain", "StrataPersistence"],
            path: "Modules/Repositories"
        ),

        // CSV and JSON: streaming readers and writers of rows of an entity.
        .target(name: "StrataInterchange", dependencies: ["StrataCore"], path: "Modules/Interchange"),

        // Models made of data: types, keys and references with the reason for each.
        .target(
            name: "StrataInference", dependencies: ["StrataCore", "StrataInterchange", "StrataModelFiles"],
            path: "Modules/Inference"),

        // A store's figures as a page of HTML.
        .target(name: "StrataReports", dependencies: ["StrataCore"], path: "Modules/Reports"),

        // Seeded datasets. Needs values and their texts, and no store.
        .target(name: "StrataFixtures", dependencies: ["StrataCore"], path: "Modules/FixtureGeneration"),

        // The fixtures of the reference application's records.
        .target(
            name: "StrataReferenceFixtures", dependencies: ["StrataDomain", "StrataFixtures"],
            path: "Modules/ReferenceFixtures"),

        // Generated rows on their way into files, directories and stores; checks of directories.
        .target(
            name: "StrataFixtureDatasets",
            dependencies: ["StrataFixtures", "StrataInterchange", "StrataCore"],
            path: "Modules/FixtureDatasets"
        ),

        // What users' tests import.
        .target(name: "StrataTesting", dependencies: ["StrataPersistence"], path: "Modules/PersistenceTesting"),

        // The command line.
        .executableTarget(
            name: "strata",
            dependencies: [
                "StrataPersistence", "StrataModelFiles", "StrataRepositories", "StrataInterchange", "StrataInference",
                "StrataReports", "StrataFixtures", "StrataReferenceFixtures", "StrataFixtureDatasets",
            ],
            path: "Apps/strata"
        ),

        // What several test targets use. They are no product.
        .target(name: "StrataTestSupport", dependencies: ["StrataCore"], path: "Tests/TestSupport"),

        // Every kind of store, and the models that the tests of the stack share.
        .target(
            name: "PersistenceTestSupport",
            dependencies: [
                "StrataPersistence", "StrataTesting",
                .target(name: "StrataPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            path: "Tests/PersistenceTestSupport"
        ),

        .testTarget(name: "DomainTests", dependencies: ["StrataDomain"], path: "Tests/DomainTests"),
        // The stack, in three: one module of all its tests keeps one core busy long after the others are done.
        // Tests of stores, values, models and predicates, for all callers.
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "StrataCore", "StrataInMemory", "StrataModelFiles", "StrataSQL", "StrataSQLite", "StrataPersistence",
                "StrataTesting", "StrataTestSupport", "PersistenceTestSupport",
            ],
            path: "Tests/StoreTests"
        ),
        // Contexts, their objects, units of work and saves, and what keys a save must not break.
        .testTarget(
            name: "ContextTests",
            dependencies: [
                "StrataCore", "StrataInMemory", "StrataSQL", "StrataSQLite", "StrataPersistence", "StrataTesting",
                "StrataTestSupport", "PersistenceTestSupport",
            ],
            path: "Tests/ContextTests"
        ),
        // All else of it: containers, relationships, batches, rules.
        .testTarget(
            name: "PersistenceTests",
            dependencies: [
                "StrataCore", "StrataInMemory", "StrataSQLite", "StrataPersistence", "StrataTesting",
                "StrataTestSupport", "PersistenceTestSupport",
            ],
            path: "Tests/PersistenceTests"
        ),
        .testTarget(
            name: "MigrationTests",
            dependencies: [
                "StrataCore", "StrataInMemory", "StrataPersistence", "StrataSQL", "StrataSQLite", "StrataTesting",
                "StrataTestSupport",
                .target(name: "StrataPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            path: "Tests/MigrationTests"
        ),
        // The store on a server; empty without the trait.
        .testTarget(
            name: "PostgreSQLTests",
            dependencies: [
                "StrataCore", "StrataPersistence", "StrataTesting", "StrataTestSupport",
                .target(name: "StrataPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            path: "Tests/PostgreSQLTests"
        ),
        .testTarget(
            name: "AtomicStoresTests",
            dependencies: [
                "StrataAtomicStores", "StrataCore", "StrataInMemory", "StrataModelFiles", "StrataPersistence",
                "StrataTesting", "StrataTestSupport",
            ],
            path: "Tests/AtomicStoresTests"
        ),
        .testTarget(
            name: "ModelFilesTests",
            dependencies: [
                "StrataModelFiles", "StrataCore", "StrataPersistence", "StrataRepositories", "StrataTestSupport",
            ],
            path: "Tests/ModelFilesTests"
        ),
        .testTarget(
            name: "RepositoriesTests",
            dependencies: ["StrataDomain", "StrataPersistence", "StrataTesting", "StrataRepositories"],
            path: "Tests/RepositoriesTests"
        ),
        .testTarget(
            name: "InterchangeTests",
            dependencies: [
                "StrataInterchange", "StrataModelFiles", "StrataPersistence", "StrataTesting", "StrataTestSupport",
                "PersistenceTestSupport",
            ],
            path: "Tests/InterchangeTests"
        ),
        .testTarget(
            name: "InferenceTests",
            dependencies: [
                "StrataInference", "StrataCore", "StrataInterchange", "StrataModelFiles", "StrataPersistence",
                "StrataTestSupport",
            ],
            path: "Tests/InferenceTests"
        ),
        .testTarget(
            name: "ReportsTests",
            dependencies: [
                "StrataReports", "StrataPersistence", "StrataTesting", "StrataTestSupport", "PersistenceTestSupport",
            ],
            path: "Tests/ReportsTests"
        ),
        .testTarget(
            name: "FixtureGenerationTests",
            dependencies: [
                "StrataCore", "StrataDomain", "StrataFixtures", "StrataReferenceFixtures", "StrataTestSupport",
            ],
            path: "Tests/FixtureGenerationTests"
        ),
        .testTarget(
            name: "FixtureDatasetsTests",
            dependencies: [
                "StrataCore", "StrataFixtureDatasets", "StrataFixtures", "StrataInterchange", "StrataPersistence",
                "StrataReferenceFixtures", "StrataTesting", "StrataRepositories", "StrataTestSupport",
            ],
            path: "Tests/FixtureDatasetsTests"
        ),
        // What the documentation shows, compiled.
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "StrataDomain", "StrataFixtureDatasets", "StrataFixtures", "StrataInference", "StrataInterchange",
                "StrataModelFiles", "StrataPersistence", "StrataReferenceFixtures", "StrataReports",
                "StrataRepositories", "StrataTesting",
            ],
            path: "Tests/DocumentationTests"
        ),
        .testTarget(
            name: "StrataTests",
            dependencies: ["strata", "StrataPersistence", "StrataRepositories", "StrataTestSupport"],
            path: "Tests/StrataTests"
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

// SwiftPM's own entry point finds XCTest's tests by the index, and the index takes a tenth of a debug build. The only test
// of XCTest is the documentation's example, so `make test` and `make check` use an entry point without it. A plain
// `swift test`, and with it `make test-release`, uses XCTest.
if Context.environment["STRATA_TESTS_WITHOUT_INDEX"] != nil {
    package.targets.append(.testTarget(name: "EntryPoint", path: "Tests/EntryPoint/Target"))
}
