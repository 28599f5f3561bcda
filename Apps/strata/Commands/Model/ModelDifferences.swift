import StrataModelFiles
import StrataPersistence
import StrataStoreKit

/// The differences between two models, and their effects on stores of the earlier model.
struct ModelDifferences: Encodable {
    /// The differences, one sentence each.
    let differences: [String]
    /// The steps of the migration of a store.
    let steps: [MigrationReport.Step]
    /// The reasons why a store may not be migrated automatically, one sentence each.
    let reasons: [String]

    /// The effects on stores, one on each line.
    let lines: [String]

    private enum CodingKeys: CodingKey {
        case differences, steps, reasons
    }

    init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
        differences = ModelFile.differences(from: old, to: new)
        let mapping = ModelMapping(from: old, to: new)
        steps = mapping.steps.map(MigrationReport.Step.init)
        reasons = mapping.risks
        lines =
            mapping.steps.map { "\($0.isPhysical ? "migrates" : "changes without migration"): \($0)" }
            + mapping.risks.map { "requires a decision or a migration stage: \($0)" }
    }
}
