// swift-tools-version: 6.2

import PackageDescription

// What a program that embeds Strata looks like. It needs nothing but the dependency, and libsqlite3-dev on the machine.
let package = Package(
    name: "palette-service",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "strata", path: "../..")
    ],
    targets: [
        // The service's own code: knows values and protocols, and no store.
        .target(
            name: "PaletteService",
            dependencies: [.product(name: "StrataDomain", package: "strata")]
        ),

        // The program: opens the store and hands the repositories over.
        .executableTarget(
            name: "palette-service",
            dependencies: [
                "PaletteService",
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataRepositories", package: "strata"),
            ]
        ),

        // Tested with struct doubles: no stack in sight, and the manifest says so.
        .testTarget(
            name: "PaletteServiceTests",
            dependencies: ["PaletteService", .product(name: "StrataDomain", package: "strata")]
        ),

        // A server with layers of its own, called as everybody calls them: Strata's have a prefix, so both are in one graph.
        .target(name: "Domain"),
        .target(name: "Model", dependencies: ["Domain", .product(name: "StrataPersistence", package: "strata")]),
        .target(
            name: "Persistence",
            dependencies: ["Domain", "Model", .product(name: "StrataPersistence", package: "strata")]
        ),
        .target(
            name: "Repositories",
            dependencies: ["Domain", "Model", .product(name: "StrataPersistence", package: "strata")]
        ),
        .target(
            name: "Interchange",
            dependencies: [
                .product(name: "StrataInterchange", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
            ]
        ),
        .target(
            name: "Reports",
            dependencies: [
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataReports", package: "strata"),
            ]
        ),
        .testTarget(
            name: "LayersTests",
            dependencies: [
                "Domain", "Interchange", "Persistence", "Reports", "Repositories",
                .product(name: "StrataInterchange", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
            ]
        ),

        // A service through three releases of its model. Stores/ holds what the first one wrote.
        .target(name: "Release1", dependencies: [.product(name: "StrataPersistence", package: "strata")]),
        .target(name: "Release2", dependencies: [.product(name: "StrataPersistence", package: "strata")]),
        .target(name: "Release3", dependencies: [.product(name: "StrataPersistence", package: "strata")]),
        .executableTarget(
            name: "release-1-writer",
            dependencies: [
                "Release1", .product(name: "StrataModelFiles", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
            ]),
        .testTarget(
            name: "ReleasesTests",
            dependencies: [
                "Release1", "Release2", "Release3", .product(name: "StrataModelFiles", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
            ]
        ),

        // The program as a process.
        .testTarget(
            name: "ProcessTests",
            dependencies: [
                "palette-service",
                .product(name: "StrataDomain", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataRepositories", package: "strata"),
            ]
        ),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
