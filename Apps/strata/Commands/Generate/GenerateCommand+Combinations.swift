import StrataFiles
import StrataFixtureDatasets
import StrataInterchange
import StrataPersistence

/// The allowed combinations of options, and the choice of the output.
extension GenerateCommand {
    /// Rejects options that exclude each other or have no effect.
    static func refuseCombinations(_ arguments: ParsedArguments) throws(UsageError) {
        for (option, what) in [("output", "file or a directory"), ("check", "directory"), ("description", "file")]
        where arguments.value(option)?.isEmpty == true {
            throw arguments.usageError("option --\(option) is empty; name a \(what)")
        }
        let given = ["check", "describe", "store", "output"].filter { arguments.value($0) != nil || arguments.has($0) }
        if let second = given.dropFirst().first, !(given[0] == "describe" && second == "output") {
            throw arguments.usageError("--\(given[0]) and --\(second) cannot be combined")
        }
        let useless: [String]
        switch given.first {
        case "store": useless = ["format", "entity", "threads"]
        case "check": useless = ["format", "entity", "busy-timeout"]
        case "describe": useless = ["format", "entity", "threads", "busy-timeout"]
        default:
            guard arguments.value("busy-timeout") == nil else {
                throw arguments.usageError("--busy-timeout requires --store")
            }
            return
        }
        for option in useless where arguments.value(option) != nil {
            throw arguments.usageError("--\(option) cannot be combined with --\(given[0])")
        }
    }

    /// Returns the only entity that is written to a file, or `nil` if a directory of all entities is written.
    static func singleEntity(_ dataset: FixtureDataset, _ arguments: ParsedArguments) throws -> FixtureProducer? {
        let output = arguments.value("output")
        if arguments.value("entity") != nil {
            if let output, isDirectory(output) {
                throw arguments.usageError(
                    "--entity writes one file, but \"\(output)\" is a directory; name a file, or choose the entities "
                        + "of the directory with --count")
            }
            return try chosenEntity(dataset, arguments)
        }
        let isFile = output.map {
            $0 == "-" || !isDirectory($0) && (DatasetFormat(fileName: $0) != nil || isDevice($0))
        }
        guard isFile ?? true else { return nil }
        guard let producer = dataset.producers.first, dataset.producers.count == 1 else {
            let what = output.map { $0 == "-" ? "standard output" : "\"\($0)\"" } ?? "standard output"
            throw arguments.usageError(
                "\(what) can contain only one entity, but the description has \(dataset.producers.count); name a "
                    + "directory with --output, or one entity with --entity")
        }
        return producer
    }

    /// Returns the entity named by `--entity`, which must be one of the described entities.
    private static func chosenEntity(_ dataset: FixtureDataset, _ arguments: ParsedArguments) throws -> FixtureProducer
    {
        let name = try Stores.entity(arguments, in: dataset.model).name
        guard let producer = dataset.producers.first(where: { $0.entity.name == name }) else {
            let described = dataset.producers.map(\.entity.name).joined(separator: ", ")
            throw arguments.usageError(
                "option --entity: \(name) is not in the description (\(described)); add the entity, as with --count "
                    + "\(name)=100"
            )
        }
        return producer
    }

    /// Returns a Boolean value that indicates whether a path can only name a directory.
    private static func isDirectory(_ path: String) -> Bool {
        path.hasSuffix("/") || FileStatus(path: path)?.isDirectory == true
    }

    /// Returns a Boolean value that indicates whether a path names a device or pipe, such as `/dev/stdout`.
    private static func isDevice(_ path: String) -> Bool {
        FileStatus(path: path).map { !$0.isDirectory && !$0.isRegular } ?? false
    }
}
