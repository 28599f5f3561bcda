import Foundation
import StrataInterchange
import StrataModelFiles
import StrataPersistence
import StrataStoreKit
import Synchronization

/// The command `strata migrate`, which migrates a store to another model.
enum MigrateCommand: Command {
    static let specification = CommandSpecification(
        name: "migrate",
        summary: "Migrate a store to a changed or another model, in place and in one transaction.",
        options: [
            Stores.storeOption,
            .option(
                "model", placeholder: "MODEL",
                help: "Migrate the store to MODEL.",
                details:
                    "MODEL is a model file, a directory with a datapackage.json, a store, or the word reference. "
                    + "Without it, the options for changes of the model are applied.",
                values: .file),
        ] + ModelEdit.options + [
            .flag(
                "dry-run", "Report the steps, and change nothing.",
                details: "The exit status is the status of the migration."),
            .option(
                "drop", placeholder: "NAME",
                help: "Delete the dataset E or the column E.a with its values.",
                details:
                    "NAME is E or E.a, by the names in files or in the store's model. With --model, the option allows "
                    + "the deletion of what MODEL does not contain, although the store has values of it. A migration "
                    + "deletes nothing that no option names.", isRepeatable: true),
            .flag("drop-all", "Delete everything that MODEL does not contain."),
            .flag(
                "keep-broken", "Keep rows that violate new rules.",
                details: "The rows are validated when they are written next, and strata check lists them."
            ),
            .option(
                "backup", placeholder: "FILE",
                help: "Copy the store to FILE before any change.",
                details: "The copy does not replace an existing file.", values: .file),
            .option(
                "format", placeholder: "FORMAT",
                help: "Print text, a line per step, or json, one object (default: text).",
                values: .words(Format.allCases.map(\.rawValue))),
            Stores.busyTimeoutOption,
            .flag("quiet", "Show no progress on a terminal, and print only errors.", letter: "q"),
        ],
        examples: [
            "strata migrate --store app.sqlite --rename Employee.salary=pay --add 'Employee.age: integer?'",
            "strata migrate --store app.sqlite --allow-null Employee.salary --index Employee.lastName,firstName",
            "strata migrate --store app.sqlite --model app-2.json --dry-run",
            "strata migrate --store app.sqlite --model app-2.json --backup app-1.sqlite",
            "strata migrate --store app.sqlite --model app-3.json --drop Employee.salary",
        ])

    private enum Format: String, CaseIterable {
        case text, json
    }

    static func run(_ arguments: ParsedArguments) throws {
        let isJSON = try arguments.choice("format", among: Format.allCases.map(\.rawValue)) == Format.json.rawValue
        var description = try Batches.description(arguments)
        let models = try self.models(arguments)
        let interruption = Interruption()
        let bar = ProgressBar(nil, isQuiet: arguments.has("quiet"))
        var options = try self.options(arguments, models.stored)
        options.isCancelled = interruption.isCancelled
        if bar.isEnabled { options.progress = { bar.show($0.rows, of: $0.totalRows, "rows") } }
        options.willCommit = interruption.finish
        description.migration = options
        let preview = try PersistentContainer.canMigrate(model: models.later, description)
        let shown = preview.withFileNames(ModelMapping(from: models.stored, to: models.later))
        let isEdited = arguments.value("model") == nil
        let hasNewNames = isEdited && ModelFile.text(of: models.stored) != ModelFile.text(of: models.later)
        let output =
            isJSON ? try MigrationReport(shown).json() : text(shown, isEdited: isEdited, hasNewNames: hasNewNames)
        try checkBackup(options, preview)
        guard !arguments.has("dry-run"), preview.isAllowed(options) else {
            try Console.print(output)
            var options = options
            if case .named(let names) = options.drops {
                options.drops = .named(Set(names.map { fileName($0, models.stored) }))
            }
            return try Self.refuse(shown, options, try Stores.name(arguments))
        }
        let isStored = Mutex(false)
        description.migration.didCommit = { isStored.withLock { $0 = true } }
        do {
            defer { bar.end() }
            try Stores.container(description, models.later).close()
        } catch var error as PersistenceError where isStored.withLock({ $0 }) {
            error.message += following
            throw error
        }
        try Console.print(output, doneAlready: following)
    }

    private static func models(
        _ arguments: ParsedArguments
    ) throws -> (stored: ManagedObjectModel, later: ManagedObjectModel) {
        let changes = ModelEdit.given(arguments)
        guard arguments.value("model") == nil else {
            if let change = changes.first {
                throw arguments.usageError(
                    "--model names the whole new model, and --\(change) changes one part of it; specify only one of "
                        + "them")
            }
            return try Models.following(arguments)
        }
        guard !changes.isEmpty || !arguments.allValues("drop").isEmpty else {
            throw arguments.usageError(
                "missing option --model MODEL, or an option that names a change: --drop, "
                    + ModelEdit.options.map { "--\($0.name)" }.joined(separator: ", "))
        }
        let stored = try Models.changed(arguments)
        let descriptor = try ModelEdit.descriptor(stored, arguments)
        return (stored, try Models.model(ofDescriptor: JSONTreeWriter.text(descriptor, .modelFile)))
    }

    /// The text that is appended to the message of an error that occurs after the migration is committed.
    private static let following = "; the migration of the store is complete and was stored"

    /// Throws an error if a file already exists at the path for the copy of the store, before the migration begins.
    private static func checkBackup(_ options: MigrationOptions, _ preview: MigrationPreview) throws {
        guard let backup = options.backup, !preview.steps.isEmpty, access(backup.path, F_OK) == 0 else { return }
        throw PersistenceError(
            .cannotCreate, "the file already exists; choose another name for the copy", path: backup.path)
    }

    /// Throws an error with the reason why the store cannot be migrated and the name of the store, if there is such a
    /// reason.
    private static func refuse(
        _ preview: MigrationPreview, _ options: MigrationOptions, _ store: String
    ) throws {
        do { try preview.check(options) } catch var error as PersistenceError {
            error.path = store
            throw error
        }
    }

    private static func options(
        _ arguments: ParsedArguments, _ stored: ManagedObjectModel
    ) throws -> MigrationOptions {
        var options = MigrationOptions()
        let names = arguments.allValues("drop")
        if arguments.has("drop-all") {
            guard names.isEmpty else { throw arguments.usageError("--drop-all and --drop cannot be combined") }
            options.drops = .everything
        } else if !names.isEmpty {
            let known = droppable(stored)
            let drops = try names.map { name in
                let same = known.keys.sorted().first { NameMatching.isSame($0, name) }
                if let drop = known[name] ?? same.flatMap({ known[$0] }) { return drop }
                let nearest = NameMatching.nearest(to: name, among: known.keys.sorted()).map {
                    "; did you mean \($0)?"
                }
                throw arguments.usageError("option --drop: the store has no \"\(name)\"\(nearest ?? "")")
            }
            options.drops = .named(Set(drops))
        }
        options.keepsRowsThatBreakRules = arguments.has("keep-broken")
        if let path = arguments.value("backup") {
            guard !path.isEmpty else { throw arguments.usageError("option --backup is empty; name a file") }
            guard try !StorePlace(arguments.required("store")).isOnServer else {
                throw arguments.usageError(
                    "option --backup can be used only for stores in files; copy a store on a server with strata copy "
                        + "or pg_dump first")
            }
            options.backup = URL(fileURLWithPath: path)
        }
        return options
    }

    /// Returns the names that `--drop` accepts: entities, and properties by their names in files and in the model.
    private static func droppable(_ stored: ManagedObjectModel) -> [String: String] {
        var known: [String: String] = [:]
        for join in stored.joins where join.hasDataset {
            known[join.externalName] = "\(join.sourceEntity).\(join.sourceRelationship)"
        }
        for entity in stored.entities {
            for prefix in [entity.external.name ?? entity.name, entity.name] {
                known[prefix] = entity.name
                for property in entity.properties {
                    let name = "\(entity.name).\(property.name)"
                    known["\(prefix).\(property.name)"] = name
                    known["\(prefix).\(stored.fileNames(of: property.name, in: entity.name))"] = name
                }
                for relationship in entity.relationships {
                    for column in relationship.externalKey?.columns ?? [] {
                        known["\(prefix).\(column)"] = "\(entity.name).\(relationship.name)"
                    }
                }
                if let id = entity.external.idColumn { known["\(prefix).\(id)"] = "\(entity.name).\(id)" }
            }
        }
        return known
    }

    /// Returns the name in files of an entity's property.
    private static func fileName(_ name: String, _ stored: ManagedObjectModel) -> String {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        return parts.count == 2 ? "\(parts[0]).\(stored.fileNames(of: parts[1], in: parts[0]))" : name
    }

    private static func text(_ preview: MigrationPreview, isEdited: Bool, hasNewNames: Bool) -> String {
        if preview.steps.isEmpty { return hasNewNames ? "names in files change, and no row\n" : "nothing to do\n" }
        let drops = isEdited ? preview.drops.map { "drop \($0)\n" } : []
        return (preview.steps.map { "\($0)\n" } + drops).joined()
    }
}

/// The steps and risks of a migration as a JSON object.
struct MigrationReport: Encodable {
    struct Step: Encodable {
        let kind: String
        let entity: String
        let attribute: String?
        let to: String?
        let physical: Bool
    }

    struct Drop: Encodable {
        let entity: String
        let attribute: String?
        let count: Int
    }

    struct Violation: Encodable {
        let entity: String
        let attribute: String
        let reason: String
        let count: Int
        /// The identifiers of the first affected rows; `nil` if files identify the rows by other keys.
        let ids: [Int64]?
        /// The keys of the first affected rows, by the columns in files; `nil` if files identify the rows by
        /// identifiers.
        let keys: [String]?
    }

    let steps: [Step]
    let rows: Int
    let drops: [Drop]
    let violations: [Violation]
    let obstacles: [String]
    let hints: [String]

    init(_ preview: MigrationPreview) {
        steps = preview.steps.map(Step.init)
        rows = preview.rowCount
        drops = preview.drops.map { Drop(entity: $0.entity, attribute: $0.attribute, count: $0.count) }
        violations = preview.violations.map {
            Violation(
                entity: $0.entity, attribute: $0.attribute, reason: $0.reason, count: $0.count,
                ids: $0.names.isEmpty ? $0.ids : nil, keys: $0.names.isEmpty ? nil : $0.names)
        }
        obstacles = preview.obstacles
        hints = preview.hints
    }

    func json() throws -> String { try JSONObject.text(of: self) }
}

extension MigrationReport.Step {
    init(_ step: MigrationStep) {
        self.init(
            kind: step.kind.rawValue, entity: step.entity, attribute: step.attribute, to: step.to,
            physical: step.isPhysical)
    }
}
