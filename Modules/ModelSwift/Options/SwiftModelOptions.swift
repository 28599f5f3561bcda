/// The options of the Swift code that is generated from a model.
///
/// ```swift
/// let options = SwiftModelOptions(access: .internal, parts: [.repositories])
/// ```
public struct SwiftModelOptions: Sendable, Hashable {
    /// The access level of the generated declarations.
    public enum Access: String, Sendable, CaseIterable {
        /// The declarations are visible in all modules.
        case `public`
        /// The declarations are visible in all modules of the package.
        case package
        /// The declarations are visible in their own module.
        case `internal`
    }

    /// The division of the generated code into layers.
    public enum Layers: String, Sendable, CaseIterable {
        /// All files are in one module, which imports `StrataPersistence`.
        case one
        /// Records and repository protocols are in one module, and what needs a store is in another one.
        ///
        /// The files of the first module are in the folder `Domain`, and import Foundation and `StrataDomain`. The
        /// files of the second module are in the folder `Persistence`.
        case two
    }

    /// A part of the generated code in addition to the records.
    public enum Part: String, Sendable, CaseIterable {
        /// A repository protocol for each entity, and its implementation with a store.
        case repositories
        /// A struct of closures for each repository protocol, for tests.
        ///
        /// The part includes the repository protocols.
        case doubles
        /// Generated records for tests, which need the module `StrataFixtures`.
        case fixtures
    }

    /// The access level of the declarations.
    public var access: Access
    /// The division into layers.
    public var layers: Layers
    /// The generated parts in addition to the records.
    public var parts: Set<Part>
    /// The text before the names of types.
    public var prefix: String
    /// The entities whose files are generated; `nil` for all entities.
    public var entities: Set<String>?
    /// The name of the module with the records, which the files of the second layer import.
    public var domainModule: String

    /// Creates options; without arguments, all parts are public and in one module.
    public init(
        access: Access = .public, layers: Layers = .one, parts: Set<Part> = Set(Part.allCases), prefix: String = "",
        entities: Set<String>? = nil, domainModule: String = "Domain"
    ) {
        self.access = access
        self.layers = layers
        self.parts = parts
        self.prefix = prefix
        self.entities = entities
        self.domainModule = domainModule
    }

    /// A Boolean value that indicates whether repository protocols are generated.
    var hasRepositories: Bool { parts.contains(.repositories) || parts.contains(.doubles) }
}
