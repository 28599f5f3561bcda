import Foundation
import Testing

/// The built tool, which tests run as a user does.
struct Tool {
    /// The result of one run.
    struct Result {
        /// The exit code, or 128 plus the number of the signal that ended the process.
        var status: Int32
        var output: String
        var errors: String
        /// The peak of resident memory in bytes, sampled every millisecond, or 0 if it was not measured.
        var peakMemory: Int

        /// Expects an exit status and reports the tool's messages if it differs.
        func expect(status expected: Int32, sourceLocation: SourceLocation = #_sourceLocation) {
            #expect(status == expected, "\(errors.isEmpty ? output : errors)", sourceLocation: sourceLocation)
        }
    }

    /// The executable under test in the folder of the test bundle.
    static let debug = Tool(
        path: URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/strata")

    /// The release build, if the environment names one.
    static let release = ProcessInfo.processInfo.environment["STRATA_RELEASE_TOOL"].map { Tool(path: $0) }

    /// The fastest available build, for many rows.
    static let quickest = release ?? debug

    /// The executable under test, with the reference model by default.
    static let reference = debug.namingReferenceModel

    let path: String
    /// A Boolean value that indicates whether commands that create a store or rows get `--model reference` by default.
    var namesReferenceModel = false

    /// The same tool, with the reference model by default.
    var namingReferenceModel: Tool { Tool(path: path, namesReferenceModel: true) }

    private static let commandsWithModel = ["import", "validate", "generate"]

    /// Returns the arguments with `--model reference` after the command, if it is needed.
    func completed(_ arguments: [String]) -> [String] {
        guard namesReferenceModel, let command = arguments.first, Self.commandsWithModel.contains(command),
            !arguments.contains(where: { $0 == "--infer" || $0 == "--model" || $0.hasPrefix("--model=") })
        else { return arguments }
        return [command, "--model", "reference"] + arguments.dropFirst()
    }

    /// Runs the tool in a folder and waits for its end.
    func run(
        _ arguments: [String], in folder: TemporaryFolder, input: String? = nil, measuresMemory: Bool = false
    ) throws -> Result {
        try start(arguments, in: folder, input: input).wait(measuresMemory: measuresMemory)
    }

    /// A shell function that defines `strata` as the tool.
    var shellFunction: String {
        let commands = Self.commandsWithModel.joined(separator: " ")
        let naming =
            "[[ ' \(commands) ' != *\" $1 \"* || \" $* \" == *' --model'[\\ =]* || \" $* \" == *' --infer '* ]] "
            + "|| set -- \"$1\" --model reference \"${@:2}\"; "
        return "strata() { \(namesReferenceModel ? naming : "")\"\(path)\" \"$@\"; }; "
    }

    /// Runs a shell line in which `strata` is the tool.
    func shell(_ line: String, in folder: TemporaryFolder) throws -> Result {
        try Tool(path: "/bin/bash").run(["-c", shellFunction + line], in: folder)
    }

    /// Starts the tool in a folder with the signals `held` blocked and all others unblocked.
    func start(
        _ arguments: [String], in folder: TemporaryFolder, input: String? = nil, holding held: [Int32] = []
    ) throws -> Running {
        let streams = TemporaryFolder()
        let inputFile = streams.path("input")
        try Data((input ?? "").utf8).write(to: URL(fileURLWithPath: inputFile))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, inputFile, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, streams.path("output"), O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, streams.path("errors"), O_WRONLY | O_CREAT, 0o600)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in held { sigaddset(&signals, signal) }
        posix_spawnattr_setsigmask(&attributes, &signals)
        // A shell without job control lets background processes ignore these signals; `make test` and its children
        // inherit that.
        var ignored = sigset_t()
        sigemptyset(&ignored)
        for signal in [SIGINT, SIGQUIT] { sigaddset(&ignored, signal) }
        posix_spawnattr_setsigdefault(&attributes, &ignored)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        // The shell only changes the folder and then executes the tool, so that signals and memory are those of the
        // tool.
        let command =
            ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder.url.path, path] + completed(arguments)
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var process = pid_t()
        let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, words, environ)
        try #require(code == 0, "\(path): \(String(cString: strerror(code)))")
        return Running(process: process, streams: streams)
    }

    /// A running process of the tool.
    struct Running {
        let process: pid_t
        let streams: TemporaryFolder

        /// The peak of resident memory of the running process.
        private var peakMemory: Int? {
            guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
                let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
                let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
            else { return nil }
            return Int(kilobytes).map { $0 * 1024 }
        }

        /// A Boolean value that indicates whether the process has ended; ``wait(measuresMemory:)`` returns its status.
        var hasEnded: Bool {
            var information = siginfo_t()
            return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) != 0
                || information._sifields._sigchld.si_pid != 0
        }

        func send(_ signal: Int32) {
            kill(process, signal)
        }

        /// Sends a signal at a random moment within a duration.
        ///
        /// The moment is the subject of the test, so this test depends on the clock.
        ///
        /// - Returns: The moment.
        func send(_ signal: Int32, within duration: Duration) -> Duration {
            let moment = duration * Double.random(in: 0..<1)
            let (seconds, rest) = moment.components
            usleep(UInt32(seconds) * 1_000_000 + UInt32(rest / 1_000_000_000_000))
            send(signal)
            return moment
        }

        func wait(measuresMemory: Bool = false) throws -> Result {
            var status: Int32 = 0
            var peak = 0
            if measuresMemory {
                // The peak of wait4 is not usable: it includes the memory of the process that spawned the tool.
                while waitpid(process, &status, WNOHANG) == 0 {
                    peak = peakMemory ?? peak
                    usleep(1000)
                }
            } else {
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
            }
            let signal = status & 0x7F
            return Result(
                status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
                output: try streams.text("output"), errors: try streams.text("errors"),
                peakMemory: peak)
        }
    }
}
