import StrataCore

extension ModelFileFinding {
    /// Returns the line and column of the finding in a descriptor, both from 1.
    ///
    /// If the location does not exist, it is the location of the nearest value that contains it.
    ///
    /// - Parameter json: The bytes of the descriptor, or of the separate file that contains the finding.
    /// - Returns: The line and column.
    package func location(in json: [UInt8]) -> (line: Int, column: Int)? {
        let place = place.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
        let numbers = place.split { !$0.isNumber }.compactMap { Int($0) }
        if place.hasPrefix("line "), numbers.count == 2 { return (numbers[0], numbers[1]) }
        // A finding with a pointer is about a file with valid syntax.
        guard var value = try? DescriptorText.tree(json) else { return (1, 1) }
        var location = value.place
        steps: for step in place.split(separator: "/") {
            var name = ""
            for part in step.split(separator: "~", omittingEmptySubsequences: false).enumerated() {
                switch (part.offset, part.element.first) {
                case (0, _): name += part.element
                case (_, "1"): name += "/" + part.element.dropFirst()
                default: name += "~" + part.element.dropFirst()
                }
            }
            switch value.content {
            case .array(let elements):
                guard let index = Int(name), elements.indices.contains(index) else { break steps }
                value = elements[index]
            default:
                guard let member = value[name] else { break steps }
                value = member
            }
            location = value.place ?? location
        }
        return location.map { ($0.line, $0.column) }
    }
}

extension ModelFileFinding {
    /// The path of the separate file that contains the finding; `nil` if it is in the descriptor.
    package var file: String? {
        let parts = place.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 ? String(parts[0]) : nil
    }
}
