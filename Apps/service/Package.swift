// swift-tools-version: 6.2

import PackageDescription

// An HTTP service over Strata's repositories. It is a package of its own, so that Strata has no dependencies. The trait
// is passed on to Strata.
let package = Package(
    name: "strata-service",
    platforms: [.macOS(.v15)],
    traits: [
        .trait(name: "PostgreSQL", description: "The store on a PostgreSQL server; needs libpq's header.")
    ],
    dependencies: [
        .package(
            name: "strata", path: "../..",
            traits: [.trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"]))]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        // The service: routes, problems, events, security, metrics, and the wiring in Server/.
        .target(
            name: "Service",
            dependencies: [
                .product(name: "StrataDomain", package: "strata"),
                .product(name: "StrataInterchange", package: "strata"),
                .product(name: "StrataModelOpenAPI", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataRepositories", package: "strata"),
                .product(name: "StrataStoreKit", package: "strata"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            resources: [.copy("Web")]
        ),

        // The program: reads the configuration and runs the service until a signal.
        .executableTarget(
            name: "strata-service", dependencies: ["Service", .product(name: "Logging", package: "swift-log")]),

        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "Service",
                .product(name: "StrataDomain", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataRepositories", package: "strata"),
                .product(name: "StrataTesting", package: "strata"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
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
