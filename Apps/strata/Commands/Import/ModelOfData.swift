import Foundation
import StrataInterchange
import StrataModelFiles
import StrataPersistence

/// The model of an import, with what its file leaves to the data.
enum ModelOfData {
    /// The command's model; numbers of which its file does not say how many digits they have are read first, all of them.
    ///
    /// - Throws: ``UsageError`` where the data cannot be read twice; what hinders the reading.
    static func model(_ arguments: ParsedArguments, _ package: DataPackage?) throws -> Models.Opened {
        let opened = try Models.opened(arguments, package: package?.path)
        guard let file = opened.file, !file.openNumbers.isEmpty,
            let path = arguments.value("model") ?? package?.path
        else { return opened }
        let interruption = Interruption()
        for path in arguments.positionals where !isReadAgain(path) {
            let number = file.openNumbers[0]
            throw arguments.usageError(
                "\(path == "-" ? "standard input" : path) cannot be read twice, and the model does not say how many digits "
                    + "\(number.entity).\(number.attribute) has; write \"strata:scale\" beside its type, or name a file"
            )
        }
        var reading = try ReadingArguments(arguments, opened.model)
        // What is said of the files is said once.
        reading.isQuiet = true
        let sources = try reading.sources(arguments.positionals, package)
        var numbers: [OpenNumber: SettledNumber] = [:]
        for (name, open) in Dictionary(grouping: file.openNumbers, by: \.entity) {
            guard let entity = opened.model[name] else { continue }
            var survey = NumberSurvey(of: entity, open.map(\.attribute))
            for source in sources where source.entity == name {
                try survey.read(
                    source.input, source.reading ?? ReadingOptions(format: .csv),
                    isCancelled: interruption.isCancelled)
            }
            for number in open { numbers[number] = settled(survey.finding(number.attribute)) }
        }
        return Models.Opened(model: try Models.file(at: path, numbers: numbers).model)
    }

    /// Whether a path leads to a file or a directory, and not to a pipe; what is not there is said elsewhere.
    static func isReadAgain(_ path: String) -> Bool {
        var status = stat()
        guard path != "-" else { return false }
        guard stat(path, &status) == 0 else { return true }
        return [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    private static func settled(_ finding: NumberSurvey.Finding) -> SettledNumber {
        switch finding {
        // What comes later may be of any form, and has to come back as it was.
        case .nothing: .text
        case .decimals(let scale): .decimal(scale: scale)
        case .doubles: .double
        case .texts: .text
        }
    }
}
