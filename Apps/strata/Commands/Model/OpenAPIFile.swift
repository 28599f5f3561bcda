import Foundation
import StrataInterchange
import StrataModelOpenAPI
import StrataPersistence

/// The action `strata model openapi`, which prints the description of an HTTP API for the records of a model.
enum OpenAPIFile {
    /// Prints the description, writes it to a file, or compares it with a file.
    ///
    /// - Throws: ``UsageError`` if an option is invalid, ``StaleFiles`` if a check finds a difference, and the errors
    ///   of reading the model and writing the file.
    static func run(_ arguments: ParsedArguments, _ path: String) throws {
        let output = arguments.value("output")
        if output?.isEmpty == true { throw arguments.usageError("option --output is empty; name a file") }
        let isPrinted = output == nil || output == "-"
        if isPrinted, arguments.has("check") { throw arguments.usageError("--check requires --output FILE") }
        if let output, !isPrinted {
            var outputs = OutputGuard(store: nil, inputs: [path])
            try outputs.claim(output)
        }
        let model = try Models.model(at: path, warns: !arguments.has("quiet"))
        let description = OpenAPIDescription(model, title: title(arguments.shownStore ?? path))
        guard arguments.has("check") else {
            return try OutputTarget(output).write(Interruption()) { try $0.append(Array(description.text.utf8)) }
        }
        guard let output, PathKind(output) != .nothing else {
            try Console.print("\(output ?? ""): the file is missing\n")
            throw StaleFiles()
        }
        let found = try ByteInput.contents(of: output, atMost: 64 << 20)
        guard let line = FirstDifference.line(found, Array(description.text.utf8)) else { return }
        try Console.print("\(output):\(line): the file differs from the generated description\n")
        throw StaleFiles()
    }

    /// Returns the name of the model's file without its extensions, or the name of the folder of a data package.
    private static func title(_ path: String) -> String {
        let url = URL(fileURLWithPath: path)
        let name = url.lastPathComponent
        if name == "datapackage.json" { return url.deletingLastPathComponent().lastPathComponent }
        for ending in [".model.json", ".json"] where name.hasSuffix(ending) {
            return String(name.dropLast(ending.count))
        }
        return url.deletingPathExtension().lastPathComponent
    }
}
