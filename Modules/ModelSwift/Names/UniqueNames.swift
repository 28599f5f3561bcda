/// Names of one scope, each of which is used once.
struct UniqueNames {
    private var used: Set<String>

    /// Creates a scope in which some names are already used.
    init(used: Set<String> = []) { self.used = used }

    /// Reserves a name.
    ///
    /// - Returns: The name, followed by a number if the name is already used.
    mutating func add(_ name: String) -> String {
        var unique = name
        var number = 1
        while !used.insert(unique).inserted {
            number += 1
            unique = "\(name)\(number)"
        }
        return unique
    }
}
