import Foundation
import Hummingbird
import StrataPersistence

/// The parameters of groups: the keys and the aggregates.
struct GroupQuery<Record: PersistentRecord> {
    private static var functions: Set<String> { ["count", "sum", "avg", "min", "max"] }

    let selection: StoreSelection
    /// The names of the values in each group.
    let names: [String]

    init(_ parameters: Parameters, of resource: Resource<Record>, texts: ClientTexts) throws {
        try parameters.requireNames(["by", "aggregates", "where", "limit"])
        let keys = (parameters.get("by") ?? "").split(separator: ",").map(String.init)
        let aggregates = (parameters.get("aggregates") ?? "count").split(separator: ",").map(String.init)
        for key in keys { try Self.check(key, resource) }
        let calls = try aggregates.map { try Self.call($0, resource) }
        let condition = parameters.get("where")
        if let condition { try texts.checkLength(condition) }
        let named = try PredicateText(resource.entity, in: texts.model).selection(
            (keys + calls).joined(separator: ", "), where: condition,
            groupBy: keys.isEmpty ? nil : keys.joined(separator: ", "), limit: try ListQuery<Record>.limit(parameters))
        (selection, names) = (named.selection, keys + aggregates)
    }

    /// Returns the values of a group as an object.
    func object(_ values: [StoredValue]) -> JSON {
        .object(Dictionary(zip(names, values.map(JSON.init)), uniquingKeysWith: { $1 }))
    }

    private static func check(_ name: String, _ resource: Resource<Record>) throws {
        guard resource.sortable.contains(name) else {
            throw Problem.badRequest(
                "groups must not contain \"\(name)\"; use \(resource.sortable.joined(separator: ", "))")
        }
    }

    /// Returns the call of an aggregate such as `count` or `avg(salary)`.
    private static func call(_ text: String, _ resource: Resource<Record>) throws -> String {
        let name = String(text.prefix { $0 != "(" })
        guard functions.contains(name) else {
            throw Problem.badRequest("unknown aggregate \"\(name)\"; use \(functions.sorted().joined(separator: ", "))")
        }
        let rest = text.dropFirst(name.count)
        if rest.isEmpty, name == "count" { return "count()" }
        guard rest.hasPrefix("("), rest.hasSuffix(")") else {
            throw Problem.badRequest("\(name) needs a property in parentheses, such as \(name)(name)")
        }
        try check(String(rest.dropFirst().dropLast()), resource)
        return text
    }
}

extension JSON {
    /// Creates the JSON value of a stored value, as exports write it.
    init(_ value: StoredValue) {
        self =
            switch value {
            case .null: .null
            case .boolean(let isTrue): .boolean(isTrue)
            case .integer(let number): .integer(number)
            case .double(let number): Decimal(string: "\(number)").map(JSON.decimal) ?? .null
            case .decimal(let number): .decimal(number.decimal)
            case .string(let text): .string(text)
            default: .string(value.description)
            }
    }
}
