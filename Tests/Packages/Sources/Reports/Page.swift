package import StrataPersistence
import StrataReports

/// The store's figures.
package func page(of container: PersistentContainer) throws -> String {
    try StoreReport(reading: container.coordinator.store, ReportOptions(title: "Invoices")).page
}
