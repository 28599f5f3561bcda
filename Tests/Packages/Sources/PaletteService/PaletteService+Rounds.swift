import StrataDomain

extension PaletteService {
    /// Adds the color between the two newest ones; begins with white and black.
    func mix() async throws {
        let newest = try await colors.newestFirst(limit: 2)
        guard let first = newest.first, let second = newest.dropFirst().first else {
            let white = HexColor(red: 255, green: 255, blue: 255)
            let black = HexColor(red: 0, green: 0, blue: 0)
            try await colors.create(hex: newest.isEmpty ? white : black)
            return
        }
        let hex = first.hex.mixed(with: second.hex)
        try await colors.create(hex: hex, name: "\(first.displayName) and \(second.displayName)".shortened)
    }

    /// Deletes the oldest colors of a palette that exceeds ``size``.
    func trim() async throws {
        let surplus = try await colors.count() - Self.size
        guard surplus > 0 else { return }
        let oldest = Query<Color>(sort: [.ascending(\.dateCreated)], limit: surplus)
        for color in try await colors.fetch(oldest) { try await colors.delete(color) }
    }

    /// Hires the first painter, and afterwards raises all salaries by one.
    func pay() async throws {
        let painters = try await employees.fetch()
        if painters.isEmpty { try await employees.create(firstName: "Hilma", lastName: "af Klint", salary: 100) }
        for painter in painters { try await employees.update(painter.id) { $0.salary += 1 } }
    }
}

extension HexColor {
    /// Returns the color halfway between two colors.
    func mixed(with other: HexColor) -> HexColor {
        func middle(_ left: UInt8, _ right: UInt8) -> UInt8 { UInt8((Int(left) + Int(right)) / 2) }
        return HexColor(
            red: middle(red, other.red), green: middle(green, other.green), blue: middle(blue, other.blue))
    }
}

extension String {
    /// The first forty characters, because names of repeated mixtures would double in length each time.
    fileprivate var shortened: String { String(prefix(40)) }
}
