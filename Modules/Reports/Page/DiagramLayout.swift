/// The positions of a model's entities in a diagram; a referencing entity is to the right of the referenced one.
///
/// The boxes are sorted by the length of the longest chain of references from each of them, and each length begins a
/// new column. A cycle of references is broken at one of them, which then points to the right. Boxes do not
/// overlap, and the layout is the same for the same model.
struct DiagramLayout {
    /// The position of a box, in the diagram's units; a line of text has a height of 16 units.
    struct Frame: Equatable {
        var x: Int
        var y: Int
        let height: Int
        var right: Int { x + DiagramLayout.width }
    }

    /// The width of a box.
    static let width = 200
    /// The height of a line of text in a box.
    static let lineHeight = 16
    /// The height of the line with the name of the entity.
    static let headHeight = 26
    private static let foot = 8
    private static let columnGap = 120
    private static let rowGap = 28
    /// The margin around the diagram, and the space after the last column for lines that return to the same column.
    private static let margin = 12
    private static let loopRoom = 110
    /// The maximum number of boxes above each other; more boxes are divided into two columns.
    private static let mostInColumn = 6

    /// The positions of the boxes, in the order of the model.
    let frames: [Frame]
    /// The columns of the boxes, in the order of the model.
    let columns: [Int]
    /// The size of the whole diagram.
    let size: (width: Int, height: Int)

    /// Creates the layout of a model's boxes.
    init(_ model: ModelSummary) {
        let ranks = Self.ranks(model)
        var columns = [Int](repeating: 0, count: model.boxes.count)
        var frames = model.boxes.map { box in
            let lines = box.lines.count + (box.rest > 0 ? 1 : 0)
            return Frame(x: 0, y: 0, height: Self.headHeight + lines * Self.lineHeight + Self.foot)
        }
        var (column, height) = (0, 0)
        var centers = [Int](repeating: 0, count: model.boxes.count)
        for rank in 0...(ranks.max() ?? 0) {
            // A box is placed near the boxes that it references, so that fewer lines cross.
            let boxes = ranks.indices.filter { ranks[$0] == rank }.map { box -> (box: Int, center: Int) in
                let others = model.links.filter { $0.from == box && ranks[$0.to] < rank }.map { centers[$0.to] }
                return (box, others.isEmpty ? 0 : others.reduce(0, +) / others.count)
            }.sorted { ($0.center, $0.box) < ($1.center, $1.box) }.map(\.box)
            for start in stride(from: 0, to: boxes.count, by: Self.mostInColumn) {
                var y = Self.margin
                for box in boxes[start..<min(start + Self.mostInColumn, boxes.count)] {
                    columns[box] = column
                    frames[box].x = Self.margin + column * (Self.width + Self.columnGap)
                    frames[box].y = y
                    centers[box] = y + frames[box].height / 2
                    y += frames[box].height + Self.rowGap
                }
                height = max(height, y - Self.rowGap + Self.margin)
                column += 1
            }
        }
        self.frames = frames
        self.columns = columns
        let width = 2 * Self.margin + column * (Self.width + Self.columnGap) - Self.columnGap + Self.loopRoom
        size = (width, height)
    }

    /// Returns the length of the longest chain of references from each box; one reference of a cycle is ignored.
    private static func ranks(_ model: ModelSummary) -> [Int] {
        var ranks = [Int?](repeating: nil, count: model.boxes.count)
        var isOpen = [Bool](repeating: false, count: model.boxes.count)
        func rank(_ box: Int) -> Int {
            if let rank = ranks[box] { return rank }
            isOpen[box] = true
            let others = model.links.lazy.filter { $0.from == box && $0.to != box && !isOpen[$0.to] }.map(\.to)
            let found = others.map { rank($0) + 1 }.max() ?? 0
            isOpen[box] = false
            ranks[box] = found
            return found
        }
        return model.boxes.indices.map(rank)
    }
}
