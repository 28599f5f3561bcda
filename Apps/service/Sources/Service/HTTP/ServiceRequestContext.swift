import Hummingbird

/// The context of a request.
struct ServiceRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The name of the authenticated client.
    var principal = "anonymous"

    init(source: Source) { coreContext = CoreRequestContextStorage(source: source) }
}
