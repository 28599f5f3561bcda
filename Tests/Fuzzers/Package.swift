// swift-tools-version: 6.2

import PackageDescription

/// The fuzzers of all code that reads external bytes or text; `make fuzz` builds and runs them.
///
/// The package is separate because its programs have only the main function of libFuzzer: they build only with
/// `--sanitize=fuzzer -Xswiftc -parse-as-library`.
let package = Package(
    name: "fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "strata", path: "../..")],
    targets: [
        .target(name: "FuzzSupport", dependencies: [.product(name: "StrataInterchange", package: "strata")]),
        .target(
            name: "FuzzStores",
            dependencies: [
                "FuzzSupport", .product(name: "StrataAtomicStores", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataStoreKit", package: "strata"),
            ]),
    ]
        + ["fuzz-csv", "fuzz-json", "fuzz-predicate", "fuzz-import", "fuzz-model"].map { name in
            .executableTarget(
                name: name,
                dependencies: [
                    "FuzzSupport",
                    .product(name: "StrataInterchange", package: "strata"),
                    .product(name: "StrataModelFiles", package: "strata"),
                    .product(name: "StrataPersistence", package: "strata"),
                    .product(name: "StrataStoreKit", package: "strata"),
                    .product(name: "StrataTesting", package: "strata"),
                ])
        }
        + ["fuzz-xml-store", "fuzz-binary-store"].map { .executableTarget(name: $0, dependencies: ["FuzzStores"]) }
)

for target in package.targets {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
