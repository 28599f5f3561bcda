/// Aborts the program if a condition is false, so that libFuzzer saves the input.
public func check(_ holds: Bool, _ message: @autoclosure () -> String) {
    if !holds { fatalError(message()) }
}

/// Compares the results of two reads and shows the first difference.
public func checkSame(_ one: [String], _ other: [String], _ what: String) {
    guard one != other else { return }
    let index = zip(one, other).prefix { $0 == $1 }.map { _ in 0 }.count
    func line(_ list: [String]) -> String { index < list.count ? list[index].debugDescription : "nothing" }
    fatalError("\(what): at \(index)\n  \(line(one))\n  \(line(other))")
}
