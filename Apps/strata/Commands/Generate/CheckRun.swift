import FixtureDatasets
import FixtureGeneration
import Interchange
import Persistence

/// `strata generate --check`: whether a directory's files are what its manifest would make.
struct CheckRun {
    private let directory: String
    private let described: DescriptionArguments
    private let model: ManagedObjectModel

    init(_ directory: String, _ described: DescriptionArguments, _ model: ManagedObjectModel) {
        self.directory = directory
        self.described = described
        self.model = model
    }

    /// Says what is different.
    ///
    /// - Throws: ``StaleFixtures`` where anything is.
    func run(_ arguments: ParsedArguments, threads: Int) throws {
        let interruption = Interruption()
        let check = try FixtureCheck(
            directory: directory, model: model, threads: threads, isCancelled: interruption.isCancelled)
        if described.isGiven, let difference = check.manifest.description.difference(from: described.description) {
            Console.note("\(directory)/\(DatasetManifest.fileName): was made of another description: \(difference)")
            throw StaleFixtures()
        }
        let findings = try check.run()
        for finding in findings { Console.note("\(finding)") }
        if !findings.isEmpty { throw StaleFixtures() }
        guard !arguments.has("quiet") else { return }
        let files = check.manifest.datasets.datasets.count
        let are = files == 1 ? "file of \(directory) is" : "files of \(directory) are"
        Console.note("\(files) \(are) what the manifest makes")
    }
}

/// Fixtures are not what they should be; what is different was said before.
struct StaleFixtures: Error {}
