import Foundation
import StrataFiles

/// Functions that run a system tool, such as gzip, in a separate process.
enum ToolProcess {
    /// Returns the first line that a tool wrote to its error pipe, without the names of the tool and the file.
    static func message(from descriptor: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let input = ByteInput(descriptor: descriptor, name: "", blockSize: buffer.count)
        // The exit status shows that the tool failed. If its message cannot be read, the report only has less detail.
        let count = (try? input.read(into: &buffer, at: 0)) ?? 0
        let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { $0.firstRange(of: ": ") != nil }) ?? lines.first else {
            return "unknown error"
        }
        return line.split(separator: ":").last.map { String($0.drop { $0 == " " }) } ?? "unknown error"
    }

    /// Waits until a process ends and returns its exit status, or a number other than 0 if a signal ended it.
    static func waitForEnd(_ process: pid_t) -> Int32 {
        var status: Int32 = 0
        return withoutInterruption { waitpid(process, &status, 0) } < 0 ? -1 : status
    }

    /// Creates a pipe whose descriptors no other process inherits.
    ///
    /// - Returns: The ends for reading and for writing; `nil` if an error occurred, whose number is in `errno`.
    static func makePipe() -> (read: OpenFile, write: OpenFile)? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return (OpenFile(descriptor: ends[0]), OpenFile(descriptor: ends[1]))
    }

    /// Starts a tool in its own process group and returns 0 or the system's error number.
    ///
    /// An interrupt from the keyboard then reaches only this process.
    static func spawn(
        _ words: [String], input: Int32, output: Int32, errors: Int32, process: inout pid_t
    ) -> Int32 {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        // Clear the signal mask of this thread for the tool, so that SIGTERM ends the tool.
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        return posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
    }
}
