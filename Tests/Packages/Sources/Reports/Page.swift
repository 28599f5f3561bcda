package import StrataPersistence
import StrataReports

/// Returns the report of the store as a page.
package func page(of container: PersistentContainer) throws -> String {
    try StoreReport(reading: container.coordinator.store, ReportOptions(title: "Invoices")).page
}
