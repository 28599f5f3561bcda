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
