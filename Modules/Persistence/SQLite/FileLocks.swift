import Foundation
import StrataCore

/// The POSIX locks of a file, as Linux lists them in `/proc/locks`.
enum FileLocks {
    /// A process that holds a lock.
    struct Process {
        var id: Int32
        /// The name of its program; `nil` if the system does not say it.
        var name: String?
        /// The time it was started; `nil` if the system does not say it.
        var started: Date?
    }

    /// Lists the processes that lock a byte of a file.
    ///
    /// - Returns: The processes; empty on systems without `/proc/locks`, and for those of other containers.
    static func processes(locking byte: Int, of path: String) -> [Process] {
        var status = stat()
        guard stat(path, &status) == 0, let locks = text(of: "/proc/locks") else { return [] }
        let inode = String(status.st_ino)
        return locks.split(separator: "\n").compactMap { line in
            // 1: POSIX  ADVISORY  READ 4711 fe:00:16236574 123 123
            let words = line.split(separator: " ")
            guard words.count == 8, words[1] == "POSIX", words[5].split(separator: ":").last.map(String.init) == inode,
                let id = Int32(words[4]), let first = Int(words[6]), first <= byte,
                words[7] == "EOF" || Int(words[7]).map({ $0 >= byte }) == true
            else { return nil }
            return Process(id: id, name: name(of: id), started: start(of: id))
        }
    }

    private static func name(of process: Int32) -> String? {
        text(of: "/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init)
    }

    /// Returns the time a process was started: the system's start and the ticks since then (proc(5), field 22 of stat).
    private static func start(of process: Int32) -> Date? {
        // The name of the program is in parentheses and may contain spaces.
        guard let fields = text(of: "/proc/\(process)/stat")?.split(separator: ")").last?.split(separator: " "),
            fields.count > 19, let ticks = Double(fields[19]),
            let uptime = text(of: "/proc/uptime")?.split(separator: " ").first.flatMap({ Double($0) })
        else { return nil }
        return Date.now.addingTimeInterval(ticks / Double(sysconf(Int32(_SC_CLK_TCK))) - uptime)
    }

    /// Returns the text of a file of the system; `nil` if it cannot be read.
    private static func text(of path: String) -> String? {
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
