// swift-tools-version: 6.2

import PackageDescription

/// The program of `make bench-postgres` in addition to the tool: clients that look up and change records.
let package = Package(
    name: "postgresql-benchmark",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "strata", path: "../../..", traits: ["PostgreSQL"])],
    targets: [
        .executableTarget(
            name: "server-clients",
            dependencies: [
                .product(name: "StrataDomain", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataRepositories", package: "strata"),
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
