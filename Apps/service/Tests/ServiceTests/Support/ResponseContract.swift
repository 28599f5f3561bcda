import HTTPTypes
import Testing

@testable import Service

/// The comparison of responses with the description of the API: statuses, media types, required members and types.
struct ResponseContract: Sendable {
    private let document: JSON

    init(_ document: JSON) { self.document = document }

    func check(_ answer: Answer, _ method: HTTPRequest.Method, path: String) throws {
        guard let operation = operation(method, path) else {
            // Only requests that the description does not contain are rejected as such.
            #expect([404, 405, 401].contains(answer.status.code), "\(method) \(path) is not described")
            return
        }
        let responses = operation.members?["responses"]?.members
        let described = (responses?["\(answer.status.code)"] ?? responses?["default"]).map(resolved)
        guard let content = described?.members?["content"]?.members else {
            #expect(answer.body.isEmpty, "\(method) \(path): \(answer.status) has an undescribed body")
            return
        }
        let type = answer.headers[.contentType]?.prefix { $0 != ";" } ?? ""
        guard let schema = content[String(type)]?.members?["schema"] else {
            Issue.record("\(method) \(path): \(answer.status) has the undescribed type \(type)")
            return
        }
        guard type.hasSuffix("json") && !type.hasSuffix("ndjson") else { return }
        for fault in faults(try answer.json, schema, at: "") {
            Issue.record("\(method) \(path)\(fault): \(answer.body)")
        }
    }

    private func operation(_ method: HTTPRequest.Method, _ path: String) -> JSON? {
        let paths = document.members?["paths"]?.members ?? [:]
        let parts = path.split(separator: "/")
        let template =
            paths[path] == nil && parts.count == 2 ? "/\(parts[0])/{id}" : path
        return paths[template]?.members?[method.rawValue.lowercased()]
    }

    /// Returns the faults of a value, each with the location.
    func faults(_ value: JSON, _ schema: JSON, at place: String) -> [String] {
        guard let schema = resolved(schema).members else { return ["\(place): no schema"] }
        guard isType(value, schema["type"]) else { return ["\(place): not \(schema["type"] ?? .null)"] }
        switch value {
        case .array(let elements):
            return elements.enumerated().flatMap { faults($1, schema["items"] ?? [:], at: "\(place)/\($0)") }
        case .object(let members):
            var found: [String] = []
            if case .array(let required)? = schema["required"] {
                found += required.compactMap { name in
                    guard case .string(let name) = name, members[name] == nil else { return nil }
                    return "\(place): \(name) is missing"
                }
            }
            let properties = schema["properties"]?.members ?? [:]
            for (name, member) in members {
                if let property = properties[name] {
                    found += faults(member, property, at: "\(place)/\(name)")
                } else if schema["additionalProperties"] == false {
                    found.append("\(place): \(name) is not described")
                }
            }
            return found
        default: return []
        }
    }

    /// Returns a component of the document instead of a reference to it.
    private func resolved(_ value: JSON) -> JSON {
        guard case .string(let reference)? = value.members?["$ref"] else { return value }
        let path = reference.split(separator: "/").dropFirst()
        return path.reduce(document) { $0.members?[String($1)] ?? .null }
    }

    private func isType(_ value: JSON, _ type: JSON?) -> Bool {
        switch type {
        case .array(let types)?: return types.contains { isType(value, $0) }
        case .string(let name)?:
            return switch value {
            case .null: name == "null"
            case .boolean: name == "boolean"
            case .integer: name == "integer" || name == "number"
            case .decimal: name == "number"
            case .string: name == "string"
            case .array: name == "array"
            case .object: name == "object"
            }
        default: return true
        }
    }
}
