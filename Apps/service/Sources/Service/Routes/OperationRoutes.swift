import HTTPTypes
import Hummingbird
import StrataPersistence

/// The state of the store and of the process.
protocol StoreProbe: Sendable {
    /// Throws an error if the service cannot answer requests.
    func check() async throws
}

/// The routes for operators: health, readiness, metrics and the description of the API.
struct OperationRoutes: Sendable {
    let services: Services

    func addOpen(to table: inout RouteTable) {
        // Restarts do not repair a store, so that the health does not depend on it.
        table.add(.get, "/health") { _, _ in try .json(["status": "ok"]) }
        table.add(.get, "/ready", use: ready)
        let description = Result { try OpenAPIDocument(services.model).json.text }
        table.add(.get, "/openapi.json") { _, _ in .json(text: try description.get()) }
    }

    func addProtected(to table: inout RouteTable) {
        table.add(.get, "/metrics") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: services.metrics.text())))
        }
    }

    private func ready(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        do { try await services.probe.check() } catch let problem as Problem { throw problem } catch {
            throw Problem.unavailable("notReady", "\(error)")
        }
        return try .json(["status": "ready"])
    }
}
