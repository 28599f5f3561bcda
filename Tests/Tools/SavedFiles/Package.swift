// swift-tools-version: 6.2

import PackageDescription

// The program of `make test-saved-files`: one save, with the execution counters of the compiler.
let package = Package(
    name: "saved-files",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "strata", path: "../../..")],
    targets: [
        .executableTarget(
            name: "save-one",
            dependencies: [
                .product(name: "StrataDomain", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataRepositories", package: "strata"),
            ],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ]
        )
    ]
)
