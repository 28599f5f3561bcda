import Foundation

/// The generator for builds: `strata-model-generator MODEL OUTPUT` writes the Swift code of a model to one file.
///
/// Errors have the form that build systems show: file, line, column and text.
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: strata-model-generator MODEL OUTPUT\n".utf8))
    exit(64)
}

do {
    try Generation(model: arguments[0]).write(to: arguments[1])
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(65)
}
