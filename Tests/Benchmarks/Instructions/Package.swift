// swift-tools-version: 6.2

import PackageDescription

/// The prefix of the names of Strata's products; empty in older trees, which `bench.sh` also measures.
let prefix = Context.environment["STRATA_PREFIX"] ?? "Strata"

// The programs of `make bench-instructions` in addition to the tool: contexts and stores, with one job per run.
let package = Package(
    name: "instruction-benchmark",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "strata", path: "../../..")],
    targets: [
        .executableTarget(
            name: "instruction-benchmark",
            dependencies: [
                .product(name: prefix + "Domain", package: "strata"),
                .product(name: prefix + "Persistence", package: "strata"),
                .product(name: prefix + "Repositories", package: "strata"),
            ]
        )
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
