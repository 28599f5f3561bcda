/// Hashing that gives the same on every machine.
enum Mixing {
    /// The finisher of SplitMix64: a bijection after which near numbers are far apart.
    static func mixed(_ number: UInt64) -> UInt64 {
        var hash = number
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        return hash ^ (hash >> 31)
    }
}
