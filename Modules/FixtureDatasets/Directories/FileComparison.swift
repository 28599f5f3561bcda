import Interchange

/// Compares a file with bytes that come piece by piece, and remembers where they first differ.
final class FileComparison {
    let digest = RunningDigest()
    private let path: String
    private let input: ByteInput?
    private var block: [UInt8]
    /// What was read and not compared yet.
    private var rest: ArraySlice<UInt8> = []
    private var failure: InterchangeError?
    private var line = 1
    /// What is the same of the line that is compared now.
    private var common: [UInt8] = []
    private var difference: (found: [UInt8], made: [UInt8])?

    /// How much of a line a message shows on each side of the difference, in bytes.
    private static let shown = 60

    /// Opens a file; one that is not there differs from everything.
    ///
    /// - Throws: `InterchangeError` when it is there and cannot be opened.
    init(path: String) throws(InterchangeError) {
        self.path = path
        do throws(InterchangeError) {
            input = try ByteInput(path: path)
        } catch  where error.code == .inputNotFound {
            input = nil
        }
        block = [UInt8](repeating: 0, count: input?.blockSize ?? 0)
    }

    /// Compares the next bytes that should be there.
    func take(_ bytes: UnsafeRawBufferPointer) {
        digest.update(bytes)
        guard input != nil, failure == nil, difference == nil else { return }
        var place = 0
        while place < bytes.count {
            if rest.isEmpty { read() }
            guard !rest.isEmpty, failure == nil else {
                return differ(bytes[place...])
            }
            let count = min(rest.count, bytes.count - place)
            let made = UnsafeRawBufferPointer(rebasing: bytes[place..<place + count])
            let same = Self.commonPrefix(made, rest)
            note(UnsafeRawBufferPointer(rebasing: made[..<same]))
            rest = rest.dropFirst(same)
            place += same
            if same < count { return differ(bytes[place...]) }
        }
    }

    /// What is different; nil where the file is as it should be.
    ///
    /// - Throws: `InterchangeError` when the file could not be read.
    func finish() throws(InterchangeError) -> FixtureCheck.Finding? {
        guard input != nil else { return .init(path: path, message: "is missing") }
        if let failure { throw failure }
        if difference == nil {
            if rest.isEmpty { read() }
            if let failure { throw failure }
            if !rest.isEmpty { difference = (Self.line(rest), []) }
        }
        guard let difference else { return nil }
        return .init(
            path: path, line: line,
            message: "differs: there is \(text(difference.found)), and \(text(difference.made)) should be there")
    }

    private func read() {
        guard let input else { return }
        do throws(InterchangeError) {
            let count = try input.read(into: &block, at: 0)
            rest = block[..<count]
        } catch {
            failure = error
        }
    }

    private func differ(_ made: Slice<UnsafeRawBufferPointer>) {
        difference = (Self.line(rest), Self.line(made))
    }

    /// The beginning of bytes up to the end of the line.
    private static func line(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var line: [UInt8] = []
        for byte in bytes {
            guard byte != UInt8(ascii: "\n"), line.count < shown else { break }
            line.append(byte)
        }
        return line
    }

    private func note(_ bytes: UnsafeRawBufferPointer) {
        var count = 0
        for byte in bytes where byte == UInt8(ascii: "\n") { count += 1 }
        guard count > 0, let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
            common.append(contentsOf: bytes)
            return
        }
        line += count
        common = Array(bytes[(end + 1)...])
    }

    private static func commonPrefix(_ left: UnsafeRawBufferPointer, _ right: ArraySlice<UInt8>) -> Int {
        right.withUnsafeBytes { right in
            let count = min(left.count, right.count)
            var place = 0
            while place < count, left[place] == right[place] { place += 1 }
            return place
        }
    }

    /// A line for a message: its end after what is the same, or all of it.
    private func text(_ rest: [UInt8]) -> String {
        if common.isEmpty, rest.isEmpty { return "nothing more" }
        let beginning = common.count <= Self.shown ? "" : "…"
        return "\"\(beginning)\(String(decoding: common.suffix(Self.shown) + rest, as: UTF8.self))\""
    }
}
