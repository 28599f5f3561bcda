import NIOCore
import StrataPersistence

/// An event for clients, as text of the event stream format.
struct ChangeEvent: Sendable {
    let entity: String?
    let text: String

    /// Returns the event of a changed row.
    static func change(_ entity: String, id: Int64, kind: HistoryChange.Kind, version: Int64?) -> ChangeEvent {
        let kind =
            switch kind {
            case .insert: "inserted"
            case .delete: "deleted"
            default: "updated"
            }
        let version = version.map(String.init) ?? "null"
        return ChangeEvent(
            entity: entity,
            text: """
                event: change
                data: {"entity":"\(entity)","id":\(id),"kind":"\(kind)","version":\(version)}

                """)
    }

    /// The event after which a client reads its lists again.
    static let resync = ChangeEvent(entity: nil, text: "event: resync\ndata: {}\n")
}

/// The events of one transaction.
struct ChangeBatch: Sendable {
    let token: HistoryToken
    let events: [ChangeEvent]

    /// Returns the text for a client that subscribes to some entities; `nil` if nothing concerns it.
    ///
    /// Only the last event has an identifier: a client that receives a part of a transaction resumes before it.
    func text(entities: Set<String>) -> String? {
        let texts = events.filter { $0.entity.map(entities.contains) ?? true }.map(\.text)
        guard let last = texts.last else { return nil }
        return texts.dropLast().map { $0 + "\n" }.joined() + "id: \(token)\n" + last + "\n"
    }
}
