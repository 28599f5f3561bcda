// swift-tools-version: 6.2

import PackageDescription

// A store that somebody else wrote: against Strata's public API, from outside its package.
let package = Package(
    name: "dictionary-store",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "strata", path: "../..")
    ],
    targets: [
        // A store needs the core, and nothing of contexts or of other stores.
        .target(name: "DictionaryStore", dependencies: [.product(name: "StrataCore", package: "strata")]),

        // Judged by the contract, and used by a stack.
        .testTarget(
            name: "DictionaryStoreTests",
            dependencies: [
                "DictionaryStore",
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataTesting", package: "strata"),
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
