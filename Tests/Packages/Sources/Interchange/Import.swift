package import StrataInterchange
package import StrataPersistence

/// Imports a file of this service's customers into its store.
package func importCustomers(_ input: ByteInput, into container: PersistentContainer) throws -> ImportSummary {
    try DatasetImporter(entity: "Customer", container: container, options: ImportOptions(format: .csv)).run(input)
}
