import Domain
import FixtureGeneration
import Interchange
import Persistence
import Repositories

/// `strata generate`: made-up rows of an entity, the same for the same seed.
enum GenerateCommand: Command {
    static let specification = CommandSpecification(
        name: "generate",
        summary: "Make up a dataset: the same seed gives the same bytes, on every machine and in every version.",
        options: [
            Stores.entityOption,
            .option("count", "N", "How many records, 0 or more.", isRequired: true),
            .option("seed", "S", "The seed, a whole number from 0 to 2^64 - 1.", isRequired: true),
            .option("bosses", "N", "For employees: their bosses are among the ids 1 to N. Without it they have none."),
            Stores.formatOption("the output's ending says which unless given, and csv without either"),
            .option(
                "output", "FILE",
                "Where to write; standard output unless given. A file is replaced when all is written.", letter: "o",
                values: .file),
        ] + Stores.talkOptions,
        examples: [
            "strata generate --entity Color --count 100 --seed 42",
            "strata generate --entity Employee --count 1000 --seed 42 --bosses 20 --output employees.csv",
        ])

    /// The most rows: more than any test needs, and every identifier is in range.
    private static let counts = 0...1_000_000_000

    static func run(_ arguments: ParsedArguments) throws {
        let entity = try Stores.entity(arguments)
        guard let count = try arguments.integer("count", in: counts) else {
            throw arguments.usageError("missing option --count N")
        }
        guard let seed = try arguments.integer("seed", in: 0...UInt64.max) else {
            throw arguments.usageError("missing option --seed S")
        }
        let bosses = try arguments.integer("bosses", in: counts) ?? 0
        if arguments.value("bosses") != nil, entity.name != "Employee" {
            throw arguments.usageError("--bosses is for employees")
        }
        let target = try OutputTarget(arguments.value("output"))
        let format = try Stores.format(arguments, file: target.path, otherwise: .csv)
        let interruption = Interruption()
        let row = try rowMaker(entity.name, DatasetGenerator(seed: seed), bosses: bosses)
        try target.write(interruption) { output in
            let writer = try DatasetWriter(entity, to: output, ExportOptions(format: format))
            for index in 0..<count {
                if index % 1024 == 0, interruption.isCancelled() { throw CancellationError() }
                try writer.write(try row(index))
            }
            try writer.finish()
        }
        target.report("generated \(Stores.counted(count, entity.name))", arguments)
    }

    private static func rowMaker(
        _ entity: String, _ generator: DatasetGenerator, bosses: Int
    ) throws -> (Int) throws -> StoredRow {
        switch entity {
        case "Color": { try Color.entity.row(of: try generator.color(at: $0)) }
        case "Boss": { try Boss.entity.row(of: try generator.boss(at: $0)) }
        case "Employee": { try Employee.entity.row(of: try generator.employee(at: $0, bosses: bosses)) }
        case "Item": { try Item.entity.row(of: try generator.item(at: $0)) }
        default: throw UsageError("no generator makes \(entity) records", program: "strata", command: "generate")
        }
    }
}
