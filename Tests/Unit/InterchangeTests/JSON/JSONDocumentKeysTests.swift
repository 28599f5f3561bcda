import Testing

@testable import StrataInterchange

/// The keys of the object that contains the records.
@Suite("Keys of the JSON object around records")
struct JSONDocumentKeysTests {
    private static func key(_ number: Int) -> [UInt8] { Array("k\(number)".utf8) }

    @Test("repetitions of the first 4,096 keys are detected, and repetitions of later keys are not")
    func bounded() {
        var keys = JSONDocumentKeys()
        let areNew = (1...4_097).map { keys.insert(Self.key($0)) }
        #expect(areNew.allSatisfy { $0 })
        let areNewAgain = [1, 4_096, 4_097].map { keys.insert(Self.key($0)) }
        #expect(areNewAgain == [false, false, true])
    }
}
