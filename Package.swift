// swift-tools-version: 6.2

import PackageDescription

/// The layers, lowest first.
///
/// A target may import only what its `dependencies` name; `make lint` builds with
/// `--explicit-target-dependency-import-check error`, so that a layer that reaches past its neighbour does not build.
let package = Package(
    name: "strata",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Domain", targets: ["Domain"]),
        .library(name: "Persistence", targets: ["Persistence"]),
        .library(name: "Repositories", targets: ["Repositories"]),
        .library(name: "Interchange", targets: ["Interchange"]),
        .library(name: "Reports", targets: ["Reports"]),
        .library(name: "FixtureGeneration", targets: ["FixtureGeneration"]),
        .library(name: "FixtureDatasets", targets: ["FixtureDatasets"]),
        .library(name: "PersistenceTesting", targets: ["PersistenceTesting"]),
        .executable(name: "strata", targets: ["strata"]),
    ],
    targets: [
        // The system's libsqlite3. Imported by Modules/Persistence/SQLite and nowhere else (`make lint` looks).
        .systemLibrary(name: "CSQLite", path: "Modules/CSQLite", providers: [.apt(["libsqlite3-dev"])]),

        // Value types and protocols. Foundation only; knows no Persistence.
        .target(name: "Domain", path: "Modules/Domain"),

        // Model, stores, coordinator, contexts, fetch requests. Knows no Color.
        .target(name: "Persistence", dependencies: ["CSQLite"], path: "Modules/Persistence"),

        // Joins the two: managed types, the reference model, the repositories.
        .target(name: "Repositories", dependencies: ["Domain", "Persistence"], path: "Modules/Repositories"),

        // CSV and JSON: streaming readers and writers of rows of an entity.
        .target(name: "Interchange", dependencies: ["Persistence"], path: "Modules/Interchange"),

        // A store's figures as a page of HTML.
        .target(name: "Reports", dependencies: ["Persistence"], path: "Modules/Reports"),

        // Seeded datasets. Needs no store.
        .target(name: "FixtureGeneration", dependencies: ["Domain"], path: "Modules/FixtureGeneration"),

        // Generated rows on their way into files, directories and stores; checks of directories.
        .target(
            name: "FixtureDatasets",
            dependencies: ["FixtureGeneration", "Interchange", "Persistence"],
            path: "Modules/FixtureDatasets"
        ),

        // What users' tests import.
        .target(name: "PersistenceTesting", dependencies: ["Persistence"], path: "Modules/PersistenceTesting"),

        // The command line.
        .executableTarget(
            name: "strata",
            dependencies: [
                "Domain", "Persistence", "Repositories", "Interchange", "FixtureGeneration", "FixtureDatasets",
                "Reports",
            ],
            path: "Apps/strata"
        ),

        .testTarget(name: "DomainTests", dependencies: ["Domain"], path: "Tests/DomainTests"),
        .testTarget(
            name: "PersistenceTests",
            dependencies: ["Persistence", "PersistenceTesting"],
            path: "Tests/PersistenceTests"
        ),
        .testTarget(
            name: "RepositoriesTests",
            dependencies: ["Domain", "Persistence", "PersistenceTesting", "Repositories"],
            path: "Tests/RepositoriesTests"
        ),
        .testTarget(
            name: "InterchangeTests",
            dependencies: ["Interchange", "Persistence", "PersistenceTesting"],
            path: "Tests/InterchangeTests"
        ),
        .testTarget(
            name: "ReportsTests",
            dependencies: ["Reports", "Persistence", "PersistenceTesting"],
            path: "Tests/ReportsTests"
        ),
        .testTarget(
            name: "FixtureGenerationTests",
            dependencies: ["Domain", "FixtureGeneration"],
            path: "Tests/FixtureGenerationTests"
        ),
        .testTarget(
            name: "FixtureDatasetsTests",
            dependencies: [
                "FixtureDatasets", "FixtureGeneration", "Interchange", "Persistence", "PersistenceTesting",
                "Repositories",
            ],
            path: "Tests/FixtureDatasetsTests"
        ),
        .testTarget(
            name: "StrataTests",
            dependencies: ["strata", "Persistence", "Repositories"],
            path: "Tests/StrataTests"
        ),
    ]
)

for target in package.targets where target.type != .system {
    var settings = target.swiftSettings ?? []

    settings.append(.swiftLanguageMode(.v6))

    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0443-warning-control-flags.md
    settings.append(.treatAllWarnings(as: .error))

    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
    settings.append(.enableUpcomingFeature("ExistentialAny"))

    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
    settings.append(.enableUpcomingFeature("MemberImportVisibility"))

    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
    settings.append(.enableUpcomingFeature("InternalImportsByDefault"))

    target.swiftSettings = settings
}
