extension PersistenceError {
    /// Returns the error for changes between two models that no mapping rule covers.
    static func notInferable(_ obstacles: [String]) -> PersistenceError {
        PersistenceError(
            .incompatibleModel,
            "the store was created with another model, and the changes to this model cannot be inferred; nothing was "
                + "changed:\n  "
                + obstacles.joined(separator: "\n  "))
    }

    /// Returns the error for data that a migration would delete without being named in its options.
    static func dataLoss(_ drops: [MigrationDrop], _ hints: [String]) -> PersistenceError {
        var error = PersistenceError(
            .dataLoss,
            "the migration would drop data; nothing was changed. Allow it by name: "
                + drops.map(\.description).joined(separator: ", ")
                + hints.map { "\n  \($0)" }.joined())
        if drops.count == 1 { (error.entity, error.attribute) = (drops[0].entity, drops[0].attribute) }
        return error
    }

    /// Returns the error for rows that break rules of the later model.
    package static func brokenByRows(_ violations: [MigrationViolation]) -> PersistenceError {
        var error = PersistenceError(
            .validation,
            "rows of the store break rules of the model; nothing was changed:\n  "
                + violations.map(\.description).joined(separator: "\n  "))
        if let first = violations.first, violations.count == 1 {
            (error.entity, error.attribute, error.id) = (first.entity, first.attribute, first.ids.first)
        }
        return error
    }

    /// Returns the error for a store whose rows need a migration that the options do not permit.
    package static func needsMigration(_ steps: [MigrationStep], _ reason: String) -> PersistenceError {
        PersistenceError(
            .incompatibleModel,
            "the store was created with another model, but \(reason); nothing was changed. Changes to this model:\n  "
                + steps.filter(\.isPhysical).map(\.description).joined(separator: "\n  "))
    }

    /// Returns the error for a stored value that the migration cannot convert, because another program wrote it.
    ///
    /// Every value that this library writes was validated by the check before the migration.
    package static func unconvertible(path: String) -> PersistenceError {
        PersistenceError(
            .corrupt,
            "a row has a value that is invalid for its attribute and was written by another program; check the store "
                + "to find the row",
            path: path)
    }

    /// Returns the error for a store that another writer migrated to another model after this store object opened it.
    package static func storeMigrated(from model: String, to later: String, path: String) -> PersistenceError {
        let change =
            model == later
            ? "another process turned the history of the store on or off, or rebuilt its views,"
            : "the store was migrated from model \(model) to model \(later)"
        let advice = model == later ? "close it, and open it again" : "close it, and open it with the new model"
        return PersistenceError(.storeMigrated, "\(change) since it was opened; \(advice)", path: path)
    }
}
