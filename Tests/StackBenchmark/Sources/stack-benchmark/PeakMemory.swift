import Foundation

/// How much a process grew at most while something ran.
///
/// Measured in a process of its own for each side, because memory that was freed earlier would be used again and not be seen.
struct PeakMemory {
    private let before: Int

    /// Begins a measurement; `nil` where the system does not tell.
    init?() {
        guard let size = Self.kibibytes("VmRSS:") else { return nil }
        before = size
    }

    /// The growth since the beginning in MiB.
    var growth: Double? {
        Self.kibibytes("VmHWM:").map { Double($0 - before) / 1024 }
    }

    /// Runs this program once more, for one side of one comparison, and passes on what it prints.
    ///
    /// - Parameters:
    ///   - name: The comparison.
    ///   - side: Which of its sides.
    ///   - url: What that works on, where it is made before.
    /// - Returns: The growth in MiB; `nil` where the system does not tell.
    /// - Throws: Why the program cannot be run.
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
