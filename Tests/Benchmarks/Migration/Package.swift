// swift-tools-version: 6.2

import PackageDescription

/// The program of `make bench-migration` in addition to the tool: a migration with a stage in Swift.
let package = Package(
    name: "migration-benchmark",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "strata", path: "../../..")],
    targets: [
        .executableTarget(
            name: "staged-migration",
            dependencies: [
                .product(name: "StrataModelFiles", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
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
