// swift-tools-version: 6.2

import PackageDescription

// A comparison of Strata's stack with GRDB in one run on one machine. The package is separate because Strata has no
// dependencies.
let package = Package(
    name: "stack-benchmark",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "strata", path: "../../.."),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    ],
    targets: [
        .systemLibrary(name: "CMalloc"),
        .executableTarget(
            name: "stack-benchmark",
            dependencies: [
                "CMalloc",
                .product(name: "StrataDomain", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataStoreKit", package: "strata"),
                .product(name: "StrataTesting", package: "strata"),
                .product(name: "StrataRepositories", package: "strata"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
