package import Domain
package import Foundation
import Model
package import StrataPersistence

/// The stack of this service, with one use of each name that comes with `import StrataPersistence`.
package struct Billing: Sendable {
    package let container: PersistentContainer

    /// Opens a store.
    package init(_ description: PersistentStoreDescription) throws {
        container = try PersistentContainer(model: model(), description, mainQueue: .private)
    }

    /// Opens a store file, and handles a store that another process has locked.
    package init(at url: URL) throws {
        var description = PersistentStoreDescription.sqlite(at: url)
        description.busyTimeout = .seconds(1)
        try self.init(description)
    }

    /// Returns invoices; the filter is this service's own type, and the conditions are Strata's.
    package func invoices(_ filter: Filter, of name: String) throws -> [Invoice] {
        let theirs = RecordFilter<Invoice>.related(
            \.customer, matching: RecordFilter<Customer>.matching(#Predicate { $0.name == name }))
        let request = FetchRequest<Invoice>(
            filter == .all ? nil : theirs, sort: [SortKey(\.number, order: .reverse)], limit: 10)
        return try container.mainContext.performAndWait { context in try context.fetch(request).map(\.record) }
    }

    /// Changes several objects in one save.
    @discardableResult
    package func bill(_ name: String, _ numbers: [String]) throws -> Int {
        let context: ManagedObjectContext = container.newBackgroundContext()
        return try context.performAndWait { (context: ConfinedContext) in
            let customer = try context.insert(Customer.self) { Customer(id: $0, name: name) }
            for number in numbers {
                let invoice: Managed<Invoice> = try context.insert(Invoice.self) {
                    Invoice(id: $0, number: number, customer: nil)
                }
                try context.add(invoice, to: \.invoices, of: customer)
            }
            let saved: SavedChanges = try context.save()
            return saved.inserted.values.reduce(0) { $0 + $1.count }
        }
    }

    /// Returns the status of the response to a failed request.
    package static func status(of error: any Error) -> Int {
        guard let error = error as? PersistenceError else { return 500 }
        switch error.code {
        case .validation: return 422
        case .conflict, .uniqueness: return 409
        case .objectNotFound: return 404
        default: return 500
        }
    }
}
