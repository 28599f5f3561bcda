import StrataCore

/// The schemas that all resources use.
enum CommonSchemas {
    static let members: [JSONValue.Member] = [
        .init(
            name: "Problem",
            value: .members([
                ("type", .text("object")), ("description", .text("The details of an error (RFC 9457).")),
                (
                    "properties",
                    .members([
                        ("type", string), ("title", string), ("status", integer), ("detail", string),
                        ("instance", string), ("pointer", string), ("column", integer), ("total", integer),
                        ("errors", .members([("type", .text("array")), ("items", error)])),
                        (
                            "conflicts",
                            .members([("type", .text("array")), ("items", .members([("type", .text("object"))]))])
                        ),
                    ])
                ),
                ("required", .list(["type", "title", "status"].map { .text($0) })),
            ])),
        .init(
            name: "ImportCounts",
            value: .members([
                ("type", .text("object")),
                ("properties", .members(["inserted", "updated", "ignored"].map { ($0, integer) })),
                ("required", .list(["inserted", "updated", "ignored"].map { .text($0) })),
            ])),
    ]

    private static let string = JSONValue.members([("type", .text("string"))])
    private static let integer = JSONValue.members([("type", .text("integer"))])
    private static let error = JSONValue.members([
        ("type", .text("object")),
        (
            "properties",
            .members([
                ("pointer", string), ("rule", string), ("line", integer), ("column", integer), ("detail", string),
            ])
        ),
        ("required", .list([.text("detail")])),
    ])
}

/// The parameters of operations, by their names.
enum CommonParameters {
    static let value = JSONValue.members([
        ("id", parameter("id", in: "path", "The identifier of the record.", RecordSchemas.identifier())),
        ("limit", query("limit", "The maximum number of elements.", integer(1...200))),
        ("after", query("after", "The token of the page's start, from a Link header.", string)),
        ("before", query("before", "The token of the page's end, from a Link header.", string)),
        (
            "sort",
            query("sort", "The properties to sort by, separated by commas; a minus sign reverses the order.", string)
        ),
        ("where", query("where", "A condition, such as name = \"Ada\".", string)),
        (
            "count",
            query("count", "The value true requests the header Total-Count.", .members([("type", .text("boolean"))]))
        ),
        ("by", query("by", "The properties of the groups, separated by commas.", string)),
        ("aggregates", query("aggregates", "The aggregates, such as count,avg(salary).", string)),
        (
            "on-conflict",
            query("on-conflict", "The treatment of records whose unique values exist already.", string)
        ),
        ("If-Match", header("If-Match", "The entity tag of the record; * for any version.", isRequired: true)),
        ("If-None-Match", header("If-None-Match", "The entity tag that the client has.", isRequired: false)),
        (
            "Idempotency-Key",
            header(
                "Idempotency-Key", "A key of the client, with which a repeated request has no further effect.",
                isRequired: false)
        ),
    ])

    private static let string = JSONValue.members([("type", .text("string"))])

    private static func integer(_ range: ClosedRange<Int64>) -> JSONValue {
        .members([
            ("type", .text("integer")), ("minimum", .number(range.lowerBound)), ("maximum", .number(range.upperBound)),
        ])
    }

    private static func parameter(
        _ name: String, in place: String, _ description: String, _ schema: JSONValue, isRequired: Bool = true
    ) -> JSONValue {
        var members: [(String, JSONValue)] = [("name", .text(name)), ("in", .text(place))]
        if isRequired { members.append(("required", .boolean(true))) }
        return .members(members + [("description", .text(description)), ("schema", schema)])
    }

    private static func query(_ name: String, _ description: String, _ schema: JSONValue) -> JSONValue {
        parameter(name, in: "query", description, schema, isRequired: false)
    }

    private static func header(_ name: String, _ description: String, isRequired: Bool) -> JSONValue {
        parameter(name, in: "header", description, string, isRequired: isRequired)
    }
}

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

/// The responses that all operations share.
enum CommonResponses {
    static let value = JSONValue.members([
        (
            "Problem",
            .members([
                ("description", .text("The details of an error.")),
                (
                    "content",
                    .members([
                        ("application/problem+json", .members([("schema", .reference("schemas", "Problem"))]))
                    ])
                ),
            ])
        )
    ])
}
