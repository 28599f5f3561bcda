import StrataCore

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
