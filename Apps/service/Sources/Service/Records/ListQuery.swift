import Foundation
import Hummingbird
import StrataPersistence

/// The parameters of a list.
struct ListQuery<Record: PersistentRecord>: Sendable {
    static var limits: ClosedRange<Int> { 1...200 }
    static var defaultLimit: Int { 50 }

    let request: FetchRequest<Record>
    let limit: Int
    let token: PageToken?
    let isCounted: Bool
    /// The parameters that the links of other pages repeat.
    let repeated: [(name: String, value: String)]

    /// Reads the parameters of a list.
    ///
    /// - Throws: ``Problem`` or `PredicateTextError` for unknown and invalid parameters.
    init(_ parameters: Parameters, of resource: Resource<Record>, texts: ClientTexts) throws {
        try parameters.requireNames(["limit", "after", "before", "sort", "where", "count"])
        limit = try Self.limit(parameters)
        let tokens = [parameters.get("after"), parameters.get("before")].compactMap(\.self)
        guard tokens.count < 2 else { throw Problem.badRequest("after and before exclude each other; omit one") }
        token = try tokens.first.map(PageToken.init)
        isCounted =
            try parameters.get("count").map { text in
                guard let isCounted = Bool(text) else { throw Problem.badRequest("count is neither true nor false") }
                return isCounted
            } ?? false
        request = FetchRequest(
            try parameters.get("where").map { .condition(try texts.condition($0, of: resource.entity)) },
            sort: try Self.sort(parameters.get("sort") ?? "", resource))
        repeated = ["limit", "sort", "where", "count"].compactMap { name in parameters.get(name).map { (name, $0) } }
    }

    static func limit(_ parameters: Parameters) throws -> Int {
        guard let text = parameters.get("limit") else { return defaultLimit }
        guard let limit = Int(text), limits.contains(limit) else {
            throw Problem.badRequest("limit is not a number from \(limits.lowerBound) to \(limits.upperBound)")
        }
        return limit
    }

    private static func sort(_ text: String, _ resource: Resource<Record>) throws -> [SortKey<Record>] {
        try text.split(separator: ",").map { key in
            let name = String(key.hasPrefix("-") ? key.dropFirst() : key)
            guard name == "id" || resource.sortable.contains(name) else {
                throw Problem.badRequest(
                    "sort must not contain \"\(name)\"; use \(resource.sortable.joined(separator: ", "))")
            }
            return SortKey(name, order: key.hasPrefix("-") ? .reverse : .forward)
        }
    }

    /// Returns the Link header of a page (RFC 8288).
    func link(_ page: Page<Record>, path: String) -> String? {
        func target(_ name: String, _ token: PageToken) -> String {
            let items = repeated + [(name, token.description)]
            return "/\(path)?" + items.map { "\($0.0)=\($0.1.percentEncoded)" }.joined(separator: "&")
        }
        let links =
            (page.next.map { ["<\(target("after", $0))>; rel=\"next\""] } ?? [])
            + (page.previous.map { ["<\(target("before", $0))>; rel=\"prev\""] } ?? [])
        return links.isEmpty ? nil : links.joined(separator: ", ")
    }
}

/// The reader of conditions and selections that clients write.
struct ClientTexts: Sendable {
    let model: ManagedObjectModel
    let maximumBytes: Int

    init(_ model: ManagedObjectModel, maximumBytes: Int) throws {
        self.model = try model.restricted(to: Resources.permitted)
        self.maximumBytes = maximumBytes
    }

    /// Returns the condition in a text, which can contain only the permitted properties.
    func condition(_ text: String, of entity: String) throws -> FetchCondition {
        try checkLength(text)
        return try PredicateText(entity, in: model).condition(text)
    }

    func checkLength(_ text: String) throws {
        guard text.utf8.count <= maximumBytes else {
            throw Problem.badRequest("a condition has more than \(maximumBytes) bytes; use a shorter one")
        }
    }
}

extension Resource {
    /// The names of the permitted properties with a value in each record.
    var sortable: [String] { permitted.filter { Record.entity.description.columnIndex($0) != nil }.sorted() }
}

extension Parameters {
    /// Rejects parameters other than the given ones, and parameters that occur twice.
    func requireNames(_ names: Set<String>) throws {
        var found: Set<Substring> = []
        for (name, _) in self {
            guard names.contains(String(name)) else {
                throw Problem.badRequest(
                    "unknown parameter \"\(name)\"; use \(names.sorted().joined(separator: ", "))")
            }
            guard found.insert(name).inserted else { throw Problem.badRequest("\(name) occurs twice; use it once") }
        }
    }
}

extension String {
    /// The text for a component of a query.
    fileprivate var percentEncoded: String {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~")
        return addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
}
