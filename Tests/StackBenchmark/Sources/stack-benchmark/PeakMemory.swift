import Foundation

/// How much the process grew at most while something ran, in MiB; `nil` where the system does not tell.
struct PeakMemory {
    private let before: Int

    /// Begins a measurement and forgets earlier peaks.
    ///
    /// Memory that was freed before and not given back to the system is used again first, and does not count.
    init?() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return nil }
        // 5 resets the peak (see proc(5)).
        fputs("5", file)
        fclose(file)
        guard let size = Self.kibibytes("VmRSS:") else { return nil }
        before = size
    }

    var growth: Double? {
        Self.kibibytes("VmHWM:").map { Double($0 - before) / 1024 }
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
