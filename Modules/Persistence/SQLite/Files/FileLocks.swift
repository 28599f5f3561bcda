import Foundation
import StrataCore
import StrataFiles

/// The POSIX locks of a file, which Linux lists in `/proc/locks`.
enum FileLocks {
    /// A process that holds a lock.
    struct Process {
        var id: Int32
        /// The name of the program that the process runs; `nil` if the system does not report it.
        var name: String?
        /// The time at which the process started; `nil` if the system does not report it.
        var started: Date?
    }

    /// The maximum count of readings of the system's list until a lock is found.
    private static let attempts = 10

    /// Returns the processes that lock a byte of a file.
    ///
    /// The system returns the list of all locks in several parts. If locks of other files change meanwhile, the list
    /// can lack a lock. Therefore the method reads the list again if it finds no process.
    /// - Returns: The processes. The list is empty on systems without `/proc/locks`, and it omits processes of other
    ///   containers.
    static func processes(locking byte: Int, of path: String) -> [Process] {
        guard let inode = FileStatus(path: path)?.identity.number else { return [] }
        for _ in 0..<attempts {
            let found = processesOnce(locking: byte, ofInode: String(inode))
            if !found.isEmpty { return found }
        }
        return []
    }

    private static func processesOnce(locking byte: Int, ofInode inode: String) -> [Process] {
        guard let locks = text(of: "/proc/locks") else { return [] }
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

    /// Returns the start time of a process: the start time of the system plus the ticks in field 22 of `stat`
    /// (proc(5)).
    private static func start(of process: Int32) -> Date? {
        // The name of the program is in parentheses and may contain spaces.
        guard let fields = text(of: "/proc/\(process)/stat")?.split(separator: ")").last?.split(separator: " "),
            fields.count > 19, let ticks = Double(fields[19]),
            let uptime = text(of: "/proc/uptime")?.split(separator: " ").first.flatMap({ Double($0) })
        else { return nil }
        return Date.now.addingTimeInterval(ticks / Double(sysconf(Int32(_SC_CLK_TCK))) - uptime)
    }

    /// Returns the text of a file in `/proc`, or `nil` if it cannot be read.
    private static func text(of path: String) -> String? {
        guard let file = OpenFile(path: path, O_RDONLY) else { return nil }
        do { return String(decoding: try file.contents(), as: UTF8.self) } catch { return nil }
    }
}
