import Foundation

/// The peak memory growth of a process during an operation.
///
/// Each side is measured in a separate process, because the reuse of freed memory would not be visible.
struct PeakMemory {
    private let before: Int

    /// Begins a measurement, or returns `nil` if the system does not report memory.
    init?() {
        guard let size = Self.kibibytes("VmRSS:") else { return nil }
        before = size
    }

    /// The growth since the beginning in MiB.
    var growth: Double? {
        Self.kibibytes("VmHWM:").map { Double($0 - before) / 1024 }
    }

    /// Runs this program for one side of one comparison and prints its output.
    ///
    /// - Parameters:
    ///   - name: The comparison.
    ///   - side: The side.
    ///   - url: The prepared store, if any.
    /// - Returns: The growth in MiB, or `nil` if the system does not report memory.
    /// - Throws: An error if the program cannot be run.
    @discardableResult
    static func report(_ name: String, _ side: String, at url: URL? = nil) throws -> Double? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--memory", side, name] + (url.map { [$0.path] } ?? [])
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchmarkError("\(name): the process of \(side) failed") }
        print(text, terminator: "")
        // "insert: strata takes at most 4.0 MiB more"
        return text.split(separator: " ").compactMap { Double($0) }.first
    }

    private static func kibibytes(_ name: String) -> Int? {
        guard let file = fopen("/proc/self/status", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                .split { $0 == " " || $0 == "\t" }
            if let first = words.first, first == name, words.count > 1 { return Int(words[1]) }
        }
        return nil
    }
}
