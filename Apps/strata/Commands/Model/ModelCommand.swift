import Foundation
import StrataInference
import StrataInterchange
import StrataModelFiles
import StrataPersistence
import StrataStoreKit

/// The command `strata model`, which infers, prints, checks and compares models.
enum ModelCommand: Command {
    private enum Verb: String, CaseIterable {
        case infer, show, check, diff, sql, names, swift, openapi
    }

    private static let formats = ["text", "json", "mermaid", "dot"]

    static let specification = CommandSpecification(
        name: "model",
        summary: "Infer, show, check or compare models, print tables, or generate code.",
        positionals: [
            PositionalSpecification(
                placeholder: "VERB",
                help: "The action: infer, show, check, diff, sql, names, swift or openapi.",
                details: "infer writes a model file from datasets. show prints a model. check validates a model, and "
                    + "exits with status 65 if it has errors. diff compares two models, and exits with status 1 if "
                    + "they differ. sql prints the tables of a model. names prints the names of its entities, or of "
                    + "the properties of an entity, one per line. swift generates Swift record types and "
                    + "repositories. openapi prints the description of an HTTP API.",
                values: .words(Verb.allCases.map(\.rawValue))),
            PositionalSpecification(
                placeholder: "MODEL",
                help: "A model file, data package, store or the word reference; for infer, datasets.",
                details: "A data package is its descriptor or its directory. The word reference is the model of the "
                    + "demo; ./reference is a file. diff takes two models. infer takes datasets or a directory of "
                    + "them.",
                isRepeatable: true),
        ],
        options: [
            .option(
                "format", placeholder: "FORMAT",
                help: "Print text, json, mermaid or dot; for infer, read csv, tsv, json or ndjson.",
                details: "The default is text. json of show is a model file; mermaid and dot are for show, and can be "
                    + "drawn as diagrams. For infer, the default is by the extensions of the files.",
                values: .words(formats + DatasetFormat.allCases.map(\.rawValue).filter { !formats.contains($0) })),
            .option(
                "entity", placeholder: "NAME",
                help: "With names, use the entity NAME; with infer, name the dataset NAME.",
                details: "With swift, generate only the files of the entity NAME.", isRepeatable: true,
                values: .entity),
            .flag(
                "strict", "With check and swift, treat warnings and notes as errors.",
                details: "Warnings are about content that is not understood. Notes of swift are about parts of the "
                    + "model that have no exact equivalent in Swift."),
            .option(
                "against", placeholder: "OLD",
                help: "With check, check that stores of the model OLD can be migrated to MODEL.",
                details: "OLD can also be a store. The status is 1 if the migration cannot run automatically, or if it "
                    + "would lose data.",
                values: .file),
            .flag("quiet", "Omit warnings, and notes on inferred types and keys.", letter: "q"),
        ] + InferenceArguments.options + SwiftCode.options + ForeignDatabaseOptions.all,
        guide: ModelGuide.guide,
        examples: [
            "strata model infer people.csv cities.csv --output model.json",
            "strata model show shop.json",
            "strata model show app.sqlite --format json > app.json",
            "strata model show reference --format mermaid",
            "strata model check shop.json --strict",
            "strata model check shop-2.json --against shop.json",
            "strata model diff app.sqlite shop.json",
            "strata model sql shop.json",
            "strata model names app.sqlite --entity Employee",
            "strata model swift shop.json --output Sources/Model",
            "strata model swift shop.json --output Sources/Model --check",
            "strata model openapi shop.json --output openapi.json",
        ])

    static func run(_ arguments: ParsedArguments) throws {
        let word = try arguments.choice(
            arguments.positional(0) ?? "", of: "VERB", among: Verb.allCases.map(\.rawValue))
        guard let verb = Verb(rawValue: word) else { return }
        let paths = Array(arguments.positionals.dropFirst())
        guard verb != .infer else { return try infer(arguments, paths) }
        func reject(_ options: [OptionSpecification], _ verbs: String, except name: String? = nil) throws {
            for option in options where option.name != name {
                guard arguments.value(option.name) != nil || arguments.has(option.name) else { continue }
                throw arguments.usageError("--\(option.name) is for \(verbs)")
            }
        }
        let generates = [.swift, .openapi].contains(verb)
        try reject(InferenceArguments.options, "infer", except: generates ? "output" : nil)
        if verb != .swift { try reject(SwiftCode.options, "swift", except: generates ? "check" : nil) }
        let wanted = verb == .diff ? 2 : 1
        guard paths.count == wanted else {
            throw arguments.usageError(
                wanted == 2 ? "diff requires two models, OLD and NEW" : "\(word) requires one model, not \(paths.count)"
            )
        }
        if arguments.has("strict"), verb != .check, verb != .swift {
            throw arguments.usageError("--strict can be used only with check and swift")
        }
        if arguments.value("against") != nil, verb != .check {
            throw arguments.usageError("--against can be used only with check")
        }
        if arguments.value("entity") != nil, verb != .names, verb != .swift {
            throw arguments.usageError("--entity can be used only with names, swift and infer")
        }
        if arguments.allValues("entity").count > 1, verb != .swift {
            throw arguments.usageError("--entity can be repeated only with swift")
        }
        let format = try arguments.choice("format", among: formats) ?? "text"
        let allowed = verb == .show ? formats : [.sql, .names, .openapi].contains(verb) ? ["text"] : ["text", "json"]
        guard allowed.contains(format) else {
            throw arguments.usageError(
                "\(word) does not support the format \(format); use \(allowed.joined(separator: " and "))")
        }
        let warns = !arguments.has("quiet")
        switch verb {
        case .infer: break
        case .show: try show(try Models.model(at: paths[0], warns: warns), format)
        case .check:
            if let old = arguments.value("against") {
                return try compare(paths[0], against: old, isStrict: arguments.has("strict"), isJSON: format == "json")
            }
            try check(paths[0], isStrict: arguments.has("strict"), isJSON: format == "json")
        case .diff:
            let (old, new) = (
                try Models.model(at: paths[0], warns: warns), try Models.model(at: paths[1], warns: warns)
            )
            try printDifferences(ModelDifferences(from: old, to: new), isJSON: format == "json")
        case .sql:
            let model = try Models.model(at: paths[0], warns: warns)
            try Console.print(SQLiteStore.schema(of: model).map { $0 + ";\n" }.joined())
        case .names:
            let model = try Models.model(at: paths[0], warns: warns)
            let names =
                arguments.value("entity") == nil
                ? model.entities.map(\.name)
                : model.shellNames(of: try Stores.entity(arguments, in: model))
            try Console.print(names.map { $0 + "\n" }.joined())
        case .swift: try SwiftCode.run(arguments, paths[0], isJSON: format == "json")
        case .openapi: try OpenAPIFile.run(arguments, paths[0])
        }
    }

    /// Infers a model from datasets; prints the model to a file or standard output, and the reasons to standard error.
    private static func infer(_ arguments: ParsedArguments, _ paths: [String]) throws {
        let given = try arguments.choice("format", among: DatasetFormat.allCases.map(\.rawValue))
            .flatMap { DatasetFormat(rawValue: $0) }
        if arguments.has("strict") { throw arguments.usageError("--strict can be used only with check and swift") }
        if arguments.allValues("entity").count > 1 {
            throw arguments.usageError("--entity can be repeated only with swift")
        }
        for option in SwiftCode.options where arguments.value(option.name) != nil || arguments.has(option.name) {
            throw arguments.usageError("--\(option.name) is for swift")
        }
        var outputs = OutputGuard(store: nil, inputs: paths)
        for output in ["output", "report"] {
            if let path = arguments.value(output), path != "-" { try outputs.claim(path) }
        }
        let interruption = Interruption()
        let inferred = try InferenceArguments(arguments).infer(paths, interruption) {
            // A file with another extension is most often a table.
            MemberPath($0)?.isSheet == true ? .csv : given ?? DatasetFormat(fileName: $0) ?? .csv
        }
        try OutputTarget(arguments.value("output")).write(interruption) { try $0.append(Array(inferred.text.utf8)) }
        if let report = arguments.value("report") {
            try OutputTarget(report).write(interruption) {
                try $0.append(Array(try JSONObject.text(of: inferred.report).utf8))
            }
        }
        if !arguments.has("quiet") { for line in inferred.report.lines { Console.note(line) } }
    }

    private static func show(_ model: ManagedObjectModel, _ format: String) throws {
        switch format {
        case "json": try Console.print(ModelFile.text(of: model))
        case "mermaid": try Console.print(ModelDiagram(model: model).mermaid)
        case "dot": try Console.print(ModelDiagram(model: model).dot)
        default: try Console.print(ModelText(model: model).text)
        }
    }

    private static func check(_ path: String, isStrict: Bool, isJSON: Bool) throws {
        var findings: [ModelFileFinding] = []
        var isModel = true
        do {
            // The reference model and the models of stores are always valid, so only model files have findings.
            if try Models.isFile(path) {
                findings = try Models.file(at: path, isStrict: isStrict, readsResources: Models.hasRows(at: path))
                    .warnings
            } else {
                _ = try Models.model(at: path, warns: false)
            }
        } catch let failure as ModelFailure {
            (findings, isModel) = (failure.findings, false)
        }
        if isJSON {
            try Console.print(ModelReport(file: path, ok: isModel, findings: findings).json())
        } else {
            let lines = findings.map { finding in
                "\(path): \(finding.severity == .warning && !isModel && isStrict ? "error" : finding.severity.rawValue): \(finding)\n"
            }
            try Console.print(lines.joined() + (isModel ? "\(path): ok\n" : ""))
        }
        if !isModel { throw FaultyModel() }
    }

    private static func printDifferences(_ differences: ModelDifferences, isJSON: Bool) throws {
        if isJSON {
            try Console.print(try JSONObject.text(of: differences))
        } else {
            try Console.print((differences.differences + differences.lines).map { $0 + "\n" }.joined())
        }
        if !differences.differences.isEmpty { throw DifferentModels() }
    }

    /// Reports whether the stores of another model can be migrated without loss; a store is checked with its rows.
    private static func compare(_ path: String, against old: String, isStrict: Bool, isJSON: Bool) throws {
        let new = try Models.checked(at: path, isStrict: isStrict)
        let reasons: [String]
        let steps: [MigrationStep]
        if try Models.isFile(old) || old == "reference" {
            let mapping = ModelMapping(from: try Models.model(at: old, warns: false), to: new)
            (reasons, steps) = (mapping.risks, mapping.steps)
        } else {
            let preview = try PersistentContainer.canMigrate(model: new, .file(at: URL(fileURLWithPath: old)))
            reasons =
                preview.obstacles + preview.drops.map { "\($0) would be dropped" }
                + (preview.drops.isEmpty ? [] : preview.hints)
                + preview.violations.map(\.description)
            steps = preview.steps
        }
        if isJSON {
            try Console.print(try JSONObject.text(of: FollowReport(steps: steps, reasons: reasons)))
        } else {
            try Console.print(reasons.isEmpty ? "\(path): ok\n" : reasons.map { "\(path): \($0)\n" }.joined())
        }
        if !reasons.isEmpty { throw DifferentModels() }
    }
}

/// A JSON report on whether stores of one model can be migrated to another model.
private struct FollowReport: Encodable {
    let ok: Bool
    let steps: [MigrationReport.Step]
    let reasons: [String]

    init(steps: [MigrationStep], reasons: [String]) {
        ok = reasons.isEmpty
        self.steps = steps.map(MigrationReport.Step.init)
        self.reasons = reasons
    }
}
