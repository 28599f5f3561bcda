public import Foundation

extension BinaryText {
    /// Appends the base64 text of binary data.
    ///
    /// - Parameters:
    ///   - value: The binary data.
    ///   - bytes: The array to which the ASCII text is appended.
    public static func append(_ value: Data, to bytes: inout [UInt8]) {
        ByteBuffer.append(to: &bytes) { buffer in value.withUnsafeBytes { write($0, to: &buffer) } }
    }

    package static func write(_ value: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
        let letters = ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" as StaticString).utf8Start
        buffer.write(atMost: (value.count + 2) / 3 * 4) { target in
            var place = 0
            for start in stride(from: 0, to: value.count, by: 3) {
                let rest = value.count - start
                let group =
                    UInt32(value[start]) << 16 | (rest > 1 ? UInt32(value[start + 1]) << 8 : 0)
                    | (rest > 2 ? UInt32(value[start + 2]) : 0)
                target[place] = letters[Int(group >> 18)]
                target[place + 1] = letters[Int(group >> 12 & 63)]
                target[place + 2] = rest > 1 ? letters[Int(group >> 6 & 63)] : UInt8(ascii: "=")
                target[place + 3] = rest > 2 ? letters[Int(group & 63)] : UInt8(ascii: "=")
                place += 4
            }
            return place
        }
    }
}
