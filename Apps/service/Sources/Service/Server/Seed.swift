import Foundation
import Logging
import StrataDomain
import StrataInterchange
import StrataPersistence
import StrataRepositories

/// The import of Strata's datasets into an empty store.
struct Seed {
    private struct Dataset {
        let entity: String
        let file: String
        let format: DatasetFormat
        var mapping: [String: String] = [:]
        var constants: [String: String] = [:]
        var root: String?
    }

    private static let datasets = [
        Dataset(
            entity: "Color", file: "colors/xkcd.json", format: .json, mapping: ["color": "name"], root: "colors"),
        Dataset(entity: "Boss", file: "oracle-hr/employees.csv", format: .csv, mapping: ["employee_id": "id"]),
        Dataset(
            entity: "Employee", file: "oracle-hr/employees.csv", format: .csv,
            mapping: ["employee_id": "id", "manager_id": "boss", "hire_date": "dateHired"]),
        Dataset(
            entity: "Item", file: "warehouse/product.csv", format: .csv, mapping: ["price (EUR)": "unitPrice"],
            constants: ["unitCost": "10.00", "stockCount": "25"]),
    ]

    private let folder: URL
    private let container: PersistentContainer
    private let logger: Logger

    init(from folder: URL, into container: PersistentContainer, logger: Logger) {
        (self.folder, self.container, self.logger) = (folder, container, logger)
    }

    /// Imports the datasets, unless the store has records.
    ///
    /// - Throws: ``ConfigurationError`` if the folder does not contain the datasets.
    func run() async throws {
        let context = container.backgroundContext
        let employees: any EmployeeRepository = StoredEmployeeRepository(context)
        let colors: any ColorRepository = StoredColorRepository(context)
        guard try await employees.count() == 0, try await colors.count() == 0 else { return }
        for dataset in Self.datasets {
            let file = folder.appendingPathComponent(dataset.file)
            guard FileManager.default.fileExists(atPath: file.path) else {
                throw ConfigurationError("\(file.path) does not exist; use --seed with Strata's folder Fixtures")
            }
            var options = ImportOptions(format: dataset.format)
            options.reading.mapping = dataset.mapping
            options.reading.constants = dataset.constants
            options.reading.root = dataset.root
            options.reading.ignoresUnknownColumns = true
            let importer = try DatasetImporter(entity: dataset.entity, container: container, options: options)
            let summary = try importer.run(try ByteInput(path: file.path))
            logger.info("seeded", metadata: ["entity": "\(dataset.entity)", "records": "\(summary.count)"])
        }
    }
}
