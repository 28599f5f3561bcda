/// A growing buffer of bytes.
///
/// An array would check its uniqueness and its capacity for every byte; a writer to this buffer reserves memory once
/// before it writes. When the bytes are removed, the memory is retained.
///
/// All members can be inlined into other modules, because exports write every byte through this type.
@usableFromInline
package struct ByteBuffer: ~Copyable {
    // SAFETY: Only this buffer owns the pointer, from init to deinit, and every write follows a `reserve`.
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

    /// Removes all bytes from the buffer; its memory is retained.
    package mutating func removeAll() { written = 0 }

    /// The count of bytes in the buffer.
    @inlinable package var count: Int { written }

    /// The bytes in the buffer; the pointer is valid until the buffer is changed.
    @inlinable package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: written) }

    /// Reserves memory for a count of additional bytes.
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

    /// Reserves memory for at most some bytes, and appends those that a closure writes to this memory.
    ///
    /// The closure returns the count of bytes that it has written.
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

    /// Inserts a byte at an index.
    @inlinable
    package mutating func insert(_ byte: UInt8, at place: Int) {
        reserve(1)
        (base + place + 1).update(from: base + place, count: written - place)
        base[place] = byte
        written += 1
    }

    /// Removes all bytes of the buffer after the first ones, of which there are `count`.
    @inlinable
    package mutating func truncate(to count: Int) {
        written = min(written, count)
    }
}

extension ByteBuffer {
    /// Appends the bytes that a closure writes to an array.
    package static func append<Failure: Error>(
        to bytes: inout [UInt8], _ body: (inout ByteBuffer) throws(Failure) -> Void
    ) throws(Failure) {
        var buffer = ByteBuffer(capacity: 64)
        try body(&buffer)
        bytes.append(contentsOf: buffer.bytes)
    }
}
