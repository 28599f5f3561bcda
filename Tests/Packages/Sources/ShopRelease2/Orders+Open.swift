import Foundation
public import StrataPersistence

// The other code of this module is generated from shop-2.model.json before it is compiled.

extension Orders {
    /// A request for the open orders, the highest total first.
    public static var open: FetchRequest<Orders> {
        let open = Orders.Status.open
        return FetchRequest(where: #Predicate { $0.status == open }, sort: [SortKey(\.total, order: .reverse)])
    }
}
