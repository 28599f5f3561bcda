import Foundation
import StrataTestSupport
import Testing

/// Faults for the n-th system call of a kind on a path: the call fails, kills the tool, or runs a command first.
///
/// Implemented by `Tests/Tools/SystemFaults/system-faults.c`, a library that is loaded before the tool.
struct SystemFaults {
    /// The kinds of calls.
    enum Call: String {
        /// All modifying calls: those below except for opening and reading.
        case any
        /// The creation of a file that no folder lists is ``unnamed``.
        case open, create, unnamed, read, write, fsync, rename, unlink, truncate, link, mkdir
    }

    /// The effect on a call.
    enum Effect {
        /// The call fails with an error number.
        case fails(Int32)
        /// The process is killed before the call.
        case kills
        /// The shell runs ``SystemFaults/command`` in the tool's folder before the call.
        case runsCommand
    }

    /// One call, or that call and all later ones.
    struct Rule {
        var call: Call
        /// A part of the path; an empty text matches all paths.
        var path = ""
        /// The number among the matching calls, from 1.
        var number = 1
        var isOnward = false
        var effect: Effect

        /// A rule that simulates a file system without unnamed files.
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
    /// The file in the tool's folder that receives a line for each modifying call.
    var log: String?

    init(_ rules: Rule..., command: String? = nil, log: String? = nil) {
        (self.rules, self.command, self.log) = (rules, command, log)
    }

    /// Returns the arguments of `env` for a program with these faults.
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

    /// The library's path in the folder of the tests; built on first use with the toolchain's compiler.
    private static let library = Result {
        let source = Checkout.root.appendingPathComponent("Tests/Tools/SystemFaults/system-faults.c").path
        guard let compiler = Machine.path(of: "clang") ?? Machine.path(of: "cc") else {
            throw NotBuilt(description: "neither clang, which comes with Swift, nor cc is in the PATH")
        }
        let path = URL(fileURLWithPath: Tool.debug.path).deletingLastPathComponent()
            .appendingPathComponent("system-faults.so").path
        // Other processes may run the same tests: each of them installs a complete library.
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
    /// Runs the tool in a folder with faults and waits for its end.
    func run(
        _ arguments: [String], in folder: TemporaryFolder, input: String? = nil, faults: SystemFaults
    ) throws -> Result {
        try Tool(path: "/usr/bin/env").run(
            try faults.environment(in: folder) + [path] + completed(arguments), in: folder, input: input)
    }
}

extension Trait where Self == ConditionTrait {
    /// A trait for tests that need a preloaded library.
    static var faultsSystemCalls: Self {
        #if os(Linux)
        .enabled(if: !Machine.hasSanitizer, "a sanitizer takes the same system calls")
        #else
        .enabled(if: false, "libraries are loaded before a program on Linux only")
        #endif
    }
}
