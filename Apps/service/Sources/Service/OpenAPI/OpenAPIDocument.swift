import StrataPersistence

/// The description of the API (OpenAPI 3.1), which is generated from the model.
struct OpenAPIDocument {
    let json: JSON

    /// Creates the description of the resources.
    ///
    /// - Throws: `PersistenceError` if the model lacks an entity.
    init(_ model: ManagedObjectModel) throws {
        var (schemas, paths) = (Self.commonSchemas, Self.commonPaths)
        for (path, name) in Self.resources {
            let entity = try model.entity(named: name)
            schemas[name] = Self.schema(entity, .stored)
            schemas["New\(name)"] = Self.schema(entity, .new)
            schemas["\(name)Patch"] = Self.schema(entity, .patch)
            for (path, operations) in Self.paths("/\(path)", name) { paths[path] = operations }
        }
        json = [
            "openapi": "3.1.0", "info": ["title": "Strata service", "version": "1"], "paths": .object(paths),
            "components": [
                "schemas": .object(schemas),
                "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
            ], "security": [["token": []]],
        ]
    }

    private static let resources = [
        (Resources.colors.path, Resources.colors.entity), (Resources.bosses.path, Resources.bosses.entity),
        (Resources.employees.path, Resources.employees.entity), (Resources.items.path, Resources.items.entity),
    ]

    // MARK: Schemas

    private enum Form { case stored, new, patch }

    private static func schema(_ entity: EntityDescription, _ form: Form) -> JSON {
        var (properties, required): ([String: JSON], [JSON]) = ([:], [])
        for column in entity.columns where !column.isHidden {
            properties[column.name] = schema(column)
            let isRequired = !column.isOptional && column.attribute?.defaultValue == nil
            if form == .stored || (form == .new && isRequired) { required.append(.string(column.name)) }
        }
        if form == .stored {
            properties["id"] = identifier(["readOnly": true])
            properties["version"] = ["type": "integer", "readOnly": true, "description": "equals the ETag"]
            required += ["id", "version"]
        }
        return [
            "type": "object", "properties": .object(properties), "required": .array(required),
            "additionalProperties": false,
        ]
    }

    private static func identifier(_ others: [String: JSON] = [:]) -> JSON {
        .object(["type": "integer", "minimum": 1, "maximum": 9_007_199_254_740_991].merging(others) { $1 })
    }

    private static func schema(_ column: ColumnDescription) -> JSON {
        var members: [String: JSON]
        if let destination = column.destination {
            members = identifier(["description": .string("the id of a \(destination)")]).members ?? [:]
        } else {
            members = schema(column.type).members ?? [:]
            for rule in column.attribute?.rules ?? [] { add(rule, to: &members) }
        }
        if column.isOptional, let type = members["type"] { members["type"] = .array([type, "null"]) }
        return .object(members)
    }

    private static func schema(_ type: AttributeType) -> JSON {
        switch type {
        case .string: ["type": "string"]
        case .integer16, .integer32, .integer64:
            [
                "type": "integer", "minimum": .integer(type.integerRange?.lowerBound ?? .min),
                "maximum": .integer(type.integerRange?.upperBound ?? .max),
            ]
        case .double, .decimal: ["type": "number"]
        case .boolean: ["type": "boolean"]
        case .date: ["type": "string", "format": "date-time"]
        case .day: ["type": "string", "format": "date"]
        case .timeOfDay: ["type": "string", "pattern": "^[0-9]{2}:[0-9]{2}"]
        case .uuid: ["type": "string", "format": "uuid"]
        case .binary: ["type": "string", "contentEncoding": "base64"]
        }
    }

    private static func add(_ rule: AttributeRule, to members: inout [String: JSON]) {
        switch rule {
        case .minimum(let value): members["minimum"] = JSON(value)
        case .maximum(let value): members["maximum"] = JSON(value)
        case .greaterThan(let value): members["exclusiveMinimum"] = JSON(value)
        case .lessThan(let value): members["exclusiveMaximum"] = JSON(value)
        case .oneOf(let values): members["enum"] = .array(values.map(JSON.init))
        case .minimumLength(let length): members["minLength"] = .integer(Int64(length))
        case .maximumLength(let length): members["maxLength"] = .integer(Int64(length))
        case .pattern(let pattern): members["pattern"] = .string("^(?:\(pattern))$")
        }
    }

    private static let commonSchemas: [String: JSON] = [
        "Problem": [
            "type": "object", "required": ["type", "title", "status", "instance"],
            "properties": [
                "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
                "detail": ["type": "string"], "instance": ["type": "string"], "pointer": ["type": "string"],
                "column": ["type": "integer"], "total": ["type": "integer"],
                "errors": ["type": "array", "items": ["type": "object", "required": ["detail"]]],
                "conflicts": ["type": "array", "items": ["type": "object"]],
            ],
        ],
        "ImportCounts": [
            "type": "object", "required": ["inserted", "updated", "ignored"],
            "properties": [
                "inserted": ["type": "integer"], "updated": ["type": "integer"], "ignored": ["type": "integer"],
            ],
        ],
        "Status": ["type": "object", "required": ["status"], "properties": ["status": ["type": "string"]]],
    ]

    // MARK: Paths

    private static func paths(_ path: String, _ name: String) -> [String: JSON] {
        let reference = JSON.reference(name)
        let list = parameters([
            "limit": "integer", "after": "string", "before": "string", "sort": "string",
            "where": "string", "count": "boolean",
        ])
        let groups = parameters(["by": "string", "aggregates": "string", "where": "string", "limit": "integer"])
        let id: JSON = ["name": "id", "in": "path", "required": true, "schema": identifier()]
        let ifMatch: JSON = ["name": "If-Match", "in": "header", "required": true, "schema": ["type": "string"]]
        let key: JSON = ["name": "Idempotency-Key", "in": "header", "schema": ["type": "string", "maxLength": 255]]
        return [
            path: [
                "get": operation(
                    "list\(name)", tag: name, list,
                    answers: [
                        "200": answer(json: ["type": "array", "items": reference], headers: ["Link", "Total-Count"])
                    ]),
                "post": operation(
                    "create\(name)", tag: name, [key], body: ("application/json", .reference("New\(name)")),
                    answers: ["201": answer(json: reference, headers: ["Location", "ETag"])]),
            ],
            "\(path)/{id}": [
                "get": operation(
                    "get\(name)", tag: name, [id],
                    answers: [
                        "200": answer(json: reference, headers: ["ETag"]), "304": ["description": "not modified"],
                    ]),
                "put": operation(
                    "replace\(name)", tag: name, [id, ifMatch], body: ("application/json", .reference("New\(name)")),
                    answers: ["200": answer(json: reference, headers: ["ETag"])]),
                "patch": operation(
                    "update\(name)", tag: name, [id, ifMatch],
                    body: ("application/merge-patch+json", .reference("\(name)Patch")),
                    answers: ["200": answer(json: reference, headers: ["ETag"])]),
                "delete": operation(
                    "delete\(name)", tag: name, [id, ifMatch], answers: ["204": ["description": "deleted"]]),
            ],
            "\(path)/groups": [
                "get": operation(
                    "group\(name)", tag: name, groups,
                    answers: ["200": answer(json: ["type": "array", "items": ["type": "object"]])])
            ],
            "\(path)/import": [
                "post": operation(
                    "import\(name)", tag: name, parameters(["on-conflict": "string"]),
                    body: ("application/x-ndjson", .reference("New\(name)")),
                    answers: ["200": answer(json: .reference("ImportCounts"))])
            ],
            "\(path)/export": [
                "get": operation(
                    "export\(name)", tag: name, answers: ["200": answer("application/x-ndjson", reference)])
            ],
        ]
    }

    private static let commonPaths: [String: JSON] = [
        "/events": [
            "get": operation(
                "events", tag: "events", parameters(["entity": "string", "lastEventID": "string"]),
                answers: ["200": answer("text/event-stream", ["type": "string"])])
        ],
        "/session": [
            "post": operation(
                "openSession", tag: "session",
                body: (
                    "application/json",
                    ["type": "object", "required": ["token"], "properties": ["token": ["type": "string"]]]
                ), answers: ["204": ["description": "the cookie is set"]]),
            "delete": operation(
                "closeSession", tag: "session", answers: ["204": ["description": "the cookie is deleted"]]),
        ],
        "/health": ["get": operation("health", tag: "operation", answers: ["200": answer(json: .reference("Status"))])],
        "/ready": ["get": operation("ready", tag: "operation", answers: ["200": answer(json: .reference("Status"))])],
        "/openapi.json": [
            "get": operation("description", tag: "operation", answers: ["200": answer(json: ["type": "object"])])
        ],
        "/metrics": [
            "get": operation("metrics", tag: "operation", answers: ["200": answer("text/plain", ["type": "string"])])
        ],
    ]

    private static func parameters(_ types: KeyValuePairs<String, JSON>) -> [JSON] {
        types.map { ["name": .string($0.key), "in": "query", "schema": ["type": $0.value]] }
    }

    private static func operation(
        _ id: String, tag: String, _ parameters: [JSON] = [], body: (type: String, schema: JSON)? = nil,
        answers: [String: JSON]
    ) -> JSON {
        var answers = answers
        answers["default"] = answer("application/problem+json", .reference("Problem"))
        var operation: [String: JSON] = [
            "operationId": .string(id), "tags": [.string(tag)], "parameters": .array(parameters),
            "responses": .object(answers),
        ]
        if let body {
            operation["requestBody"] = [
                "required": true, "content": .object([body.type: ["schema": body.schema]]),
            ]
        }
        return .object(operation)
    }

    private static func answer(json schema: JSON, headers: [String] = []) -> JSON {
        answer("application/json", schema, headers: headers)
    }

    private static func answer(_ type: String, _ schema: JSON, headers: [String] = []) -> JSON {
        let fields = headers.map { ($0, ["schema": ["type": "string"]] as JSON) }
        return [
            "description": "the result", "content": .object([type: ["schema": schema]]),
            "headers": .object(Dictionary(fields, uniquingKeysWith: { $1 })),
        ]
    }
}

extension JSON {
    /// Returns a reference to a schema of the document.
    fileprivate static func reference(_ name: String) -> JSON {
        ["$ref": .string("#/components/schemas/\(name)")]
    }
}
