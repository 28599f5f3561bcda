import Dispatch
import Foundation

/// A TCP connection that sends any bytes, such as incomplete requests.
struct RawConnection {
    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr = in_addr(s_addr: inet_addr("127.0.0.1"))
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw CocoaError(.fileReadUnknown) }
    }

    func send(_ text: String) { _ = text.withCString { Foundation.send(descriptor, $0, strlen($0), 0) } }

    /// Ends the sending side, and returns all that the server sends until it closes the connection.
    func finish() async -> String {
        await withCheckedContinuation { continuation in
            // A blocked thread of Swift concurrency would not be available to the server.
            DispatchQueue.global().async { continuation.resume(returning: receiveAll()) }
        }
    }

    private func receiveAll() -> String {
        shutdown(descriptor, Int32(SHUT_WR))
        var (answer, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            answer += buffer[..<count]
        }
        close(descriptor)
        return String(decoding: answer, as: UTF8.self)
    }
}
