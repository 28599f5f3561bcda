import Foundation
import StrataTestSupport
import Testing

/// System calls of the tool that fail, kill it, or let something happen first: the n-th of a kind on a path.
///
/// Done by a library that is loaded before the tool, `Tests/SystemFaults/system-faults.c`.
struct SystemFaults {
    /// The kinds of calls.
    enum Call: String {
        /// All that change something: those below but for opening and reading.
        case any
        /// ``unnamed`` is the creation of a file that no folder lists.
        case open, create, unnamed, read, write, fsync, rename, unlink, truncate, link, mkdir
    }

    /// What becomes of a call.
    enum Effect {
        /// It fails with an error number.
        case fails(Int32)
        /// The process is killed before it.
        case kills
        /// The shell runs ``SystemFaults/command`` in the tool's folder before it.
        case runsCommand
    }

    /// One call, or that one and all behind it.
    struct Rule {
        var call: Call
        /// What the path contains; nothing fits all.
        var path = ""
        /// The number among the calls that fit, from 1.
        var number = 1
        var isOnward = false
        var effect: Effect

        /// A file system that has no files without a name.
        static let unnamedFiles = Rule(call: .unnamed, isOnward: true, effect: .fails(EOPNOTSUPP))

        fileprivate var text: String {
            let effect =
                switch effect {
                case .fails(let error): "\(error)"
                case .kills: "kill"
                case .runsCommand: "run"
                }
            return "\(call.rawValue)@\(path):\(number)\(isOnward ? "+" : ""):\(effect)"
        }
    }

    var rules: [Rule] = []
    var command: String?
    /// The file in the tool's folder that gets a line for each call that changes something.
    var log: String?

    init(_ rules: Rule..., command: String? = nil, log: String? = nil) {
        (self.rules, self.command, self.log) = (rules, command, log)
    }

    /// The words for `env` that have a program run like this.
    fileprivate func environment(in folder: TemporaryFolder) throws -> [String] {
        var words = ["LD_PRELOAD=\(try Self.library.get())"]
        if !rules.isEmpty { words.append("STRATA_FAULTS=\(rules.map(\.text).joined(separator: ";"))") }
        if let command { words.append("STRATA_FAULTS_COMMAND=\(command)") }
        if let log { words.append("STRATA_FAULTS_LOG=\(folder.path(log))") }
        return words
    }

    private struct NotBuilt: Error, CustomStringConvertible {
        let description: String
    }

    /// The library's path: beside the tests, built when it is first needed by the compiler that the toolchain brings.
    private static let library = Result {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("SystemFaults/system-faults.c").path
        guard let compiler = Machine.path(of: "clang") ?? Machine.path(of: "cc") else {
            throw NotBuilt(description: "neither clang, which comes with Swift, nor cc is in the PATH")
        }
        let path = URL(fileURLWithPath: Tool.debug.path).deletingLastPathComponent()
            .appendingPathComponent("system-faults.so").path
        // Other processes may run the same tests: each puts a whole library there.
        let folder = TemporaryFolder()
        let built = try Tool(path: compiler).run(
            ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", "\(path).\(getpid())", source], in: folder)
        guard built.status == 0, rename("\(path).\(getpid())", path) == 0 else {
            throw NotBuilt(description: built.errors)
        }
        return path
    }
}

extension Tool {
    /// Runs the tool in a folder with faults, and waits for its end.
    func run(
        _ arguments: [String], in folder: TemporaryFolder, input: String? = nil, faults: SystemFaults
    ) throws -> Result {
        try Tool(path: "/usr/bin/env").run(
            try faults.environment(in: folder) + [path] + completed(arguments), in: folder, input: input)
    }
}

extension Trait where Self == ConditionTrait {
    /// For what a preloaded library does.
    static var faultsSystemCalls: Self {
        #if os(Linux)
        .enabled(if: !Machine.hasSanitizer, "a sanitizer takes the same system calls")
        #else
        .enabled(if: false, "libraries are loaded before a program on Linux only")
        #endif
    }
}
