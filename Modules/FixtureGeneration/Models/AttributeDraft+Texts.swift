import StrataCore

extension AttributeDraft {
    /// The maximum number of texts in a generator's list.
    private static let mostListed = 400
    /// The minimum number of valid texts in a generator's list; lists with fewer texts are not realistic.
    private static let fewestListed = 8

    /// The number of texts of a pattern that are checked if some of the first texts are invalid.
    private static let mostSamples = 1_000

    /// Returns the candidates for generators of texts, derived from the attribute's name, pattern, bounds and lengths.
    ///
    /// - Throws: ``FixtureError`` if the attribute's only rule is a pattern from which texts cannot be generated.
    func texts(_ ideas: [FixtureGenerator]) throws(FixtureError) -> [FixtureGenerator] {
        var generators: [FixtureGenerator] = []
        var listed: [FixtureGenerator] = []
        for idea in ideas {
            let texts = samples(idea)
            guard !texts.allSatisfy({ check.allows(.string($0)) }) else {
                if !texts.isEmpty { generators.append(idea) }
                continue
            }
            let allowed = allowed(samples(idea, Self.mostSamples))
            // A format has no other texts, so that a single valid text suffices.
            if allowed.count >= (attribute.domain == nil ? Self.fewestListed : 1) { listed.append(.oneOf(allowed)) }
        }
        generators += listed
        guard let pattern = patterns.first else { return generators + bounded + plain }
        do throws(InvalidPattern) {
            if try isAllowed(pattern) { return generators + [.pattern(pattern)] }
        } catch {
            guard generators.isEmpty else { return generators }
            throw FixtureError(
                .unsatisfiable, entity: entity.name, attribute: attribute.name,
                "texts cannot be generated from the pattern \(pattern): \(error.message); list the texts with "
                    + "\"oneOf\" in a description, or change the attribute's rule")
        }
        // If there are other rules, the valid samples of the patterns are used, or the empty text if no sample is
        // valid.
        let some = allowed(patterns.flatMap { samples(.pattern($0), Self.mostSamples) })
        let texts = some.isEmpty ? allowed([""]) : some
        return texts.isEmpty ? generators : generators + [.oneOf(texts)]
    }

    /// Returns the texts that the attribute's rules allow, without duplicates, up to a maximum number.
    private func allowed(_ texts: [String]) -> [WeightedText] {
        var seen: Set<[UInt8]> = []
        var allowed: [WeightedText] = []
        for text in texts where allowed.count < Self.mostListed {
            if check.allows(.string(text)), seen.insert(Array(text.utf8)).inserted {
                allowed.append(WeightedText(text))
            }
        }
        return allowed
    }

    /// The regular expressions of the attribute's rules, all of which a valid text matches.
    private var patterns: [String] {
        attribute.rules.compactMap { if case .pattern(let pattern) = $0 { pattern } else { nil } }
    }

    /// The generators of texts for an attribute of which only the allowed length is known.
    private var plain: [FixtureGenerator] {
        guard let lengths else { return [] }
        let (least, most) = (lengths.lowerBound, lengths.upperBound)
        var patterns: [String] = []
        if isCounted { patterns += ["[A-Z]{2}-\\d{6}"] }
        patterns += [
            "[a-z]{\(max(least, min(4, most))),\(max(least, min(most, 10)))}",
            "[a-z0-9]{\(min(most, max(least, 12)))}", "[A-Za-z0-9]{\(most < 64 ? most : min(most, max(least, 64)))}",
        ]
        let words: [FixtureGenerator] = isCounted ? [] : [.kind(.words)]
        return (words + patterns.map { .pattern($0) }).filter(isAllowed)
    }

    /// The generators of texts between the attribute's lower and upper bounds.
    ///
    /// The texts are words whose first letter is between those of the bounds, or texts that begin with the lower bound.
    private var bounded: [FixtureGenerator] {
        var (lower, upper): (String?, String?)
        for rule in attribute.rules {
            switch rule {
            case .minimum(.string(let text)), .greaterThan(.string(let text)): lower = text
            case .maximum(.string(let text)), .lessThan(.string(let text)): upper = text
            default: break
            }
        }
        guard lower != nil || upper != nil else { return [] }
        let (before, behind) = (lower?.utf8.first ?? 0, upper?.utf8.first ?? .max)
        let letters = [CharacterSets.lowercase, CharacterSets.uppercase].map { letters in
            letters.filter { before < $0.value && $0.value < behind }
        }
        var patterns = letters.compactMap { letters in
            letters.first.flatMap { first in letters.last.map { "[\(first)-\($0)][a-z]{3,9}" } }
        }
        if let lower { patterns.append(Self.literal(lower) + "[a-z]{1,9}") }
        return patterns.map { .pattern($0) }.filter(isAllowed)
    }

    /// Returns a pattern that matches a text literally.
    private static func literal(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { pattern, scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "\u{80}"...: pattern.unicodeScalars.append(scalar)
            default: pattern += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
    }

    private func isAllowed(_ generator: FixtureGenerator) -> Bool {
        let texts = samples(generator).prefix(64)
        return !texts.isEmpty && texts.allSatisfy { check.allows(.string($0)) }
    }

    private func isAllowed(_ pattern: String) throws(InvalidPattern) -> Bool {
        guard let lengths else { return false }
        let grammar = try PatternTexts.grammar(pattern, lengths: lengths, unique: nil)
        let samples = grammar.samples(32, ofParts: 64)
        guard let refused = samples.first(where: { !check.allows(.string($0)) }) else { return true }
        guard !hasOtherRules else { return false }
        throw InvalidPattern("it was read as one that matches \"\(refused)\"")
    }

    /// The numbers of characters that the attribute's rules allow, or `nil` if the rules contradict each other.
    private var lengths: ClosedRange<Int>? {
        FixtureField(attribute.name, type: .text, generator: .kind(.words), rules: attribute.rules).lengths
    }

    /// A Boolean value that indicates whether the attribute has rules in addition to one pattern and length rules.
    private var hasOtherRules: Bool {
        attribute.domain != nil
            || attribute.rules.count { rule in
                switch rule {
                case .minimumLength, .maximumLength: false
                default: true
                }
            } > 1
    }

    /// Returns sample texts of a generator: all texts if it has a list of texts, and otherwise some generated texts.
    private func samples(_ generator: FixtureGenerator, _ count: Int = 32) -> [String] {
        switch generator {
        case .oneOf(let texts): return texts.map(\.text)
        case .pattern(let pattern):
            guard let lengths else { return [] }
            // If the lengths exclude the pattern of an idea, it has no samples.
            do throws(InvalidPattern) {
                return try PatternTexts.grammar(pattern, lengths: lengths, unique: nil).samples(count, ofParts: 64)
            } catch { return [] }
        case .kind(let kind):
            switch kind {
            case .givenName: return NameLists.all.flatMap(\.givenNames)
            case .familyName: return NameLists.all.flatMap(\.familyNames)
            case .fullName:
                return NameLists.all.flatMap { list in
                    let given = list.givenNames.longestFirst
                    let family = list.familyNames.longestFirst
                    return given.map { "\($0) \(family[0])" } + family.map { "\(given[0]) \($0)" } + [
                        "\(given.last ?? "") \(family.last ?? "")"
                    ]
                }
            case .colorName: return ColorNames.modifiers.crossed(ColorNames.hues)
            case .itemName: return (ItemNames.materials + ItemNames.kinds).crossed(ItemNames.nouns)
            default: return KindTexts.grammar(kind).samples(count)
            }
        default: return []
        }
    }
}

extension [String] {
    fileprivate var longestFirst: [String] { sorted { ($0.utf8.count, $1) > ($1.utf8.count, $0) } }

    /// Returns combinations of a text from this list and a text from another list, with a space between them.
    ///
    /// Each text of both lists occurs in a combination. The longest and the shortest combinations are included.
    fileprivate func crossed(_ others: [String]) -> [String] {
        let (first, second) = (longestFirst, others.longestFirst)
        guard let longest = first.first, let shortest = first.last, let long = second.first, let short = second.last
        else {
            return []
        }
        return first.map { "\($0) \(long)" } + second.map { "\(longest) \($0)" } + ["\(shortest) \(short)"]
    }
}
