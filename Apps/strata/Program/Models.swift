import Foundation
import StrataFixtureDatasets
import StrataInterchange
import StrataModelFiles
import StrataPersistence
import StrataRepositories

/// The model that a command uses.
enum Models {
    static let option = OptionSpecification.option(
        "model", placeholder: "MODEL",
        help: "Use MODEL: a model file, a data package, a store or the word reference.",
        details: "A data package is its descriptor or its directory. The word reference is the model of the demo; "
            + "./reference is a file. An existing store has its own model, and MODEL must be equal to it.",
        values: .file)

    /// Returns the model of the reference application.
    ///
    /// The model is cached, because a command may compare several models with it.
    static func reference() throws -> ManagedObjectModel { try referenceResult.get() }
    private static let referenceResult = Result { try ReferenceModel.model() }

    /// Returns the model of the store that a command reads.
    ///
    /// Commands call this function before they resolve names such as `--entity`, so that a missing store is reported
    /// first.
    /// - Throws: ``UsageError`` if an option is empty, ``PersistenceError`` if there is no such store or `--model`
    ///   names another model, and ``ModelFailure`` if `--model` names a file that is not a model.
    static func model(_ arguments: ParsedArguments) throws -> ManagedObjectModel {
        try opened(arguments, needsStore: true).model
    }

    /// A model, and the file from which it was read.
    struct Opened {
        let model: ManagedObjectModel
        /// The model file, if the model was read only from that file; otherwise `nil`.
        var file: ModelFile?
    }

    /// Returns a Boolean value that indicates whether the command line names an existing store.
    ///
    /// An empty file is a new store.
    ///
    /// - Throws: ``UsageError`` if the option is empty, and ``PersistenceError`` if the file is not a store or cannot
    ///   be read.
    static func hasStore(_ arguments: ParsedArguments) throws -> Bool {
        guard arguments.value("store") != nil else { return false }
        do {
            _ = try kept(at: try Stores.path(arguments), busyTimeout: try Stores.busyTimeout(arguments) ?? .seconds(5))
            return true
        } catch let error as PersistenceError where error.code == .storeNotFound {
            return false
        }
    }

    /// Returns the model of a command's store or, if the store does not exist, the model that `--model` names.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the command.
    ///   - package: The descriptor of the imported data package, which is the model if `--model` is not given.
    ///   - needsStore: A Boolean value that indicates whether the store must exist.
    /// - Returns: The model.
    /// - Throws: The errors of ``model(_:)``, and ``UsageError`` if there is neither a store nor a model.
    static func opened(
        _ arguments: ParsedArguments, package: String? = nil, needsStore: Bool = false
    ) throws -> Opened {
        if arguments.value("model")?.isEmpty == true {
            throw arguments.usageError("option --model is empty; name a file, a directory or a store")
        }
        let path = arguments.value("model") ?? package
        let readsResources = arguments.value("model") == nil
        let store = arguments.value("store") == nil && !needsStore ? nil : try Stores.path(arguments)
        // If no model was named, the error explains why the store has no model.
        let isRequired = needsStore || path == nil
        let stored = try store.flatMap { store in
            let timeout = try Stores.busyTimeout(arguments) ?? .seconds(5)
            return try isRequired
                ? ofStore(store, busyTimeout: timeout) : ofStoreIfAny(store, busyTimeout: timeout)
        }
        let given = try path.map { path in
            try either(
                at: path, warns: !arguments.has("quiet"), stored: stored?.model, readsResources: readsResources)
        }
        guard let store, let stored else {
            guard let given else { throw arguments.usageError("missing option --model MODEL") }
            return Opened(model: given.model, file: given.file)
        }
        guard let given = given?.model else {
            guard let model = stored.model else { throw modelIsNotStored(path: try StorePlace(store).name) }
            return Opened(model: model)
        }
        let differences = try given.differences(fromJSON: stored.image)
        guard differences.isEmpty else {
            throw PersistenceError(
                .incompatibleModel,
                "the store was created with another model than \(readsResources ? path ?? "" : "--model"); nothing was "
                    + "changed:\n  "
                    + differences.joined(separator: "\n  "), path: try StorePlace(store).name)
        }
        // The store's model is used, because it contains the names in files.
        return Opened(model: stored.model ?? given)
    }

    /// Returns the model of a store, and the model to which the store is migrated, which `--model` names.
    ///
    /// - Throws: ``UsageError`` if no model is named, ``ModelFailure`` if the named model is invalid, and
    ///   ``PersistenceError`` if the store does not exist or does not contain its model.
    static func following(
        _ arguments: ParsedArguments
    ) throws -> (stored: ManagedObjectModel, later: ManagedObjectModel) {
        let (path, store) = (try arguments.required("model"), try arguments.required("store"))
        guard !path.isEmpty, !store.isEmpty else {
            throw arguments.usageError("option --\(path.isEmpty ? "model" : "store") is empty")
        }
        let timeout = try Stores.busyTimeout(arguments) ?? .seconds(5)
        let found = try kept(at: store, busyTimeout: timeout)
        let stored = try ofStoreIfAny(store, busyTimeout: timeout)?.model
        let later = try either(
            at: path, warns: !arguments.has("quiet"), stored: stored
        ).model
        return (try stored ?? ManagedObjectModel(fromImage: found.image, filledBy: later), later)
    }

    /// Returns the model of a descriptor that was derived from a store's descriptor.
    ///
    /// - Throws: ``ModelFailure`` if the descriptor is invalid.
    static func model(ofDescriptor text: String, path: String = "the changed model") throws -> ManagedObjectModel {
        do throws(ModelFileError) {
            return try ModelFile(json: Array(text.utf8), domains: try domains()).model
        } catch {
            throw ModelFailure(path: path, findings: error.findings)
        }
    }

    /// Returns the model of the store that is to be changed.
    ///
    /// - Throws: The errors of ``model(_:)``.
    static func changed(_ arguments: ParsedArguments) throws -> ManagedObjectModel {
        let store = try arguments.required("store")
        guard !store.isEmpty else { throw arguments.usageError("option --store is empty") }
        let timeout = try Stores.busyTimeout(arguments) ?? .seconds(5)
        guard let stored = try ofStore(store, busyTimeout: timeout).model else { throw modelIsNotStored(path: store) }
        return stored
    }

    /// Returns the numeric types of a store's model, for a model file that does not define them.
    private static func numbers(_ model: ManagedObjectModel) -> [UnspecifiedNumber: ResolvedNumber] {
        var numbers: [UnspecifiedNumber: ResolvedNumber] = [:]
        for entity in model.entities {
            for attribute in entity.attributes {
                numbers[UnspecifiedNumber(entity: entity.name, attribute: attribute.name)] = ResolvedNumber(attribute)
            }
        }
        return numbers
    }

    /// Returns the layouts of a store's entities, for a model file that does not define them.
    private static func layouts(_ model: ManagedObjectModel) -> [String: SettledLayout] {
        Dictionary(model.entities.map { ($0.name, SettledLayout($0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the model of a file, a directory or a store.
    ///
    /// - Parameters:
    ///   - path: The path, or the word `reference`.
    ///   - warns: A Boolean value that indicates whether unknown properties are reported on standard error.
    /// - Returns: The model.
    /// - Throws: The error of reading the model, with the path.
    static func model(at path: String, warns: Bool) throws -> ManagedObjectModel {
        try either(at: path, warns: warns).model
    }

    private static func either(
        at path: String, warns: Bool, stored model: ManagedObjectModel? = nil, readsResources: Bool = false
    ) throws -> (model: ManagedObjectModel, file: ModelFile?) {
        if path == "reference" { return (try reference(), nil) }
        if let stored = try ofStoreIfAny(path) {
            guard let model = stored.model else { throw modelIsNotStored(path: path) }
            return (model, nil)
        }
        if StorePlace.isServer(path) {
            throw PersistenceError(.storeNotFound, "there is no store", path: try StorePlace(path).name)
        }
        let file = try file(
            at: path, numbers: model.map(numbers) ?? [:], layouts: model.map(layouts) ?? [:],
            readsResources: readsResources)
        if warns { for warning in file.warnings { Console.note("\(path): \(warning.severity.rawValue): \(warning)") } }
        return (file.model, file)
    }

    /// Returns the valid model at a path; if warnings are errors, its file has no warnings either.
    static func checked(at path: String, isStrict: Bool) throws -> ManagedObjectModel {
        guard isStrict, try isFile(path) else { return try model(at: path, warns: true) }
        return try file(at: path, isStrict: true, readsResources: hasRows(at: path)).model
    }

    /// Returns a Boolean value that indicates whether a path names a model file and not a store.
    static func isFile(_ path: String) throws -> Bool { path == "reference" ? false : try ofStoreIfAny(path) == nil }

    /// Returns a model file, or the descriptor of a directory.
    static func file(
        at path: String, numbers: [UnspecifiedNumber: ResolvedNumber] = [:], layouts: [String: SettledLayout] = [:],
        isStrict: Bool = false,
        readsResources: Bool = false
    ) throws -> ModelFile {
        let path = try descriptor(at: path)
        if let other = ["yaml", "yml", "toml"].first(where: { path.hasSuffix(".\($0)") }) {
            throw ModelFailure(
                path: path,
                findings: [
                    ModelFileFinding(
                        .error, at: "",
                        "\(other == "toml" ? "TOML" : "YAML") is not supported; convert the descriptor to JSON"
                    )
                ]
            )
        }
        let bytes = try ByteInput.contents(of: path, atMost: ModelFile.maximumByteCount)
        do throws(ModelFileError) {
            return try ModelFile(
                json: bytes, domains: try domains(), numbers: numbers, layouts: layouts, isStrict: isStrict,
                readsResources: readsResources
            ) { name in
                try schema(name, nextTo: path)
            }
        } catch {
            throw ModelFailure(path: path, findings: error.findings)
        }
    }

    /// Returns the path of a model file, or of the descriptor of a directory or a ZIP archive.
    private static func descriptor(at path: String) throws -> String {
        if PathKind(path) == .directory { return path.withoutTrailingSlashes + "/datapackage.json" }
        if let archive = try MemberPath(argument: path), archive.member == nil,
            case .archive(let files) = try Container(path: path),
            let name = try Container.descriptor(of: files, at: path)
        {
            return path + ":" + name
        }
        return path
    }

    /// Returns a Boolean value that indicates whether a model file names the rows of any resource.
    ///
    /// If it does, the check includes the resources.
    ///
    /// - Throws: The errors of reading the file, but not errors in its content.
    static func hasRows(at path: String) throws -> Bool {
        let bytes = try ByteInput.contents(of: descriptor(at: path), atMost: ModelFile.maximumByteCount)
        do throws(ModelFileError) {
            return try !ModelFile.paths(json: bytes).isEmpty
        } catch {
            // A file that is not JSON is reported when it is read as a model.
            return false
        }
    }

    /// Returns a schema in a separate file; symbolic links must not refer outside the model file's directory.
    private static func schema(_ name: String, nextTo path: String) throws -> [UInt8] {
        guard !leadsOut(name, of: path) else {
            throw InterchangeError(.permission, message: "a link points outside the model file's directory")
        }
        return try ByteInput.contents(of: nextTo(path, name), atMost: ModelFile.maximumByteCount)
    }

    /// Returns a Boolean value that indicates whether a file, or a member of an archive or a workbook, exists.
    static func isExisting(_ path: String) -> Bool {
        MemberPath(path)?.exists ?? FileManager.default.fileExists(atPath: path)
    }

    /// Returns the path of a file in a descriptor's directory, without resolving links.
    ///
    /// If the descriptor is in an archive, the file is in the same archive.
    static func nextTo(_ descriptor: String, _ name: String) -> String {
        if let path = MemberPath(descriptor), let inner = path.member {
            return path.container + ":" + nextTo(inner, name)
        }
        let folder = descriptor.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return (folder + [name[...]]).joined(separator: "/")
    }

    /// Returns a Boolean value that indicates whether a path in a descriptor's directory links to a file outside.
    static func leadsOut(_ name: String, of descriptor: String) -> Bool {
        // Links in an archive are not followed.
        guard MemberPath(descriptor) == nil else { return false }
        let folder = URL(fileURLWithPath: descriptor).deletingLastPathComponent().resolvingSymlinksInPath().path
        let file = URL(fileURLWithPath: folder + "/" + name).resolvingSymlinksInPath().path
        return !file.hasPrefix(folder + "/") && folder != "/"
    }

    /// Returns the stored model of a store, or `nil` if the path does not name a store.
    private static func ofStoreIfAny(_ path: String, busyTimeout: Duration = .seconds(5)) throws -> Stored? {
        do {
            return try ofStore(path, busyTimeout: busyTimeout)
        } catch let error as PersistenceError where [.storeNotFound, .notADatabase].contains(error.code) {
            return nil
        }
    }

    /// The text of a stored model, by which models are compared, and the model itself if the store contains it
    /// completely.
    private typealias Stored = (image: String, model: ManagedObjectModel?)

    /// Returns the stored model of a store.
    private static func ofStore(_ path: String, busyTimeout: Duration) throws -> Stored {
        let stored = try kept(at: path, busyTimeout: busyTimeout)
        let reference = try reference()
        if stored.image == (try reference.json()) { return (stored.image, reference) }
        guard let text = stored.file else { return (stored.image, nil) }
        do throws(ModelFileError) {
            return (stored.image, try ModelFile(json: Array(text.utf8), domains: try domains(), isKept: true).model)
        } catch {
            throw ModelFailure(path: path, findings: error.findings)
        }
    }

    /// Returns the error for a store of an early version, which contains only a text of its model for comparisons.
    private static func modelIsNotStored(path: String) -> PersistenceError {
        PersistenceError(
            .incompatibleModel,
            "the store was created by an early version that did not store the model, and its model is not the "
                + "reference model",
            path: path)
    }

    /// Returns the stored model without a check of its validity, because a damaged model can be repaired by `strata
    /// check`.
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

    /// Returns the rules of Swift types that this program contains.
    private static func domains() throws(ModelFileError) -> [String: AttributeDomain] {
        // A test validates the reference model, so that an error can be ignored here.
        let entities = (try? reference())?.entities ?? []
        let domains = entities.flatMap(\.attributes).compactMap(\.domain)
        return Dictionary(domains.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

/// The errors in a model file, with the path of the file.
struct ModelFailure: Error, CustomStringConvertible {
    let path: String
    let findings: [ModelFileFinding]

    var description: String { findings.map { "\(path): \($0)" }.joined(separator: "\n") }
}
