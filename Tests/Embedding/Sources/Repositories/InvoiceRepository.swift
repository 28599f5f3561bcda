public import Domain
import Foundation
import Model
public import StrataPersistence

/// Invoices, whatever stands behind them.
public struct InvoiceRepository: Sendable {
    private let context: any RecordContext

    public init(_ context: any RecordContext) {
        self.context = context
    }

    public func find(_ number: String) async throws -> Invoice? {
        try await context.fetch(FetchRequest<Invoice>(where: #Predicate { $0.number == number })).first
    }

    public func renumber(_ id: InvoiceID, to number: String) async throws -> Invoice {
        try await context.update(Invoice.self, id: id) { $0.number = number }
    }
}
