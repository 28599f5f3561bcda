// swift-tools-version: 6.2

import PackageDescription

/// The tests of the store on a server: a package of its own, as the trait and libpq are not everybody's.
let package = Package(
    name: "postgresql-tests",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "strata", path: "../..", traits: ["PostgreSQL"])],
    targets: [
        .testTarget(
            name: "PostgreSQLTests",
            dependencies: [
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataPostgreSQL", package: "strata"),
                .product(name: "StrataTesting", package: "strata"),
                // So that it is built with the trait; tool.sh tries it.
                .product(name: "strata", package: "strata"),
            ])
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
