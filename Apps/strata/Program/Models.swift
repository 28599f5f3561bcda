import Foundation
import StrataFixtureDatasets
import StrataInterchange
import StrataModelFiles
import StrataPersistence
import StrataRepositories

/// Which model a command works with.
enum Models {
    static let option = OptionSpecification.option(
        "model", placeholder: "MODEL",
        help:
            "The model: a model file, a directory with a datapackage.json, a store, or the word reference. A store that is there has its own, "
            + "which this one must equal; a new one gets the reference model unless given.",
        values: .file)

    /// The model of colours, bosses, employees and items; made once, as a command may compare several with it.
    static func reference() throws -> ManagedObjectModel { try referenceResult.get() }
    private static let referenceResult = Result { try ReferenceModel.model() }

    /// The model that a command's `--store` has, or else that which `--model` names, or else the reference model.
    ///
    /// - Throws: ``UsageError`` for a model that is not there, ``ModelFileError`` for one that is none, and ``PersistenceError`` where the store
    ///   has another one.
    static func model(_ arguments: ParsedArguments) throws -> ManagedObjectModel { try opened(arguments).model }

    /// A command's model.
    struct Opened {
        let model: ManagedObjectModel
        /// The model file, where that is all there is of it.
        var file: ModelFile?
        /// Whether nobody named the model: neither the command line, with an entity at least, nor a store that is there.
        var isAssumed = false
    }

    /// The model of a command, and where it comes from.
    ///
    /// - Parameters:
    ///   - arguments: The command's.
    ///   - package: The descriptor of the data package that is imported: the model where no other one is named.
    /// - Returns: The model.
    /// - Throws: What ``model(_:)`` throws.
    static func opened(_ arguments: ParsedArguments, package: String? = nil) throws -> Opened {
        if arguments.value("model")?.isEmpty == true {
            throw arguments.usageError("option --model is empty; name a file, a directory or a store")
        }
        let path = arguments.value("model") ?? package
        let readsResources = arguments.value("model") == nil
        let stored = try arguments.value("store").flatMap { store in
            try ofStore(store, busyTimeout: try Stores.busyTimeout(arguments) ?? .seconds(5))
        }
        let given = try path.map { path in
            try either(
                at: path, warns: !arguments.has("quiet"), numbers: stored?.model.map(numbers) ?? [:],
                readsResources: readsResources)
        }
        guard let store = arguments.value("store"), let stored else {
            return Opened(
                model: try given?.model ?? reference(), file: given?.file,
                isAssumed: given == nil && arguments.value("entity") == nil)
        }
        guard let given = given?.model else { return Opened(model: try stored.model ?? reference()) }
        let differences = try given.differences(fromJSON: stored.image)
        guard differences.isEmpty else {
            throw PersistenceError(
                .incompatibleModel,
                "the store was made with another model than \(readsResources ? path ?? "" : "--model"); nothing was changed:\n  "
                    + differences.joined(separator: "\n  "), path: try StorePlace(store).name)
        }
        // The store's own says what files call things.
        return Opened(model: stored.model ?? given)
    }

    /// The model that a store has, and the one that `--model` names, which it is to follow.
    ///
    /// - Throws: ``UsageError`` for a model that is not named, ``ModelFailure`` for one that is none, ``PersistenceError`` where the store is none or
    ///   does not know its model.
    static func following(
        _ arguments: ParsedArguments
    ) throws -> (stored: ManagedObjectModel, later: ManagedObjectModel) {
        let (path, store) = (try arguments.required("model"), try arguments.required("store"))
        guard !path.isEmpty, !store.isEmpty else {
            throw arguments.usageError("option --\(path.isEmpty ? "model" : "store") is empty")
        }
        let timeout = try Stores.busyTimeout(arguments) ?? .seconds(5)
        let found = try kept(at: store, busyTimeout: timeout)
        let stored = try ofStore(store, busyTimeout: timeout)?.model
        let later = try either(
            at: path, warns: !arguments.has("quiet"), numbers: stored.map(numbers) ?? [:]
        ).model
        return (try stored ?? ManagedObjectModel(fromImage: found.image, filledBy: later), later)
    }

    /// What the numbers of a store's model are, for a file that leaves them open.
    private static func numbers(_ model: ManagedObjectModel) -> [OpenNumber: SettledNumber] {
        var numbers: [OpenNumber: SettledNumber] = [:]
        for entity in model.entities {
            for attribute in entity.attributes {
                numbers[OpenNumber(entity: entity.name, attribute: attribute.name)] = SettledNumber(attribute)
            }
        }
        return numbers
    }

    /// The model of a file, a directory or a store.
    ///
    /// - Parameters:
    ///   - path: The path, or the word reference.
    ///   - warns: Whether what is not understood is said on standard error.
    /// - Returns: The model.
    /// - Throws: What hinders it, with the path.
    static func model(at path: String, warns: Bool) throws -> ManagedObjectModel {
        try either(at: path, warns: warns).model
    }

    private static func either(
        at path: String, warns: Bool, numbers: [OpenNumber: SettledNumber] = [:], readsResources: Bool = false
    ) throws -> (model: ManagedObjectModel, file: ModelFile?) {
        if path == "reference" { return (try reference(), nil) }
        if let stored = try ofStore(path) {
            guard let model = stored.model else {
                throw PersistenceError(
                    .incompatibleModel,
                    "the store was made before stores kept their whole model, and has another than the reference one",
                    path: path)
            }
            return (model, nil)
        }
        if StorePlace.isServer(path) {
            throw PersistenceError(.storeNotFound, "there is no store", path: try StorePlace(path).name)
        }
        let file = try file(at: path, numbers: numbers, readsResources: readsResources)
        if warns { for warning in file.warnings { Console.note("\(path): warning: \(warning)") } }
        return (file.model, file)
    }

    /// A model whose file is right; where warnings are errors, without any.
    static func checked(at path: String, isStrict: Bool) throws -> ManagedObjectModel {
        guard isStrict, try isFile(path) else { return try model(at: path, warns: true) }
        return try file(at: path, isStrict: true, readsResources: hasRows(at: path)).model
    }

    /// Whether a path leads to a model file, and not to a store.
    static func isFile(_ path: String) throws -> Bool { path == "reference" ? false : try ofStore(path) == nil }

    /// A model file, or the descriptor of a directory.
    static func file(
        at path: String, numbers: [OpenNumber: SettledNumber] = [:], isStrict: Bool = false,
        readsResources: Bool = false
    ) throws -> ModelFile {
        let path = PathKind(path) == .directory ? path.withoutTrailingSlashes + "/datapackage.json" : path
        if let other = ["yaml", "yml", "toml"].first(where: { path.hasSuffix(".\($0)") }) {
            throw ModelFailure(
                path: path,
                findings: [
                    ModelFileFinding(
                        .error, at: "",
                        "\(other == "toml" ? "TOML" : "YAML") is not read: a descriptor is published as JSON; convert it"
                    )
                ]
            )
        }
        let bytes = try ByteInput.contents(of: path, atMost: ModelFile.maximumByteCount)
        do throws(ModelFileError) {
            return try ModelFile(
                json: bytes, domains: try domains(), numbers: numbers, isStrict: isStrict,
                readsResources: readsResources
            ) { name in
                try schema(name, beside: path)
            }
        } catch {
            throw ModelFailure(path: path, findings: error.findings)
        }
    }

    /// Whether a model file says of any resource where its rows are, so that it is looked at, too.
    ///
    /// - Throws: What hinders reading it, but not what it says.
    static func hasRows(at path: String) throws -> Bool {
        let file = PathKind(path) == .directory ? path.withoutTrailingSlashes + "/datapackage.json" : path
        let bytes = try ByteInput.contents(of: file, atMost: ModelFile.maximumByteCount)
        do throws(ModelFileError) {
            return try !ModelFile.paths(json: bytes).isEmpty
        } catch {
            // What is no JSON is told as a model.
            return false
        }
    }

    /// A schema in a file of its own, which no link leads out of the model file's directory.
    private static func schema(_ name: String, beside path: String) throws -> [UInt8] {
        guard !leadsOut(name, of: path) else {
            throw InterchangeError(.permission, message: "a link leads out of the model file's directory")
        }
        return try ByteInput.contents(of: beside(path, name), atMost: ModelFile.maximumByteCount)
    }

    /// A path below a descriptor's directory, as it was given.
    static func beside(_ descriptor: String, _ name: String) -> String {
        let folder = descriptor.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return (folder + [name[...]]).joined(separator: "/")
    }

    /// Whether a path below a descriptor's directory is a link out of it.
    static func leadsOut(_ name: String, of descriptor: String) -> Bool {
        let folder = URL(fileURLWithPath: descriptor).deletingLastPathComponent().resolvingSymlinksInPath().path
        let file = URL(fileURLWithPath: folder + "/" + name).resolvingSymlinksInPath().path
        return !file.hasPrefix(folder + "/") && folder != "/"
    }

    /// What a store says of its model: what is compared, and the model where it can be known.
    private static func ofStore(
        _ path: String, busyTimeout: Duration = .seconds(5)
    ) throws -> (image: String, model: ManagedObjectModel?)? {
        let stored: (image: String, file: String?)
        do {
            stored = try kept(at: path, busyTimeout: busyTimeout)
        } catch let error as PersistenceError where [.storeNotFound, .notADatabase].contains(error.code) {
            // Who opens it as a store says so, and a model file is none.
            return nil
        }
        let reference = try reference()
        if stored.image == (try reference.json()) { return (stored.image, reference) }
        guard let text = stored.file else { return (stored.image, nil) }
        do throws(ModelFileError) {
            return (stored.image, try ModelFile(json: Array(text.utf8), domains: try domains(), isKept: true).model)
        } catch {
            throw ModelFailure(path: path, findings: error.findings)
        }
    }

    /// What a store keeps of its model, as it is: it may be damaged, and a check then repairs it.
    private static func kept(at path: String, busyTimeout: Duration) throws -> (image: String, file: String?) {
        var description = try StorePlace(path).description
        if description.isSQLite {
            let stored = try SQLiteStore.storedModel(at: URL(fileURLWithPath: path), busyTimeout: busyTimeout)
            return (stored.image, stored.file)
        }
        description.busyTimeout = busyTimeout
        let metadata = try PersistentContainer.metadata(of: description)
        return (metadata.modelImage, metadata.modelFile)
    }

    /// The rules of Swift types that this program has.
    private static func domains() throws(ModelFileError) -> [String: AttributeDomain] {
        // The reference model is made by a test.
        let entities = (try? reference())?.entities ?? []
        let domains = entities.flatMap(\.attributes).compactMap(\.domain)
        return Dictionary(domains.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

/// Why a file is no model, with the file.
struct ModelFailure: Error, CustomStringConvertible {
    let path: String
    let findings: [ModelFileFinding]

    var description: String { findings.map { "\(path): \($0)" }.joined(separator: "\n") }
}
