/// Integers that often cause errors in programs.
///
/// The numbers and their order are part of the dataset, so a change to them requires a new dataset version.
enum HostileNumbers {
    /// All hostile integers: the limits of integer representations, then powers of ten and their neighbors.
    static let integers: [Int64] = ends + powersOfTen

    /// The limits of integer representations, with the integers before and after each limit.
    private static let ends: [Int64] = [
        0, 1, -1,  // what counts as false, true, and not found
        127, 128, -128, -129, 255, 256,  // 8 bits
        32_767, 32_768, -32_768, -32_769, 65_535, 65_536,  // 16 bits
        8_388_607, 8_388_608, -8_388_608, -8_388_609, 16_777_217,  // 24 bits, a length in SQLite's rows; a Float's end
        2_147_483_647, 2_147_483_648, -2_147_483_648, -2_147_483_649,  // 2^31, 32 bits
        4_294_967_295, 4_294_967_296, 4_294_967_297,  // 2^32, 32 bits without a sign
        140_737_488_355_327, 140_737_488_355_328, -140_737_488_355_328, -140_737_488_355_329,  // 2^47, as 24 bits
        9_007_199_254_740_991, 9_007_199_254_740_992, 9_007_199_254_740_993,  // 2^53, the last exact one of a Double
        -9_007_199_254_740_991, -9_007_199_254_740_992, -9_007_199_254_740_993,
        4_611_686_018_427_387_903, 4_611_686_018_427_387_904,  // 2^62: doubled, it is too large
        92_233_720_368_547_758, -92_233_720_368_547_758,  // times 100, as prices are stored, the last that fits
        Int64.max - 1, Int64.max, Int64.min + 1, Int64.min,  // the magnitude of the last one is no Int64
    ]

    /// Positive and negative powers of ten, each with the integers before and after it.
    private static let powersOfTen: [Int64] = {
        var numbers: [Int64] = []
        var power: Int64 = 1
        for _ in 1...18 {
            power *= 10
            numbers += [power - 1, power, power + 1, 1 - power, -power, -power - 1]
        }
        return numbers
    }()
}
