import StrataCore

/// The headers of responses, by their names.
enum CommonHeaders {
    static let value = JSONValue.members([
        ("ETag", header("The entity tag of the record.", "string")),
        ("Link", header("The next and the previous page (RFC 8288).", "string")),
        ("Location", header("The path of the record.", "string")),
        ("Total-Count", header("The number of all records of the list.", "integer")),
    ])

    private static func header(_ description: String, _ type: String) -> JSONValue {
        .members([("description", .text(description)), ("schema", .members([("type", .text(type))]))])
    }
}
