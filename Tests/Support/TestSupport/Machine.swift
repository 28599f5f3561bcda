import Foundation

/// The capabilities of this machine; tests that need missing ones are disabled with the reason.
public enum Machine {
    /// Returns the path of a shell or another program, or `nil` if it is not installed.
    public static func path(of program: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return (folders + ["/usr/local/bin", "/usr/bin", "/bin"]).map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Returns a Boolean value that indicates whether a program is installed.
    public static func has(_ program: String) -> Bool { path(of: program) != nil }

    /// A Boolean value that indicates whether the tests run under the thread sanitizer.
    public static let hasThreadSanitizer = dlsym(nil, "__tsan_init") != nil

    /// A Boolean value that indicates whether the tests and the tool run under the address or the thread sanitizer.
    public static let hasSanitizer = hasThreadSanitizer || dlsym(nil, "__asan_init") != nil
}
