/// The line of a relationship in a drawing, with a foot of three toes where it leads to many, and a stroke across where it leads to one.
struct DiagramLine {
    /// One end: a point of a box's side.
    private struct End {
        let x: Int
        let y: Int
        /// 1 where the line leaves to the right, -1 to the left.
        let direction: Int
        let isMany: Bool

        /// How far the sign at the end reaches.
        static let reach = 12

        var path: String {
            let sign = x + direction * Self.reach
            if isMany { return "M\(sign) \(y)L\(x) \(y - 6)M\(sign) \(y)L\(x) \(y + 6)" }
            return "M\(sign - direction * 4) \(y - 6)V\(y + 6)"
        }
    }

    /// The line.
    let path: String
    /// The signs at its ends.
    let signs: String
    /// Where its name stands.
    let label: (x: Int, y: Int)

    /// The lines of all relationships, in their order.
    static func all(_ model: ModelSummary, _ layout: DiagramLayout) -> [DiagramLine] {
        var places = AttachmentPlaces(model, layout)
        return model.links.map { link in
            let (from, to) = places.ends(of: link)
            return DiagramLine(
                End(x: from.x, y: from.y, direction: from.direction, isMany: link.isInverseToMany),
                End(x: to.x, y: to.y, direction: to.direction, isMany: link.isToMany))
        }
    }

    private init(_ from: End, _ to: End) {
        // The more two ends are apart the more the line swings out; a line back to its own column goes around.
        let isAround = from.direction == to.direction
        let swing = isAround ? 70 : max(40, abs(to.x - from.x) / 2)
        let (first, second) = (from.x + from.direction * swing, to.x + to.direction * swing)
        path = "M\(from.x) \(from.y)C\(first) \(from.y) \(second) \(to.y) \(to.x) \(to.y)"
        signs = from.path + to.path
        // The middle of the curve.
        label = ((from.x + 3 * first + 3 * second + to.x) / 8, (from.y + to.y) / 2 - 4)
    }
}

/// Where lines are attached: along a box's side, each at a place of its own.
private struct AttachmentPlaces {
    private struct Side: Hashable {
        let box: Int
        let isRight: Bool
    }

    private let layout: DiagramLayout
    private var counts: [Side: Int] = [:]
    private var used: [Side: Int] = [:]

    init(_ model: ModelSummary, _ layout: DiagramLayout) {
        self.layout = layout
        for link in model.links {
            let (from, to) = sides(of: link)
            counts[from, default: 0] += 1
            counts[to, default: 0] += 1
        }
    }

    mutating func ends(
        of link: ModelSummary.Link
    ) -> (from: (x: Int, y: Int, direction: Int), to: (x: Int, y: Int, direction: Int)) {
        let (from, to) = sides(of: link)
        return (end(from), end(to))
    }

    private func sides(of link: ModelSummary.Link) -> (from: Side, to: Side) {
        let (from, to) = (layout.columns[link.from], layout.columns[link.to])
        return (Side(box: link.from, isRight: from <= to), Side(box: link.to, isRight: to <= from))
    }

    private mutating func end(_ side: Side) -> (x: Int, y: Int, direction: Int) {
        let frame = layout.frames[side.box]
        used[side, default: 0] += 1
        let y = frame.y + frame.height * used[side, default: 1] / (counts[side, default: 1] + 1)
        return side.isRight ? (frame.right, y, 1) : (frame.x, y, -1)
    }
}
