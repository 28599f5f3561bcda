import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// The options of imports and validations for invalid and conflicting records.
struct JobArguments {
    var onError = ImportOptions.ErrorAction.stop
    var onConflict = InsertOptions.ConflictAction.abort
    var onMissingReference = InsertOptions.MissingReferenceAction.error
    /// A Boolean value that indicates whether references to entities without a dataset are not checked.
    var leavesReferencesUnchecked = false
    let maximumErrors: Int?
    let rejects: String?
    let report: String?
    let isQuiet: Bool
    let isVerbose: Bool

    private static let group = "Invalid and conflicting records"

    static let options: [OptionSpecification] = [
        .option(
            "on-conflict", placeholder: "ACTION",
            help: "For existing records: abort, ignore, replace or update (default: abort).",
            details:
                "A record exists if the store has its id or one of its unique values; a join row exists if the store "
                + "has it. abort is an error, ignore skips the record, replace replaces all values, and update "
                + "replaces the values of the columns in the file.",
            group: group, values: .words(InsertOptions.ConflictAction.allCases.map(\.rawValue))),
        .option(
            "on-missing-reference", placeholder: "ACTION",
            help: "For dangling references: error, null or reject (default: error).",
            details: "A reference is dangling if neither the store nor the files have its row. error makes the record "
                + "invalid, see --on-error. null removes the reference, the element of a list, or the join row. reject "
                + "skips the record, and the records that refer to it.",
            group: group, values: .words(InsertOptions.MissingReferenceAction.allCases.map(\.rawValue))),
        .option(
            "on-error", placeholder: "ACTION",
            help: "For invalid records: stop or reject (default: stop; for validate, reject).",
            details: "stop stores nothing. reject skips the record, stores the others, and exits with status 65. The "
                + "default is also reject with --rejects and --max-errors.",
            group: group, values: .words(ImportOptions.ErrorAction.allCases.map(\.rawValue))),
        .option(
            "rejects", placeholder: "FILE",
            help: "Write skipped records verbatim to FILE, each with its error.",
            details:
                "The error has a line, a record number, a column and a reason. The records can be corrected and "
                + "imported again. If the name ends with .gz or .zst, FILE is compressed. With several datasets, FILE "
                + "is a directory. FILE is complete before anything is stored.",
            group: group, values: .file),
        .option(
            "max-errors", placeholder: "N", help: "Stop and store nothing if more than N records are skipped.",
            group: group),
        .option(
            "report", placeholder: "FILE",
            help: "Write a JSON report with all counts and errors to FILE.",
            details:
                "The report is one object for programs. Its outcome is stored, dryRun, failed, or committing if the "
                + "process ended during the commit.",
            group: group, values: .file),
    ]

    init(_ arguments: ParsedArguments) throws {
        func choice<Value: RawRepresentable & CaseIterable>(_ name: String, _ value: inout Value) throws
        where Value.RawValue == String {
            guard let word = try arguments.choice(name, among: Value.allCases.map(\.rawValue)) else { return }
            value = Value(rawValue: word) ?? value
        }
        // A dash means standard output, as for an export.
        rejects = arguments.value("rejects").map { $0 == "-" ? "/dev/stdout" : $0 }
        report = arguments.value("report").map { $0 == "-" ? "/dev/stdout" : $0 }
        maximumErrors = try arguments.integer("max-errors", in: 0...Int.max)
        isQuiet = arguments.has("quiet")
        isVerbose = arguments.has("verbose")
        // A file for rejects, or a maximum number of errors, implies that invalid records are rejected.
        if rejects != nil || maximumErrors != nil { onError = .reject }
        try choice("on-error", &onError)
        try choice("on-conflict", &onConflict)
        try choice("on-missing-reference", &onMissingReference)
        let leavesOut = onError == .reject || onMissingReference == .reject
        for option in ["rejects", "max-errors"] where arguments.value(option) != nil && !leavesOut {
            throw arguments.usageError("--\(option) requires --on-error reject, or --on-missing-reference reject")
        }
    }

    /// Leaves references to entities without a dataset unchecked, because no file can satisfy them.
    mutating func leaveReferencesUnchecked(
        _ sources: [ImportSource], in model: ManagedObjectModel, _ arguments: ParsedArguments
    ) {
        let given = Set(sources.map(\.entity))
        let destinations = given.reduce(into: Set<String>()) { $0.formUnion(model.datasetDestinations(of: $1)) }
        if arguments.value("on-missing-reference") == nil, !given.isSuperset(of: destinations) {
            onMissingReference = .null
            leavesReferencesUnchecked = true
        }
    }

    /// Throws an error if conflicting records are to be handled but an entity has no key to find them by.
    ///
    /// - Parameters:
    ///   - sources: The datasets.
    ///   - model: The model.
    ///   - arguments: The arguments of the command.
    ///   - isNew: A closure that returns whether an entity was inferred from the data.
    /// - Throws: ``UsageError`` that explains how to name a key.
    func checkKeys(
        _ sources: [ImportSource], in model: ManagedObjectModel, _ arguments: ParsedArguments,
        isNew: (EntityDescription) -> Bool
    ) throws {
        guard onConflict != .abort else { return }
        for source in sources {
            guard let entity = model[source.entity], !entity.hasKey else { continue }
            let name = entity.external.name ?? entity.name
            if arguments.has("flatten"), model.datasetColumns(of: entity).contains(FlattenedLinks.position) {
                try refusePart(entity, in: model, arguments)
            }
            // A mandatory column is more likely to be a key.
            let mandatory = entity.columns.first { !$0.isOptional && $0.destination == nil }?.externalName
            let column = mandatory ?? model.datasetColumns(of: entity).first ?? "COLUMN"
            let key = ShellWord.quoted("\(name).\(column)")
            let remedy =
                arguments.value("model") != nil
                ? "add a primaryKey in the model"
                : isNew(entity) || arguments.value("store") == nil
                    ? "--key \(key) declares a key of an inferred model"
                    : "strata migrate --store \(ShellWord.quoted(arguments.value("store") ?? "")) --unique \(key) adds "
                        + "a key"
            throw arguments.usageError(
                "--on-conflict \(onConflict.rawValue): \(entity.name) has no key, so the records of the file cannot be "
                    + "matched with rows of the store; \(remedy)")
        }
    }

    /// Throws an error for array elements if an older store has no unique constraint on their owner and position.
    private func refusePart(
        _ entity: EntityDescription, in model: ManagedObjectModel, _ arguments: ParsedArguments
    ) throws {
        let columns = model.externalColumns(of: entity)
        guard let store = arguments.value("store"),
            let owner = columns.first(where: { column in
                switch column.content {
                case .key: true
                case .column(let index): entity.columns[index].destination != nil
                default: false
                }
            })
        else { return }
        let key = "\(entity.external.name ?? entity.name).\(owner.name),\(FlattenedLinks.position)"
        throw arguments.usageError(
            "--on-conflict \(onConflict.rawValue): \(entity.name) has no unique key of owner and position; "
                + "strata migrate --store \(ShellWord.quoted(store)) --unique \(ShellWord.quoted(key)) declares it")
    }
}

extension EntityDescription {
    /// A Boolean value that indicates whether records of the entity in files have a key.
    fileprivate var hasKey: Bool {
        external.idColumn != nil || !uniquenessConstraints.isEmpty || attributes.contains(where: \.isUnique)
    }
}
