import StrataFixtureDatasets
import StrataFixtures
import StrataInterchange

/// The run of `strata generate --check`, which compares the files in a directory with the files that the directory's
/// manifest describes.
struct CheckRun {
    private let directory: String
    private let described: DescriptionArguments
    private let model: GeneratedModel

    init(_ directory: String, described: DescriptionArguments, model: GeneratedModel) {
        self.directory = directory
        self.described = described
        self.model = model
    }

    /// Reports the differences between the files and the manifest.
    ///
    /// - Throws: ``StaleFiles`` if there is a difference, or the error of reading a file.
    func run(_ arguments: ParsedArguments, threads: Int) throws {
        let interruption = Interruption()
        let check = try FixtureCheck(
            directory: directory, model: model.model, schema: model.schema, threads: threads,
            isCancelled: interruption.isCancelled)
        if described.isGiven, let difference = check.manifest.description.difference(from: described.description) {
            Console.note(
                "\(directory)/\(DatasetManifest.fileName): was generated from another description: \(difference)")
            if let file = described.file, !described.hasChanges { advise(file, check: check, arguments: arguments) }
            throw StaleFiles()
        }
        let findings = try StagedFixtures.with(check.dataset, isCancelled: interruption.isCancelled) {
            try check.run(from: $0)
        }
        for finding in findings { Console.note("\(finding)") }
        guard findings.isEmpty else {
            let file = described.hasChanges ? nil : described.file
            advise(file ?? "\(directory)/\(DatasetManifest.fileName)", check: check, arguments: arguments)
            throw StaleFiles()
        }
        guard !arguments.has("quiet") else { return }
        let files = check.manifest.datasets.datasets.count + check.manifest.datasets.joins.count
        let matches = files == 1 ? "file of \(directory) matches" : "files of \(directory) match"
        Console.note("\(files) \(matches) the manifest")
    }
}

extension CheckRun {
    /// Prints the command that regenerates the files.
    private func advise(_ description: String, check: FixtureCheck, arguments: ParsedArguments) {
        guard !arguments.has("quiet") else { return }
        let format = check.manifest.datasets.format
        let words =
            ["strata", "generate"] + (model.name.map { ["--model", $0] } ?? [])
            + ["--description", description, "--output", directory]
            + (format == DatasetFormat.csv.rawValue ? [] : ["--format", format])
        Console.note("strata: generate the files again with: \(words.map(ShellWord.quoted).joined(separator: " "))")
    }
}
