import Foundation
import StrataInterchange
import Testing

@Suite("Failed outputs")
struct FailedOutputTests {
    @Test(
        "an output with a failed write cannot be committed",
        .enabled(if: FileManager.default.isWritableFile(atPath: "/dev/full"), "there is no /dev/full"))
    func lost() throws {
        let file = try AtomicFile(path: "/dev/full")
        #expect(throws: InterchangeError.self) {
            try file.output.append([UInt8](repeating: 65, count: 1 << 22))
        }
        #expect(throws: InterchangeError.self) { try file.commit() }
    }
}
