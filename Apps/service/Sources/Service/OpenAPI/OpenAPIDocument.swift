import Foundation
import StrataModelOpenAPI
import StrataPersistence

/// The description of the API (OpenAPI 3.1): the records of the model, and the routes that only the service has.
struct OpenAPIDocument {
    let json: JSON

    /// Creates the description of the resources.
    ///
    /// - Throws: `DecodingError` if the description of the model is not JSON.
    init(_ model: ManagedObjectModel) throws {
        let resources = [
            (Resources.colors.path, Resources.colors.entity), (Resources.bosses.path, Resources.bosses.entity),
            (Resources.employees.path, Resources.employees.entity), (Resources.items.path, Resources.items.entity),
        ].map { OpenAPIDescription.Resource(entity: $0.1, path: "/\($0.0)") }
        let description = OpenAPIDescription(model, title: "Strata service", resources: resources)
        let document = try JSONDecoder().decode(JSON.self, from: Data(description.text.utf8))
        json = document.merging(["paths": .object(Self.ownPaths), "components": ["schemas": ["Status": Self.status]]])
    }

    private static let status: JSON = [
        "type": "object", "required": ["status"], "properties": ["status": ["type": "string"]],
    ]

    private static let ownPaths: [String: JSON] = [
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
                ), answers: ["204": ["description": "The cookie is set."]]),
            "delete": operation(
                "closeSession", tag: "session", answers: ["204": ["description": "The cookie is deleted."]]),
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
        answers["default"] = ["$ref": "#/components/responses/Problem"]
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

    private static func answer(json schema: JSON) -> JSON { answer("application/json", schema) }

    private static func answer(_ type: String, _ schema: JSON) -> JSON {
        ["description": "The result.", "content": .object([type: ["schema": schema]])]
    }
}

extension JSON {
    /// Returns the object with the members of another object, in which nested objects are merged too.
    fileprivate func merging(_ other: JSON) -> JSON {
        guard case .object(let mine) = self, case .object(let others) = other else { return other }
        return .object(mine.merging(others) { $0.merging($1) })
    }

    /// Returns a reference to a schema of the document.
    fileprivate static func reference(_ name: String) -> JSON {
        ["$ref": .string("#/components/schemas/\(name)")]
    }
}
