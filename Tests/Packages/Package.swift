// swift-tools-version: 6.2

import PackageDescription

// Code that depends on Strata from outside of its package, through public API only. The packages that it represents are
// sections of one package, so that Strata is compiled once for all of them. The trait is passed on to Strata.
let package = Package(
    name: "strata-packages",
    platforms: [.macOS(.v15)],
    traits: [
        .trait(name: "PostgreSQL", description: "The contract of the store on a server; needs libpq's header.")
    ],
    dependencies: [
        .package(
            name: "strata", path: "../..",
            traits: [.trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"]))])
    ],
    targets: [
        // MARK: The example of the README

        .executableTarget(name: "Bookshelf", dependencies: [.product(name: "StrataPersistence", package: "strata")]),
        .testTarget(
            name: "BookTests",
            dependencies: [
                "Bookshelf",
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataTesting", package: "strata"),
            ]
        ),

        // MARK: A service that embeds Strata

        // The service's own code: knows values and protocols, and no store.
        .target(
            name: "PaletteService",
            dependencies: [.product(name: "StrataDomain", package: "strata")]
        ),

        // The program: opens the store and passes the repositories to the service.
        .executableTarget(
            name: "palette-service",
            dependencies: [
                "PaletteService",
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataRepositories", package: "strata"),
            ]
        ),

        // Tests with struct doubles: the dependencies contain no store.
        .testTarget(
            name: "PaletteServiceTests",
            dependencies: ["PaletteService", .product(name: "StrataDomain", package: "strata")]
        ),

        // The program as a process.
        .testTarget(
            name: "ProcessTests",
            dependencies: [
                "palette-service",
                .product(name: "StrataDomain", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataRepositories", package: "strata"),
            ]
        ),

        // MARK: A server with its own layers

        // The layers have common names. Strata's modules have a prefix, so both can be in one graph.
        .target(name: "Domain"),
        .target(name: "Model", dependencies: ["Domain", .product(name: "StrataPersistence", package: "strata")]),
        .target(
            name: "Persistence",
            dependencies: ["Domain", "Model", .product(name: "StrataPersistence", package: "strata")]
        ),
        .target(
            name: "Repositories",
            dependencies: ["Domain", "Model", .product(name: "StrataPersistence", package: "strata")]
        ),
        .target(
            name: "Interchange",
            dependencies: [
                .product(name: "StrataInterchange", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
            ]
        ),
        .target(
            name: "Reports",
            dependencies: [
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataReports", package: "strata"),
            ]
        ),
        .testTarget(
            name: "LayersTests",
            dependencies: [
                "Domain", "Interchange", "Persistence", "Reports", "Repositories",
                .product(name: "StrataInterchange", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
            ]
        ),

        // MARK: A service through three releases of its model

        // The folder Stores/ contains the stores of the first release.
        .target(name: "Release1", dependencies: [.product(name: "StrataPersistence", package: "strata")]),
        .target(name: "Release2", dependencies: [.product(name: "StrataPersistence", package: "strata")]),
        .target(name: "Release3", dependencies: [.product(name: "StrataPersistence", package: "strata")]),
        .executableTarget(
            name: "release-1-writer",
            dependencies: [
                "Release1", .product(name: "StrataModelFiles", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
            ]),
        .testTarget(
            name: "ReleasesTests",
            dependencies: [
                "Release1", "Release2", "Release3", .product(name: "StrataModelFiles", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
            ]
        ),

        // MARK: Code that is generated from models

        // The model is inferred from the CSV files in Models/shop, and the code is generated by the tool.
        .target(
            name: "Shop",
            dependencies: [
                .product(name: "StrataFixtures", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
            ]
        ),
        .target(
            name: "ShopRelease2",
            dependencies: [.product(name: "StrataPersistence", package: "strata")],
            plugins: [.plugin(name: "StrataModelPlugin", package: "strata")]
        ),
        .testTarget(
            name: "ShopTests",
            dependencies: [
                "Shop", "ShopRelease2",
                .product(name: "StrataFixtures", package: "strata"),
                .product(name: "StrataInterchange", package: "strata"),
                .product(name: "StrataModelFiles", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataTesting", package: "strata"),
            ]
        ),

        // The code is generated by the plugin. The model has names and values that are difficult in Swift code.
        .target(
            name: "Hostile",
            dependencies: [
                .product(name: "StrataFixtures", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
            ],
            plugins: [.plugin(name: "StrataModelPlugin", package: "strata")]
        ),
        .testTarget(
            name: "HostileTests",
            dependencies: [
                "Hostile", .product(name: "StrataFixtures", package: "strata"),
                .product(name: "StrataModelFiles", package: "strata"),
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataTesting", package: "strata"),
            ]),

        // MARK: A store of another author

        // A store needs the core and the kit for stores, and nothing of contexts or of other stores.
        .target(
            name: "DictionaryStore",
            dependencies: [
                .product(name: "StrataCore", package: "strata"), .product(name: "StrataStoreKit", package: "strata"),
            ]),

        // Tested by the contract, and used by a stack.
        .testTarget(
            name: "DictionaryStoreTests",
            dependencies: [
                "DictionaryStore",
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataStoreKit", package: "strata"),
                .product(name: "StrataTesting", package: "strata"),
            ]
        ),

        // MARK: The store on a server

        // Tested by the contract; empty without the trait. The tool is built for tool.sh.
        .testTarget(
            name: "ServerContractTests",
            dependencies: [
                .product(name: "strata", package: "strata", condition: .when(traits: ["PostgreSQL"])),
                .product(name: "StrataPersistence", package: "strata"),
                .product(name: "StrataPostgreSQL", package: "strata", condition: .when(traits: ["PostgreSQL"])),
                .product(name: "StrataStoreKit", package: "strata"),
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
