import Testing

@testable import StrataFixtures

@Suite("Permutations of row numbers")
struct PermutationTests {
    static let keys: [UInt64] = [0, 1, 42, 0xDEAD_BEEF, .max]

    static let large: [UInt64] =
        ([10, 16, 17, 20, 31, 32, 33, 47, 60, 63] as [UInt64]).flatMap { bits -> [UInt64] in
            let power: UInt64 = 1 << bits
            return [power - 1, power, power + 1]
        } + [.max - 1, .max]

    @Test(
        "a permutation of up to 600 numbers contains each position once, and its inverse restores each number",
        arguments: keys)
    func bijection(_ key: UInt64) {
        for count in 1...UInt64(key == 42 ? 600 : 130) {
            let permutation = Permutation(of: count, key: key)
            var met = [Bool](repeating: false, count: Int(count))
            var isRight = true
            for number in 0..<count {
                let place = permutation(number)
                isRight = isRight && place < count && !met[Int(place)] && permutation.inverse(place) == number
                met[Int(place)] = true
            }
            #expect(isRight, "count \(count)")
        }
    }

    @Test(
        "permutations with counts near powers of two have positions below the count and a correct inverse",
        arguments: large)
    func largeCounts(_ count: UInt64) {
        for key in Self.keys {
            let permutation = Permutation(of: count, key: key)
            for sample in 0..<200 as Range<UInt64> {
                let numbers = [sample, count - 1 - sample, RowBits.value(RowBits.mixed(sample), below: count)]
                for number in numbers {
                    let place = permutation(number)
                    #expect(place < count)
                    #expect(permutation.inverse(place) == number)
                    #expect(permutation(permutation.inverse(number)) == number)
                }
            }
        }
    }

    @Test("permutations with different keys have different orders")
    func otherKeys() {
        var orders: Set<[UInt64]> = []
        for key in 0..<200 as Range<UInt64> {
            let permutation = Permutation(of: 1_000, key: key)
            orders.insert((0..<1_000).map { permutation($0) })
        }
        #expect(orders.count == 200)
    }

    @Test(
        "a permutation distributes the first eight numbers evenly over all positions",
        arguments: [64, 100, 1_000, 65_536, 1_000_000] as [UInt64])
    func spread(_ count: UInt64) {
        // The positions of the first eight numbers under 1,000 keys in eight parts: 1,000 each, with a tolerance of six
        // deviations.
        var parts = [Int](repeating: 0, count: 8)
        for key in 0..<1_000 as Range<UInt64> {
            let permutation = Permutation(of: count, key: RowBits.mixed(key))
            for number in 0..<8 as Range<UInt64> { parts[Int(permutation(number) * 8 / count)] += 1 }
        }
        for part in parts { #expect((820...1_180).contains(part), "\(parts)") }
    }
}
