import StrataModelFiles
import StrataPersistence

/// What differs between two models, and what it means for stores of the earlier one.
struct ModelDifferences: Encodable {
    /// A sentence each.
    let differences: [String]
    /// What a store does to follow.
    let steps: [MigrationReport.Step]
    /// Why a store may not follow by itself, a sentence each.
    let reasons: [String]

    /// What it means for stores, in lines.
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
            mapping.steps.map { "\($0.isPhysical ? "migrates" : "is taken over"): \($0)" }
            + mapping.risks.map { "needs a choice or a stage: \($0)" }
    }
}
