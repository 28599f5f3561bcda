import Testing

@testable import StrataCore

/// Short texts against those that the standard library makes of the same bytes.
@Suite("Short texts")
struct SmallTextTests {
    @Test("short texts look as they are made here")
    func known() {
        #expect(SmallText.isKnown)
    }

    @Test("a text is the same as the standard library's", arguments: 0...20)
    func same(_ count: Int) throws {
        for first in UInt8.min...UInt8.max {
            var bytes = (0..<count).map { UInt8(0x20 + ($0 * 5) % 0x5F) }
            for place in bytes.indices {
                let before = bytes[place]
                bytes[place] = first
                let text = bytes.withUnsafeBytes { SmallText.string($0.baseAddress, count: count) }
                let isShortASCII = (1...SmallText.limit).contains(count) && first < 0x80
                #expect((text != nil) == isShortASCII)
                if let text {
                    let known = String(decoding: bytes, as: UTF8.self)
                    guard text == known, text.hashValue == known.hashValue, Array(text.utf8) == bytes else {
                        Issue.record("\(bytes) became \(text)")
                        return
                    }
                    #expect(text + "x" == known + "x")
                }
                bytes[place] = before
            }
        }
    }
}
