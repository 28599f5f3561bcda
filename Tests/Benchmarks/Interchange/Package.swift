// swift-tools-version: 6.2

import PackageDescription

/// The programs of `make bench` in addition to the tool: its data, and an import into a store without a secondary
/// index.
let package = Package(
    name: "interchange-benchmark",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "strata", path: "../../..")],
    targets: [
        .executableTarget(name: "make-datasets"),
        .executableTarget(
            name: "plain-import",
            dependencies: [
                .product(name: "StrataInterchange", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
            ]),
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
