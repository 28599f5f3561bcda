public import StrataCore
import StrataModelFiles

/// The description of an HTTP API for the records of a model, in OpenAPI 3.1.
///
/// ```swift
/// let description = OpenAPIDescription(model, title: "Shop")
/// print(description.text)
/// ```
///
/// The description has a resource for each entity: a list with pages, single records with entity tags, and import and
/// export as lines of JSON. The example service of Strata has these routes.
///
/// The same model always results in the same text. A value is immutable, so any thread may use it.
///
/// ## Topics
///
/// - ``init(_:title:resources:)``
/// - ``text``
/// - ``Resource``
public struct OpenAPIDescription: Sendable {
    /// An entity with its path in the API.
    public struct Resource: Sendable, Hashable {
        /// The name of the entity.
        public let entity: String
        /// The path, such as `/colors`.
        public let path: String

        /// Creates a resource.
        public init(entity: String, path: String) { (self.entity, self.path) = (entity, path) }
    }

    /// The description as a JSON document, which ends with a line feed.
    public let text: String

    /// Creates the description of an API.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - title: The name of the API.
    ///   - resources: The entities and their paths. By default, the path of each entity is its name in files, or the
    ///     plural of its name in the model. Entities that are not in the model are skipped. A path that is used already
    ///     gets a number.
    /// - Complexity: O(*n*) in the number of properties.
    public init(_ model: ManagedObjectModel, title: String, resources: [Resource]? = nil) {
        let resources = resources ?? model.entities.map { Resource(entity: $0.name, path: $0.apiPath) }
        let described = resources.compactMap { resource in model[resource.entity].map { ($0, resource.path) } }
        var schemas: [JSONValue.Member] = []
        var paths: [JSONValue.Member] = []
        var used = Set(CommonSchemas.members.map(\.name))
        var usedPaths: Set<String> = []
        for (entity, given) in described {
            var path = given
            var number = 1
            while !usedPaths.insert(path).inserted {
                number += 1
                path = "\(given)\(number)"
            }
            let names = SchemaNames(entity.name, &used)
            schemas += RecordSchemas(entity, names).members
            paths += ResourcePaths(entity.name, names, path: path).members
        }
        let document: JSONValue = .members([
            ("openapi", .text("3.1.0")),
            ("info", .members([("title", .text(title)), ("version", .text("1"))])),
            ("paths", JSONValue(.object(paths))),
            (
                "components",
                .members([
                    ("schemas", JSONValue(.object(schemas + CommonSchemas.members))),
                    ("parameters", CommonParameters.value), ("headers", CommonHeaders.value),
                    ("responses", CommonResponses.value),
                    (
                        "securitySchemes",
                        .members([("token", .members([("type", .text("http")), ("scheme", .text("bearer"))]))])
                    ),
                ])
            ),
            ("security", JSONValue(.array([.members([("token", JSONValue(.array([])))])]))),
        ])
        text = JSONTreeWriter.text(document, .modelFile)
    }
}

extension EntityDescription {
    /// The default path of the entity in an API.
    fileprivate var apiPath: String {
        if let name = external.name {
            let escaped = name.utf8.map { byte in
                let isPlain =
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                    || [0x2D, 0x2E, 0x5F].contains(byte)
                let digits = String(byte, radix: 16, uppercase: true)
                return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
            }
            return "/" + escaped.joined()
        }
        let word = name.prefix(1).lowercased() + name.dropFirst()
        let isHissing = ["s", "x", "z", "ch", "sh"].contains { word.hasSuffix($0) }
        if isHissing { return "/\(word)es" }
        if word.hasSuffix("y"), !["ay", "ey", "oy", "uy"].contains(where: { word.hasSuffix($0) }) {
            return "/\(word.dropLast())ies"
        }
        return "/\(word)s"
    }
}

extension JSONValue {
    static func text(_ text: String) -> JSONValue { JSONValue(.string(text)) }
    static func number(_ number: Int64) -> JSONValue { JSONValue(.number("\(number)")) }
    static func boolean(_ value: Bool) -> JSONValue { JSONValue(.boolean(value)) }
    static func list(_ values: [JSONValue]) -> JSONValue { JSONValue(.array(values)) }

    static func members(_ members: [(String, JSONValue)]) -> JSONValue {
        JSONValue(.object(members.map { Member(name: $0.0, value: $0.1) }))
    }

    /// Returns a reference to a component of the document.
    static func reference(_ kind: String, _ name: String) -> JSONValue {
        .members([("$ref", .text("#/components/\(kind)/\(name)"))])
    }
}
