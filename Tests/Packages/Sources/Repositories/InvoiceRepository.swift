package import Domain
import Foundation
import Model
package import StrataPersistence

/// A repository of invoices over any record context.
package struct InvoiceRepository: Sendable {
    private let context: any RecordContext

    package init(_ context: any RecordContext) {
        self.context = context
    }

    package func find(_ number: String) async throws -> Invoice? {
        try await context.fetch(FetchRequest<Invoice>(where: #Predicate { $0.number == number })).first
    }

    package func renumber(_ id: InvoiceID, to number: String) async throws -> Invoice {
        try await context.update(Invoice.self, id: id) { $0.number = number }
    }
}
