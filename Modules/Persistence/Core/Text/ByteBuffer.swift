/// Bytes that are gathered in memory of its own.
///
/// An array would look at every byte whether somebody shares it and whether it is full. Here who writes reserves first, and the
/// memory stays when the bytes are removed.
///
/// All of it can be inlined into other modules: exports write every byte through it.
@usableFromInline
package struct ByteBuffer: ~Copyable {
    // SAFETY: the pointer is this buffer's own from its making to its end, and every write goes behind a `reserve`.
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var written = 0

    @inlinable
    package init(capacity: Int = 256) {
        self.capacity = max(16, capacity)
        base = .allocate(capacity: self.capacity)
    }

    @inlinable
    deinit { base.deallocate() }

    /// Removes the bytes, and keeps the memory.
    package mutating func removeAll() { written = 0 }

    /// How many bytes there are.
    @inlinable package var count: Int { written }

    /// The bytes, valid until the next change.
    @inlinable package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: written) }

    /// Makes room for some more bytes.
    @inlinable
    @inline(__always)
    package mutating func reserve(_ more: Int) {
        if capacity - written < more { grow(more) }
    }

    @inline(never)
    @usableFromInline
    mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, written + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: base, count: written)
        base.deallocate()
        base = larger
    }

    /// Gives room for at most as many bytes to `body`, which says how many it has written.
    @inlinable
    @inline(__always)
    package mutating func write(atMost most: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
        reserve(most)
        written += body(base + written)
    }

    @inlinable
    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        reserve(1)
        base[written] = byte
        written += 1
    }

    @inlinable
    @inline(__always)
    package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        (base + written).update(from: start, count: bytes.count)
        written += bytes.count
    }

    @inlinable
    package mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { append($0) }
    }

    @inlinable
    package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    @inlinable
    @inline(__always)
    package mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Puts one byte before those from a place on.
    @inlinable
    package mutating func insert(_ byte: UInt8, at place: Int) {
        reserve(1)
        (base + place + 1).update(from: base + place, count: written - place)
        base[place] = byte
        written += 1
    }

    /// Keeps the first bytes and drops the others.
    @inlinable
    package mutating func truncate(to count: Int) {
        written = min(written, count)
    }
}

extension ByteBuffer {
    /// Adds what `body` writes to the end of an array.
    package static func append<Failure: Error>(
        to bytes: inout [UInt8], _ body: (inout ByteBuffer) throws(Failure) -> Void
    ) throws(Failure) {
        var buffer = ByteBuffer(capacity: 64)
        try body(&buffer)
        bytes.append(contentsOf: buffer.bytes)
    }
}
