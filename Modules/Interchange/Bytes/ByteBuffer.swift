/// Bytes that are gathered in memory of its own.
///
/// An array would look at every byte whether somebody shares it and whether it is full. Here who writes reserves first, and the
/// memory stays when the bytes are removed.
struct ByteBuffer: ~Copyable {
    // SAFETY: the pointer is this buffer's own from its making to its end, and every write goes behind a `reserve`.
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 256) {
        self.capacity = max(16, capacity)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    /// The bytes, valid until the next change.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

    /// Makes room for some more bytes.
    @inline(__always)
    mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
    }

    /// Gives room for at most as many bytes to `body`, which says how many it has written.
    @inline(__always)
    mutating func write(atMost most: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
        reserve(most)
        count += body(base + count)
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        base[count] = byte
        count += 1
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        (base + count).update(from: start, count: bytes.count)
        count += bytes.count
    }

    mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { append($0) }
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Puts one byte before those from a place on.
    mutating func insert(_ byte: UInt8, at place: Int) {
        reserve(1)
        (base + place + 1).update(from: base + place, count: count - place)
        base[place] = byte
        count += 1
    }

    /// Keeps the first bytes and drops the others.
    mutating func truncate(to count: Int) {
        self.count = min(self.count, count)
    }
}

extension ByteBuffer {
    /// Adds what `body` writes to the end of an array.
    static func append<Failure: Error>(
        to bytes: inout [UInt8], _ body: (inout ByteBuffer) throws(Failure) -> Void
    ) throws(Failure) {
        var buffer = ByteBuffer(capacity: 64)
        try body(&buffer)
        bytes.append(contentsOf: buffer.bytes)
    }
}
