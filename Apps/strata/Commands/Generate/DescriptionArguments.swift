import Foundation
import StrataFixtureDatasets
import StrataFixtures
import StrataInterchange
import StrataPersistence

/// The options that describe the data to generate: a description file, and changes to that description.
struct DescriptionArguments {
    /// The heading of these options in help.
    private static let group = "Describing the data"

    static let options: [OptionSpecification] = [
        .option(
            "description", placeholder: "FILE",
            help: "Read the description of the data from FILE, which is JSON.",
            details: "What FILE omits is as --describe prints it. The manifest.json of a generated directory is its "
                + "description.",
            group: group, values: .file),
        .option(
            "seed", placeholder: "S", help: "Use the seed S, from 0 to 2^64 - 1 (default: 42).",
            details:
                "S is a whole number. The same seed produces the same bytes on every machine and in every version.",
            group: group),
        .option(
            "count", placeholder: "LIST",
            help: "Generate these counts of records, as in Customer=1000,Order=5000 (default: 100).",
            details:
                "A number without a name applies to the entity of --entity, or to each entity of a model other than "
                + "reference. Without a description, only the entities of LIST are generated. The default count of an "
                + "entity is lower if its references and unique values allow fewer records.",
            isRepeatable: true, group: group),
        .option(
            "dataset-version", placeholder: "N",
            help: "Generate version N of the values (default: 1).",
            details: "The values of a version are the same in every version of the program.",
            group: group),
        .option(
            "reference-date", placeholder: "DATE",
            help: "Generate dates before DATE (default: 2025-01-01).",
            group: group),
        .flag(
            "hostile", "Make a fifth of all texts, numbers and dates extreme.",
            details:
                "Extreme values contain separators, quotes, line breaks, right-to-left text or emoji, are very long, "
                + "or are the limits of ranges.",
            group: group),
    ]

    /// The description of the generated data.
    private(set) var description: FixtureDescription
    /// A Boolean value that indicates whether any of these options was given.
    let isGiven: Bool
    /// The path of the description file, or `nil` if there is none.
    let file: String?
    /// A Boolean value that indicates whether an option other than the file was given.
    let hasChanges: Bool

    private let model: GeneratedModel

    init(_ arguments: ParsedArguments, _ model: GeneratedModel) throws {
        self.model = model
        file = arguments.value("description")
        isGiven = arguments.has("hostile") || Self.options.contains { arguments.value($0.name) != nil }
        hasChanges =
            arguments.has("hostile")
            || Self.options.contains { $0.name != "description" && arguments.value($0.name) != nil }
        let version = try Self.version(arguments)
        if let file {
            description = try Self.read(file, model)
            if let version, version != description.datasetVersion {
                throw arguments.usageError(
                    "--dataset-version \(version): the description has the dataset version "
                        + "\(description.datasetVersion)")
            }
        } else {
            description = try FixtureDescription(version: version ?? 1, schema: model.schema)
        }
        description.seed = try arguments.integer("seed", in: 0...UInt64.max) ?? description.seed
        if let text = arguments.value("reference-date") {
            guard let date = FixtureInstant(text) else {
                throw arguments.usageError(
                    "option --reference-date: \"\(text)\" is neither a date such as 2025-01-31 nor an instant such as "
                        + "2025-01-31T12:00:00Z"
                )
            }
            description.referenceDate = date
        }
        if arguments.has("hostile"), description.hostile == .none {
            description.hostile = FixtureDescription.standardHostility
        }
        let counted = try count(arguments)
        guard !model.isReference else { return }
        // Counts from the file stay unchanged; derived and default counts are adjusted to them.
        let description = description
        self.description = try located { () throws(FixtureError) in
            try description.fitted(keeping: file == nil ? counted : Set(description.entities.keys))
        }
    }

    /// Returns a Boolean value that indicates whether a file has the name of a directory's manifest.
    static func isManifest(_ file: String) -> Bool {
        file.split(separator: "/").last.map(String.init) == DatasetManifest.fileName
    }

    /// Reads a description file, or the description in the manifest of a generated directory.
    private static func read(_ file: String, _ model: GeneratedModel) throws -> FixtureDescription {
        let json = try ByteInput.contents(of: file)
        if isManifest(file) {
            return try FixtureManifest(json: json, source: file, schema: model.schema).description
        }
        return try FixtureDescription(json: json, source: file, schema: model.schema)
    }

    private static func version(_ arguments: ParsedArguments) throws(UsageError) -> Int? {
        guard let version = try arguments.integer("dataset-version", in: 1...Int.max) else { return nil }
        let newest = FixtureDescription.newestVersion
        guard version <= newest else {
            throw arguments.usageError(
                "option --dataset-version: version \(version) does not exist; the newest supported version is \(newest)"
            )
        }
        return version
    }

    /// Replaces the counts of rows in the description by those in the arguments.
    ///
    /// - Returns: The names of the entities for which the arguments contain a count.
    private mutating func count(_ arguments: ParsedArguments) throws -> Set<String> {
        let lists = arguments.allValues("count")
        guard !lists.isEmpty else { return [] }
        var counts: [String: Int] = [:]
        for part in lists.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            let (name, count) = try count(part, arguments)
            if name == nil, arguments.value("entity") == nil {
                for entity in description.entities.keys where counts[entity] == nil { counts[entity] = count }
                continue
            }
            let entity =
                try name.map { try Self.entity(named: $0, in: description, arguments: arguments) }
                ?? Stores.entity(arguments, in: model.model).name
            guard counts.updateValue(count, forKey: entity) == nil else {
                throw arguments.usageError("option --count: \(entity) is given twice")
            }
        }
        if file == nil { description.entities = description.entities.filter { counts[$0.key] != nil } }
        for (entity, count) in counts { description.entities[entity]?.count = count }
        return Set(counts.keys)
    }

    /// Returns the entity name and the count of rows in `NAME=N`; for `N` alone, the name is `nil`.
    private func count(
        _ part: Substring, _ arguments: ParsedArguments
    ) throws(UsageError) -> (name: Substring?, count: Int) {
        let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = sides.last, let count = Int(number), EntityFixtures.counts.contains(count) else {
            throw arguments.usageError(
                "option --count: \"\(part)\" is not NAME=N with a whole number from 0 to \(EntityFixtures.counts.upperBound)"
            )
        }
        if sides.count == 2 { return (sides[0], count) }
        guard arguments.value("entity") != nil || !model.isReference else {
            throw arguments.usageError(
                "option --count: name the entity, as in Employee=\(count), or name it with --entity")
        }
        return (nil, count)
    }

    private static func entity(
        named name: Substring, in description: FixtureDescription, arguments: ParsedArguments
    ) throws(UsageError) -> String {
        let names = description.schema.map(\.name).filter { description.entities[$0] != nil }
        if let known = names.first(where: { NameMatching.folded($0) == NameMatching.folded(String(name)) }) {
            return known
        }
        let nearest = NameMatching.nearest(to: String(name), among: names).map { "; did you mean \($0)?" } ?? "."
        throw arguments.usageError(
            "option --count: no entity \"\(name)\" is described\(nearest) There are \(names.joined(separator: ", ")).")
    }

    /// Runs a closure; if it throws an error that names no file, adds the path of the description file to the error.
    func located<Result>(_ body: () throws(FixtureError) -> Result) throws(FixtureError) -> Result {
        do throws(FixtureError) {
            return try body()
        } catch {
            var located = error
            if located.source == nil { located.source = file }
            throw located
        }
    }
}
