import Foundation
import StrataFiles
import StrataInterchange
import StrataModelFiles
import StrataPersistence

/// The model of an import, in which undefined properties are completed from the data.
enum ModelOfData {
    /// Returns the command's model.
    ///
    /// If the model file does not define the digits of numbers or the order of rows, all of the data is read first to
    /// determine them.
    ///
    /// - Throws: ``UsageError`` if digits are undefined and the data cannot be read twice, and the errors of reading
    ///   the data.
    static func model(_ arguments: ParsedArguments, _ package: DataPackage?) throws -> Models.Opened {
        let opened = try Models.opened(arguments, package: package?.path)
        guard let file = opened.file, !file.openNumbers.isEmpty || !file.openLayouts.isEmpty,
            let path = arguments.value("model") ?? package?.path
        else { return opened }
        let unreadable = arguments.positionals.first { !isReadAgain($0) }
        if let unreadable, let number = file.openNumbers.first {
            throw arguments.usageError(
                "\(unreadable == "-" ? "standard input" : unreadable) cannot be read twice, but the model does not "
                    + "state how many digits "
                    + "\(number.entity).\(number.attribute) has; write \"strata:scale\" next to its type, or name a file"
            )
        }
        guard unreadable == nil else {
            // The order of such data is unknown until the records are stored.
            let layout = SettledLayout(isIdentifier: true, keepsOrder: true)
            let layouts = Dictionary(file.openLayouts.map { ($0, layout) }, uniquingKeysWith: { first, _ in first })
            return Models.Opened(model: try Models.file(at: path, layouts: layouts).model)
        }
        var reading = try ReadingArguments(arguments, opened.model)
        // Notes about the files are printed only once, by the import.
        reading.isQuiet = true
        let interruption = Interruption()
        func forEachSource(of entity: String, _ body: (ByteInput, ReadingOptions) throws -> Void) throws {
            for source in try reading.sources(arguments.positionals, package) where source.entity == entity {
                try body(source.input, source.reading ?? ReadingOptions(format: .csv))
            }
        }
        var numbers: [UnspecifiedNumber: ResolvedNumber] = [:]
        for (name, open) in Dictionary(grouping: file.openNumbers, by: \.entity) {
            guard let entity = opened.model[name] else { continue }
            var survey = NumberSurvey(of: entity, open.map(\.attribute))
            try forEachSource(of: name) { try survey.read($0, $1, isCancelled: interruption.isCancelled) }
            for number in open { numbers[number] = settled(survey.finding(number.attribute)) }
        }
        var layouts: [String: SettledLayout] = [:]
        for name in file.openLayouts {
            guard let entity = opened.model[name] else { continue }
            var survey = KeySurvey(of: entity)
            try forEachSource(of: name) { try survey.read($0, $1, isCancelled: interruption.isCancelled) }
            layouts[name] = SettledLayout(
                isIdentifier: survey.areIdentifiers, keepsOrder: survey.areIdentifiers && !survey.areRising)
        }
        return Models.Opened(model: try Models.file(at: path, numbers: numbers, layouts: layouts).model)
    }

    /// Returns a Boolean value that indicates whether a path can be read again; another check reports missing files.
    static func isReadAgain(_ path: String) -> Bool {
        guard path != "-" else { return false }
        return FileStatus(path: path).map { $0.isRegular || $0.isDirectory } ?? true
    }

    private static func settled(_ finding: NumberSurvey.Finding) -> ResolvedNumber {
        switch finding {
        // Values that are added later can have any form, and they must be exported unchanged.
        case .nothing: .text
        case .decimals(let scale): .decimal(scale: scale)
        case .doubles: .double
        case .texts: .text
        }
    }
}
