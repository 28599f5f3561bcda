/// The declarations of one generated file, with the modules that they need.
struct SwiftFile {
    /// The folder of the file in the output directory, such as `Domain/`; empty for the directory itself.
    var folder = ""
    /// The name of the file without its extension.
    let name: String
    /// The modules that the declarations use; `true` if public declarations use them.
    private(set) var imports: [String: Bool] = [:]
    var text = SwiftText()

    /// The folders of the two layers.
    static let domain = "Domain/"
    static let persistence = "Persistence/"

    /// The path of the file in the output directory.
    var path: String { "\(folder)\(name).swift" }

    init(folder: String = "", _ name: String) { (self.folder, self.name) = (folder, name) }

    /// Records that declarations use a module.
    ///
    /// - Parameters:
    ///   - module: The name of the module.
    ///   - isExposed: A Boolean value that indicates whether the signature of a public or package declaration uses it.
    mutating func needs(_ module: String, isExposed: Bool) {
        imports[module] = imports[module] == true || isExposed
    }

    /// Adds the declarations and imports of another file.
    mutating func append(_ other: SwiftFile) {
        for (module, isExposed) in other.imports { needs(module, isExposed: isExposed) }
        for line in other.text.lines { text.add(line) }
    }

    /// Returns the whole file.
    ///
    /// - Parameters:
    ///   - header: The lines before the imports.
    ///   - access: The access level of the declarations.
    /// - Returns: The header, the imports and the declarations.
    func source(header: [String], access: SwiftModelOptions.Access) -> String {
        let imports = self.imports.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
            module, isExposed in
            isExposed && access != .internal ? "\(access.rawValue) import \(module)" : "import \(module)"
        }
        let parts = [header, imports, text.lines].filter { !$0.isEmpty }
        return parts.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
    }
}
