import Foundation
import StrataInterchange
import StrataPersistence

/// The command `strata metadata`, which prints a store's metadata and changes the texts of its users.
enum MetadataCommand: Command {
    static let specification = CommandSpecification(
        name: "metadata",
        summary: "Show the metadata of a store of any model, and set texts under your own keys.",
        options: [
            Stores.storeOption,
            .option(
                "get", placeholder: "KEY", help: "Print only the text under KEY, verbatim."),
            .option(
                "set", placeholder: "KEY=TEXT", help: "Store TEXT under KEY; it replaces an existing text.",
                isRepeatable: true),
            .option("remove", placeholder: "KEY", help: "Remove the text under KEY.", isRepeatable: true),
            .option(
                "format", placeholder: "FORMAT",
                help: "Print text, a line per key, or json, one object (default: text).",
                values: .words(Format.allCases.map(\.rawValue))),
            Models.option, Stores.busyTimeoutOption,
        ],
        examples: [
            "strata metadata --store app.sqlite",
            "strata metadata --store app.sqlite --set customer=Ada --set origin=import",
            "strata metadata --store app.sqlite --get customer",
        ])

    private enum Format: String, CaseIterable {
        case text, json
    }

    static func run(_ arguments: ParsedArguments) throws {
        let isJSON = try arguments.choice("format", among: Format.allCases.map(\.rawValue)) == Format.json.rawValue
        let description = try Batches.description(arguments)
        let changes = try changes(arguments)
        if !changes.isEmpty {
            guard arguments.value("get") == nil else {
                throw arguments.usageError("--get cannot be combined with --set or --remove; use two commands")
            }
            try Stores.withContainer(description, try Models.model(arguments)) { try $0.setMetadata(changes) }
            return
        }
        let metadata = try PersistentContainer.metadata(of: description)
        if let key = arguments.value("get") {
            guard let text = metadata.texts[key] else {
                let nearest = NameMatching.nearest(to: key, among: Array(metadata.texts.keys))
                throw PersistenceError(
                    .objectNotFound,
                    "the store has no metadata with the key “\(key)”" + (nearest.map { "; did you mean \($0)?" } ?? ""),
                    path: description.url?.path)
            }
            try Console.print(text + "\n")
            return
        }
        try Console.print(isJSON ? JSONObject.text(of: Report(metadata)) : text(metadata))
    }

    /// Returns the texts to set, and `nil` for the keys to remove.
    private static func changes(_ arguments: ParsedArguments) throws -> [String: String?] {
        var changes: [String: String?] = [:]
        func note(_ key: String, _ text: String?) throws {
            guard !key.isEmpty else { throw arguments.usageError("a key is empty") }
            guard changes.updateValue(text, forKey: key) == nil else {
                throw arguments.usageError("the key \"\(key)\" is changed twice")
            }
        }
        for word in arguments.allValues("set") {
            guard let place = word.firstIndex(of: "=") else {
                throw arguments.usageError("option --set: \"\(word)\" is not KEY=TEXT")
            }
            try note(String(word[..<place]), String(word[word.index(after: place)...]))
        }
        for key in arguments.allValues("remove") { try note(key, nil) }
        return changes
    }

    private static func text(_ metadata: StoreMetadata) -> String {
        let information = metadata.information
        var lines = ["kind \(information.kind)" + (information.formatVersion.map { ", format \($0)" } ?? "")]
        lines.append("uuid \(information.identifier.uuidString)")
        if let size = information.byteCount { lines.append("size \(size) bytes") }
        if let model = metadata.model {
            lines.append("entities " + model.entities.map(\.name).joined(separator: ", "))
        }
        lines += metadata.texts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        // Each text is on one line, even if it contains line breaks.
        return lines.map { Console.escaped($0).replacing("\n", with: "\\n") + "\n" }.joined()
    }

    private struct Report: Encodable {
        let kind: String
        let uuid: String
        let format: Int?
        let bytes: Int64?
        let entities: [String]?
        let texts: [String: String]

        init(_ metadata: StoreMetadata) {
            kind = metadata.information.kind
            uuid = metadata.information.identifier.uuidString
            format = metadata.information.formatVersion
            bytes = metadata.information.byteCount
            entities = metadata.model?.entities.map(\.name)
            texts = metadata.texts
        }
    }
}
