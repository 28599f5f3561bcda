extension String {
    /// Splits the text at each separator that is not inside backticks.
    ///
    /// - Parameter separator: The separator; it must not be a backtick.
    /// - Returns: The parts without their backticks. `isQuoted` is `true` if the whole part was in backticks.
    package func splitOutsideBackticks(at separator: Character) -> [(text: String, isQuoted: Bool)] {
        rawPartsOutsideBackticks(at: separator).map { part in
            guard part.count >= 2, part.hasPrefix("`"), part.hasSuffix("`") else { return (part, false) }
            return (String(part.dropFirst().dropLast()), true)
        }
    }

    /// Splits the text at each separator that is not inside backticks, and keeps the backticks.
    ///
    /// - Parameters:
    ///   - separator: The separator; it must not be a backtick.
    ///   - maximum: The maximum count of splits.
    /// - Returns: The parts, at least one.
    package func rawPartsOutsideBackticks(at separator: Character, maximum: Int = .max) -> [String] {
        var parts = [""]
        var isInside = false
        for character in self {
            if character == "`" { isInside.toggle() }
            if character == separator, !isInside, parts.count <= maximum {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }
}
