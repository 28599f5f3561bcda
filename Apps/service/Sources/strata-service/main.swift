import Foundation
import Logging
import Service

/// The status of a program with invalid settings (sysexits.h).
let configurationStatus: Int32 = 78

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments == ["--help"] {
    print(Configuration.help)
    exit(0)
}
do {
    let configuration = try Configuration(arguments: arguments, environment: ProcessInfo.processInfo.environment)
    LoggingSystem.bootstrap(StreamLogHandler.standardError)
    var logger = Logger(label: "strata-service")
    logger.logLevel = configuration.logLevel
    let program = ServiceProgram(configuration, logger: logger) { port in
        // The output of print would be buffered in a pipe.
        let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        FileHandle.standardOutput.write(Data("http://\(host):\(port)/\n".utf8))
    }
    program.bootstrapMetrics()
    try await program.run()
} catch {
    FileHandle.standardError.write(Data("strata-service: \(error)\n".utf8))
    exit(error is ConfigurationError ? configurationStatus : 1)
}
