#if PostgreSQL
import Foundation
import StrataCore
import StrataStoreKit
import StrataTesting

/// A proxy between a store and its server, in a folder of its own, which can cut connections.
///
/// SAFETY: the mutable state is guarded.
final class CuttingProxy: @unchecked Sendable {
    /// The handling of the message that commits.
    enum Commit {
        case passes
        /// The server does not receive the message.
        case isLost
        /// The server receives the message, and its answer is lost.
        case isUnanswered
    }

    private let folder: TemporaryFolder
    private let server: String
    private let listener: Int32
    private let state = Guarded(State())

    private struct State {
        var commit = Commit.passes
        var cutAfter: @Sendable () -> Int? = { nil }
        /// A Boolean value that indicates whether no message is forwarded after the next commit.
        var isRefusingThen = false
        var isRefusing = false
        /// Bytes in the server's answers, and the bytes of the same length that replace them.
        var replacement: (of: [UInt8], with: [UInt8])?
    }

    /// Creates a proxy for the server of a connection string whose `host` is the folder of its socket.
    init(_ connection: String) throws {
        let words = Dictionary(
            connection.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
                .map { ($0[0], $0[1]) }
        ) { $1 }
        server = "\(words["host"] ?? "")/.s.PGSQL.5432"
        folder = try TemporaryFolder()
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        let isListening = Self.with(folder.file(".s.PGSQL.5432").path) { bind(listener, $0, $1) == 0 }
        guard isListening, listen(listener, 64) == 0 else { throw PersistenceError(.inputOutput, "no proxy") }
        self.connection = "host=\(folder.url.path) user=\(words["user"] ?? "") dbname=\(words["dbname"] ?? "")"
        let thread = Thread { [weak self] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                guard let self else {
                    close(client)
                    break
                }
                self.serve(client)
            }
        }
        thread.start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// The connection string of the proxy.
    let connection: String

    /// Sets the handling of the next message that commits; later ones pass.
    func onCommit(_ commit: Commit, refusingFromThen: Bool = false) {
        state.withLock { ($0.commit, $0.isRefusingThen) = (commit, refusingFromThen) }
    }

    /// Sets the number of bytes after which each new connection is cut; `nil` never cuts it.
    func cut(after bytes: @escaping @Sendable () -> Int?) { state.withLock { $0.cutAfter = bytes } }

    /// Rejects new connections.
    func refuse() { state.withLock { $0.isRefusing = true } }

    /// Removes the socket, as if the machine were unreachable; existing connections continue.
    func disappear() { unlink(folder.file(".s.PGSQL.5432").path) }

    /// Replaces a text in the server's answers by another one of the same length.
    ///
    /// The text must be in one packet.
    func replace(_ text: String, with other: String) {
        precondition(text.utf8.count == other.utf8.count, "the lengths of messages stay")
        state.withLock { $0.replacement = (Array(text.utf8), Array(other.utf8)) }
    }

    /// Accepts connections again.
    func admit() { state.withLock { $0.isRefusing = false } }

    private func serve(_ client: Int32) {
        let backend = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let isConnected = Self.with(server) { connect(backend, $0, $1) == 0 }
        guard !state.withLock({ $0.isRefusing }), isConnected else {
            close(client)
            close(backend)
            return
        }
        let pipe = Pipe(client: client, backend: backend, bytesLeft: state.withLock { $0.cutAfter() })
        Thread { self.forward(pipe, from: client, to: backend, isClient: true) }.start()
        Thread { self.forward(pipe, from: backend, to: client, isClient: false) }.start()
    }

    /// The two sockets of a connection.
    ///
    /// SAFETY: they are closed once, by the last of both threads.
    private final class Pipe: @unchecked Sendable {
        let client: Int32
        let backend: Int32
        private let state: Guarded<(bytesLeft: Int?, threads: Int, isMute: Bool)>

        init(client: Int32, backend: Int32, bytesLeft: Int?) {
            (self.client, self.backend) = (client, backend)
            state = Guarded((bytesLeft, 2, false))
        }

        /// Returns how many of a number of bytes are forwarded before the cut.
        func take(_ count: Int) -> Int {
            state.withLock { state in
                guard let left = state.bytesLeft else { return count }
                state.bytesLeft = max(0, left - count)
                return min(left, count)
            }
        }

        var isMute: Bool { state.withLock { $0.isMute } }
        func mute() { state.withLock { $0.isMute = true } }

        func cut() {
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(backend, Int32(SHUT_RDWR))
        }

        func leave() {
            let isLast = state.withLock { state in
                state.threads -= 1
                return state.threads == 0
            }
            if isLast {
                close(client)
                close(backend)
            }
        }
    }

    /// Returns a Boolean value that indicates whether a message commits.
    ///
    /// These are the commit statement, and the end of a pipeline that is sent alone because its statement was answered
    /// before (postgresql.org/docs/15/protocol-message-formats.html, Sync).
    private static func commits(_ message: ArraySlice<UInt8>) -> Bool {
        message.contains(Array("COMMIT\0".utf8)) || message.elementsEqual(Array("S\0\0\0\u{4}".utf8))
    }

    private func forward(_ pipe: Pipe, from source: Int32, to target: Int32, isClient: Bool) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        defer {
            pipe.cut()
            pipe.leave()
        }
        while case let count = read(source, &buffer, buffer.count), count > 0 {
            // This is the answer to a commit that was made; it is not forwarded.
            if !isClient, pipe.isMute { return }
            if isClient, Self.commits(buffer[..<count]) {
                let commit = state.withLock { state in
                    defer { (state.commit, state.isRefusingThen) = (.passes, false) }
                    if state.isRefusingThen { state.isRefusing = true }
                    return state.commit
                }
                switch commit {
                case .passes: break
                case .isLost: return
                case .isUnanswered: pipe.mute()
                }
            }
            if !isClient, let replacement = state.withLock({ $0.replacement }) {
                for place in buffer[..<count].ranges(of: replacement.of) {
                    buffer.replaceSubrange(place, with: replacement.with)
                }
            }
            let passing = pipe.take(count)
            var sent = 0
            while sent < passing {
                let written = buffer[sent..<passing].withUnsafeBytes {
                    send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { return }
                sent += written
            }
            if passing < count { return }
        }
    }

    private static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { room in
            room.copyBytes(from: Array(path.utf8).prefix(room.count - 1))
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
#endif
