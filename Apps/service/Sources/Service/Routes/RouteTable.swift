import HTTPTypes
import Hummingbird

/// The registration of routes with their time limits, and the rejection of other methods on the same paths.
struct RouteTable {
    typealias Handler = @Sendable (Request, ServiceRequestContext) async throws -> Response

    private static let methods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete]

    private let router: any RouterMethods<ServiceRequestContext>
    private let limit: Duration
    private var methods: [String: Set<HTTPRequest.Method>] = [:]

    init(_ router: any RouterMethods<ServiceRequestContext>, limit: Duration) {
        (self.router, self.limit) = (router, limit)
    }

    /// Adds a route.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, with parameters in braces.
    ///   - other: The maximum duration until the head of the response; `nil` is the limit of the table.
    ///   - handler: The handler.
    mutating func add(
        _ method: HTTPRequest.Method, _ path: String, limit other: Duration? = nil, use handler: @escaping Handler
    ) {
        let limit = other ?? limit
        methods[path, default: []].insert(method)
        on(method, path) { request, context in
            try await withTimeLimit(limit) { try await handler(request, context) }
        }
    }

    /// Adds the rejection of other methods with status 405.
    func rejectOtherMethods() {
        for (path, methods) in methods {
            let allowed = methods.map(\.rawValue).sorted().joined(separator: ", ")
            for method in Self.methods where !methods.contains(method) {
                on(method, path) { _, _ in
                    throw Problem(
                        .methodNotAllowed, "methodNotAllowed", title: "Method not allowed",
                        detail: "the path permits \(allowed)", headers: [.allow: allowed])
                }
            }
        }
    }

    private func on(_ method: HTTPRequest.Method, _ path: String, use handler: @escaping Handler) {
        router.on(RouterPath(path), method: method, use: handler)
    }
}
