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
        let name = URL(fileURLWithPath: arguments.shownStore ?? path).deletingPathExtension().lastPathComponent
        let model = try Models.model(at: path, warns: !arguments.has("quiet"))
        let description = OpenAPIDescription(model, title: name)
        guard arguments.has("check") else {
            return try OutputTarget(output).write(Interruption()) { try $0.append(Array(description.text.utf8)) }
        }
        guard let output else { throw arguments.usageError("--check requires --output FILE") }
        guard PathKind(output) != .nothing else {
            try Console.print("\(output): the file is missing\n")
            throw StaleFiles()
        }
        let found = try ByteInput.contents(of: output, atMost: 64 << 20)
        guard let line = FirstDifference.line(found, Array(description.text.utf8)) else { return }
        try Console.print("\(output):\(line): the file differs from the generated description\n")
        throw StaleFiles()
    }
}

/// The comparison of a file with a generated text.
enum FirstDifference {
    /// Returns the number of the first line that differs, from 1; `nil` if both texts are equal.
    static func line(_ found: [UInt8], _ generated: [UInt8]) -> Int? {
        if found == generated { return nil }
        let same = zip(found, generated).prefix { $0 == $1 }
        return 1 + same.count { $0.0 == 0x0A }
    }
}
