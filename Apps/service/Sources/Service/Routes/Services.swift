import Hummingbird
import Logging
import StrataPersistence

/// The dependencies of the handlers: protocols and values.
///
/// The program passes a container's parts, and the tests pass structs.
struct Services: Sendable {
    let model: ManagedObjectModel
    /// The context for reading.
    let reads: any RecordContext
    /// The context for writing.
    let writes: any RecordContext
    let transfer: any RecordTransfer
    let probe: any StoreProbe
    let feed: ChangeFeed
    let authenticator: any Authenticator
    let metrics: PrometheusMetrics
    let pages: WebPages
    let texts: ClientTexts
    let limits: Configuration.Limits
    let streams: StreamLimiter
    let hasSecureCookies: Bool
    /// A Boolean value that indicates whether clients have no credentials, which is possible on loopback only.
    let isOpen: Bool

    var idempotency: Idempotency { Idempotency(records: writes) }

    /// Returns the router with all routes.
    func router() throws -> Router<ServiceRequestContext> {
        let router = Router(context: ServiceRequestContext.self, options: [.autoGenerateHeadEndpoints])
        // Conditions and tokens in queries contain values of users.
        let secrets: Set = ["where", "after", "before", "lastEventID"]
        router.add(middleware: TracingMiddleware(redactingQueryParameters: secrets))
        router.add(middleware: RequestLogMiddleware())
        router.add(middleware: MetricsMiddleware())
        router.add(middleware: SecurityHeadersMiddleware())
        router.add(middleware: ProblemMiddleware())
        if isOpen { router.add(middleware: LoopbackHostMiddleware()) }
        var open = RouteTable(router, limit: limits.requestTime)
        PageRoutes(pages: pages).add(to: &open)
        OperationRoutes(services: self).addOpen(to: &open)
        SessionRoutes(authenticator: authenticator, hasSecureCookies: hasSecureCookies).add(to: &open)
        open.rejectOtherMethods()

        let group = router.group().add(middleware: AuthenticationMiddleware(authenticator: authenticator))
        var table = RouteTable(group, limit: limits.requestTime)
        try RecordRoutes(Resources.colors, self).add(to: &table)
        try RecordRoutes(Resources.bosses, self).add(to: &table)
        try RecordRoutes(Resources.employees, self).add(to: &table)
        try RecordRoutes(Resources.items, self).add(to: &table)
        EventRoutes(feed: feed, streams: streams, writeTime: limits.writeTime).add(to: &table)
        OperationRoutes(services: self).addProtected(to: &table)
        table.rejectOtherMethods()
        return router
    }
}
