import Foundation
import StrataInterchange
import Testing

@Suite("Failed outputs")
struct FailedOutputTests {
    @Test(
        "an output that lost bytes remains failed, so that it is not mistaken for a complete one",
        .enabled(if: FileManager.default.isWritableFile(atPath: "/dev/full"), "there is no /dev/full"))
    func lost() throws {
        let file = try AtomicFile(path: "/dev/full")
        #expect(throws: InterchangeError.self) {
            try file.output.append([UInt8](repeating: 65, count: 1 << 22))
        }
        #expect(throws: InterchangeError.self) { try file.commit() }
    }
}
