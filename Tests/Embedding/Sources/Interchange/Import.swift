public import StrataInterchange
public import StrataPersistence

/// Brings a file of this service's customers into its store.
public func importCustomers(_ input: ByteInput, into container: PersistentContainer) throws -> ImportSummary {
    try DatasetImporter(entity: "Customer", container: container, options: ImportOptions(format: .csv)).run(input)
}
