import StrataInterchange

/// A comparison of a file with expected bytes that are produced in pieces, which finds the first difference.
///
/// The file is read in blocks, so the memory does not depend on its size. After the first difference, only the digest
/// of the expected bytes is continued. One thread uses a comparison: it calls `take` for each piece, and `finish` once
/// at the end.
final class FileComparison {
    /// The digest of the expected bytes, which the expected manifest contains.
    let digest = RunningDigest()
    private let path: String
    private let input: ByteInput?
    private var block: [UInt8]
    /// The bytes of the file that were read and are not compared yet.
    private var rest: ArraySlice<UInt8> = []
    private var failure: InterchangeError?
    private var line = 1
    /// The bytes of the current line that match; the beginning of a long line is omitted.
    private var made: [UInt8] = []
    /// A Boolean value that indicates whether the beginning of the current line is omitted from the matching bytes.
    private var isCut = false
    private var difference: (found: [UInt8], made: [UInt8])?

    /// The maximum number of bytes before and after the difference that a message shows.
    private static let shown = 80
    /// The text that replaces omitted bytes in a message.
    private static let ellipsis = Array("…".utf8)

    /// Opens a file to compare it with expected bytes; a missing file differs from all of them.
    ///
    /// - Throws: `InterchangeError` if the file exists and cannot be opened.
    init(path: String) throws(InterchangeError) {
        self.path = path
        do throws(InterchangeError) {
            input = try ByteInput(path: path)
        } catch  where error.code == .inputNotFound {
            input = nil
        }
        block = [UInt8](repeating: 0, count: input?.blockSize ?? 0)
    }

    /// Compares the next expected bytes with the bytes of the file.
    ///
    /// An error of reading the file is stored, and thrown by `finish`.
    func take(_ bytes: UnsafeRawBufferPointer) {
        digest.update(bytes)
        guard input != nil, failure == nil, difference == nil else { return }
        var location = 0
        while location < bytes.count {
            if rest.isEmpty { read() }
            guard !rest.isEmpty, failure == nil else {
                return differ(bytes[location...])
            }
            let count = min(rest.count, bytes.count - location)
            let made = UnsafeRawBufferPointer(rebasing: bytes[location..<location + count])
            let same = Self.commonPrefix(made, rest)
            note(made[..<same])
            rest = rest.dropFirst(same)
            location += same
            if same < count { return differ(bytes[location...]) }
        }
    }

    /// Returns the first difference, or `nil` if the file contains exactly the expected bytes.
    ///
    /// - Throws: `InterchangeError` if the file could not be read.
    func finish() throws(InterchangeError) -> FixtureCheck.Finding? {
        guard input != nil else { return .init(path: path, message: "the file is missing") }
        if let failure { throw failure }
        if difference == nil {
            if rest.isEmpty { read() }
            if let failure { throw failure }
            if !rest.isEmpty {
                let common = commonPart()
                difference = (common + Self.beginning(of: rest), common)
            }
        }
        guard let difference else { return nil }
        return .init(
            path: path, line: line,
            message:
                "the file differs: \(Self.text(difference.found)) was found, but \(Self.text(difference.made)) was "
                + "expected")
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

    /// Stores the first difference: the common beginning of the line, and both continuations.
    private func differ(_ made: Slice<UnsafeRawBufferPointer>) {
        let common = commonPart()
        difference = (common + Self.beginning(of: rest), common + Self.beginning(of: made))
    }

    /// Returns the last matching bytes of the current line, for a message.
    private func commonPart() -> [UInt8] {
        guard isCut || made.count > Self.shown else { return made }
        // Drop the continuation bytes of a character that is cut in two.
        let end = made.suffix(Self.shown).drop { $0 & 0xC0 == 0x80 }
        return Self.ellipsis + end
    }

    /// Returns the first bytes of the rest of a line, for a message.
    private static func beginning(of bytes: some Collection<UInt8>) -> [UInt8] {
        let line = bytes.prefix(shown + 1).prefix { $0 != UInt8(ascii: "\n") }
        guard line.count > shown else { return Array(line) }
        var whole = Array(line)
        // Removes the bytes of an incomplete character at the end.
        while let last = whole.popLast(), last & 0xC0 == 0x80 {}
        return whole + ellipsis
    }

    /// Counts the lines of matching bytes, and keeps the end of the current line for messages.
    private func note(_ bytes: Slice<UnsafeRawBufferPointer>) {
        var count = 0
        for byte in bytes where byte == UInt8(ascii: "\n") { count += 1 }
        line += count
        var end = bytes
        if count > 0, let last = bytes.lastIndex(of: UInt8(ascii: "\n")) {
            made.removeAll(keepingCapacity: true)
            isCut = false
            end = bytes[(last + 1)...]
        }
        made.append(contentsOf: end.suffix(Self.shown + 1))
        // One additional byte indicates that text was omitted.
        isCut = isCut || end.count > Self.shown + 1 || made.count > Self.shown + 1
        if made.count > Self.shown + 1 { made.removeFirst(made.count - Self.shown - 1) }
    }

    private static func commonPrefix(_ left: UnsafeRawBufferPointer, _ right: ArraySlice<UInt8>) -> Int {
        right.withUnsafeBytes { right in
            let count = min(left.count, right.count)
            var location = 0
            while location < count, left[location] == right[location] { location += 1 }
            return location
        }
    }

    private static func text(_ line: [UInt8]) -> String {
        // The text is already truncated. Escaping makes a CRLF visible and keeps it from moving the cursor.
        let text = PrintableText.escaped(String(decoding: line, as: UTF8.self), longest: .max)
        return line.isEmpty ? "nothing more" : "\"\(text)\""
    }
}
