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
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
