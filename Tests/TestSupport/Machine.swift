import Foundation

/// What this machine has besides Swift; tests that need more than is there are off, and say why.
public enum Machine {
    /// Where a shell or another program stands; nil where it is not installed.
    public static func path(of program: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return (folders + ["/usr/local/bin", "/usr/bin", "/bin"]).map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Whether a program is installed.
    public static func has(_ program: String) -> Bool { path(of: program) != nil }

    /// Whether the tests run under the thread sanitizer.
    public static let hasThreadSanitizer = dlsym(nil, "__tsan_init") != nil

    /// Whether the tests, and the tool beside them, run under the address or the thread sanitizer.
    public static let hasSanitizer = hasThreadSanitizer || dlsym(nil, "__asan_init") != nil
}
