/// The line of a relationship: a to-many end has a crow's foot, and a to-one end has a stroke across the line.
struct DiagramLine {
    /// One end: a point on a side of a box.
    private struct End {
        let x: Int
        let y: Int
        /// The direction in which the line leaves the box: 1 for right, -1 for left.
        let direction: Int
        /// A Boolean value that indicates whether the end is to-many.
        let isMany: Bool

        /// The length of the symbol at the end.
        static let reach = 12

        var path: String {
            let sign = x + direction * Self.reach
            if isMany { return "M\(sign) \(y)L\(x) \(y - 6)M\(sign) \(y)L\(x) \(y + 6)" }
            return "M\(sign - direction * 4) \(y - 6)V\(y + 6)"
        }
    }

    /// The path of the line.
    let path: String
    /// The paths of the symbols at both ends.
    let signs: String
    /// The position of the relationship's name.
    let label: (x: Int, y: Int)

    /// Returns the lines of all relationships in order.
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
        // The curve widens with the distance of its ends; a line that returns to the same column bypasses the boxes.
        let isAround = from.direction == to.direction
        let swing = isAround ? 70 : max(40, abs(to.x - from.x) / 2)
        let (first, second) = (from.x + from.direction * swing, to.x + to.direction * swing)
        path = "M\(from.x) \(from.y)C\(first) \(from.y) \(second) \(to.y) \(to.x) \(to.y)"
        signs = from.path + to.path
        // The label is at the midpoint of the curve.
        label = ((from.x + 3 * first + 3 * second + to.x) / 8, (from.y + to.y) / 2 - 4)
    }
}

/// The points at which lines are attached to the sides of boxes, one separate point for each line.
///
/// The points divide the side of a box evenly. Therefore the lines of each side are counted first, and then the points
/// are assigned in the order of the relationships.
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

    /// Returns the points of the next line, with the direction in which the line leaves the box.
    mutating func ends(
        of link: ModelSummary.Link
    ) -> (from: (x: Int, y: Int, direction: Int), to: (x: Int, y: Int, direction: Int)) {
        let (from, to) = sides(of: link)
        return (end(from), end(to))
    }

    /// Returns the sides of boxes at which a line begins and ends: those that face each other, or both right sides in
    /// one column.
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
