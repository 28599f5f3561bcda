// swift-tools-version: 6.2

import PackageDescription

/// What the names of Strata's products begin with: nothing in trees older than the prefix, which `bench.sh` compares with too.
let prefix = Context.environment["STRATA_PREFIX"] ?? "Strata"

// What `make bench-instructions` counts beside the tool: contexts and stores, one job a run.
let package = Package(
    name: "instruction-benchmark",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "strata", path: "../..")],
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
