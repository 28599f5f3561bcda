import StrataCore

/// The paths of one entity: its list, its records, and its import and export.
struct ResourcePaths {
    private let name: String
    private let names: SchemaNames
    private let path: String

    init(_ name: String, _ names: SchemaNames, path: String) {
        (self.name, self.names, self.path) = (name, names, path)
    }

    var members: [JSONValue.Member] {
        [
            member(path, [("get", list), ("post", create)]),
            member("\(path)/groups", [("get", groups)]),
            member("\(path)/import", [("post", importing)]),
            member("\(path)/export", [("get", exporting)]),
            member("\(path)/{id}", [("get", read), ("put", replace), ("patch", update), ("delete", delete)]),
        ]
    }

    private func member(_ path: String, _ operations: [(String, JSONValue)]) -> JSONValue.Member {
        JSONValue.Member(name: path, value: .members(operations))
    }

    private var record: JSONValue { .reference("schemas", names.record) }
    private var newRecord: JSONValue { .reference("schemas", names.new) }

    private static let json = "application/json"
    private static let lines = "application/x-ndjson"

    // MARK: Operations

    private var list: JSONValue {
        operation(
            "list\(name)", "Returns a page of records.", ["limit", "after", "before", "sort", "where", "count"],
            responses: [
                ("200", response("A page.", Self.json, Self.array(record), headers: ["Link", "Total-Count"]))
            ])
    }

    private var create: JSONValue {
        operation(
            "create\(name)", "Saves a new record.", ["Idempotency-Key"], body: (Self.json, newRecord),
            responses: [("201", response("The record.", Self.json, record, headers: ["Location", "ETag"]))])
    }

    private var groups: JSONValue {
        operation(
            "group\(name)", "Returns groups of records with sums and counts.", ["by", "aggregates", "where", "limit"],
            responses: [
                (
                    "200",
                    response("The groups.", Self.json, Self.array(.members([("type", .text("object"))])))
                )
            ])
    }

    private var importing: JSONValue {
        operation(
            "import\(name)", "Saves the records in lines of JSON, all or none.", ["on-conflict"],
            body: (Self.lines, newRecord),
            responses: [("200", response("The counts.", Self.json, .reference("schemas", "ImportCounts")))])
    }

    private var exporting: JSONValue {
        operation(
            "export\(name)", "Returns all records as lines of JSON.", [],
            responses: [("200", response("The records.", Self.lines, record))])
    }

    private var read: JSONValue {
        operation(
            "get\(name)", "Returns a record.", ["id", "If-None-Match"],
            responses: [
                ("200", response("The record.", Self.json, record, headers: ["ETag"])),
                ("304", .members([("description", .text("The record is unchanged."))])),
            ])
    }

    private var replace: JSONValue {
        operation(
            "replace\(name)", "Replaces a record.", ["id", "If-Match"],
            body: (Self.json, newRecord),
            responses: [("200", response("The record.", Self.json, record, headers: ["ETag"]))])
    }

    private var update: JSONValue {
        operation(
            "update\(name)", "Changes the given members of a record (RFC 7396).",
            ["id", "If-Match"],
            body: ("application/merge-patch+json", .reference("schemas", names.patch)),
            responses: [("200", response("The record.", Self.json, record, headers: ["ETag"]))])
    }

    private var delete: JSONValue {
        operation(
            "delete\(name)", "Deletes a record.", ["id", "If-Match"],
            responses: [("204", .members([("description", .text("The record is deleted."))]))])
    }

    // MARK: Parts

    private func operation(
        _ id: String, _ summary: String, _ parameters: [String], body: (type: String, schema: JSONValue)? = nil,
        responses: [(String, JSONValue)]
    ) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("operationId", .text(id)), ("summary", .text(summary)), ("tags", .list([.text(name)])),
        ]
        if !parameters.isEmpty {
            members.append(("parameters", .list(parameters.map { .reference("parameters", $0) })))
        }
        if let body {
            let content = JSONValue.members([(body.type, .members([("schema", body.schema)]))])
            members.append(("requestBody", .members([("required", .boolean(true)), ("content", content)])))
        }
        members.append(("responses", .members(responses + [("default", .reference("responses", "Problem"))])))
        return .members(members)
    }

    private func response(
        _ description: String, _ type: String, _ schema: JSONValue, headers: [String] = []
    ) -> JSONValue {
        var members: [(String, JSONValue)] = [("description", .text(description))]
        if !headers.isEmpty {
            members.append(("headers", .members(headers.map { ($0, .reference("headers", $0)) })))
        }
        members.append(("content", .members([(type, .members([("schema", schema)]))])))
        return .members(members)
    }

    private static func array(_ items: JSONValue) -> JSONValue {
        .members([("type", .text("array")), ("items", items)])
    }
}
