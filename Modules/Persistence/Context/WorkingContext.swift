/// The confined half of a context: what the closures of `perform` and `performAndWait` work with.
///
/// It is not `Sendable`, and neither are its objects: the compiler refuses to let them leave the closure. Records and identifiers may.
public final class WorkingContext {
    /// The context's name, for messages.
    public let name: String
    /// What a save does about objects that somebody else changed.
    public var mergePolicy: MergePolicy

    let coordinator: PersistentStoreCoordinator
    private let identifiers: IdentifierBlocks
    private(set) var registers: [String: EntityRegister] = [:]
    private var strayWrites: [ManagedObject] = []
    /// Why a merge of somebody else's save failed; the next fetch or save says so.
    var mergeFailure: PersistenceError?
    /// What that merge was about; it is tried again.
    var unmerged: MergeNotice?
    /// Who the save's notice need not be sent to.
    let mailbox: MergeMailbox?

    init(
        name: String, mergePolicy: MergePolicy, coordinator: PersistentStoreCoordinator, identifiers: IdentifierBlocks,
        mailbox: MergeMailbox?
    ) {
        self.name = name
        self.mergePolicy = mergePolicy
        self.coordinator = coordinator
        self.identifiers = identifiers
        self.mailbox = mailbox
    }

    /// The model.
    public var model: ManagedObjectModel { coordinator.model }

    /// Whether a save would write anything.
    ///
    /// A property written with the value it had is no change.
    public var hasChanges: Bool {
        !strayWrites.isEmpty
            || registers.values.contains { register in
                !register.inserted.isEmpty || !register.deleted.isEmpty
                    || register.updated.values.contains(where: \.hasChanges)
            }
    }

    func register(_ entity: String) throws -> EntityRegister {
        if let register = registers[entity] { return register }
        let register = EntityRegister(try model.entity(named: entity))
        registers[entity] = register
        return register
    }

    /// Every object of the context must be used there and nowhere else.
    func require(_ object: ManagedObject) {
        guard object.context === self else {
            fatalError(
                "\(object.entityName) \(object.rawID) belongs to the context “\(object.context.name)” and was used on “\(name)”; "
                    + "pass its id or its record instead")
        }
    }

    func willChange(_ object: ManagedObject) {
        guard object.state.change() else {
            if !strayWrites.contains(where: { $0 === object }) { strayWrites.append(object) }
            return
        }
        registers[object.entityName]?.file(object)
    }

    /// Writes to objects that no save would reach are errors, once.
    func throwStrayWrites() throws {
        guard let first = strayWrites.first else { return }
        strayWrites = []
        throw PersistenceError(
            .detachedObject,
            "object \(first.rawID) was written to after it was deleted or its context was reset; the write is lost",
            entity: first.entityName)
    }

    func throwMergeFailure() throws {
        guard let failure = mergeFailure else { return }
        mergeFailure = nil
        throw failure
    }

    // MARK: Inserting

    /// An identifier nobody was given, for a record that is about to be inserted.
    ///
    /// Contexts take identifiers from the store in blocks; one that is not used is lost, not given again.
    public func newID<Record: PersistentRecord>(for type: Record.Type = Record.self) throws -> Record.ID {
        let entity = Record.entity.name
        let register = try register(entity)
        var raw: Int64
        // One that the context has already, inserted with an identifier of its own, is nobody else's.
        repeat { raw = try identifiers.next(of: entity) } while register.inserted[raw] != nil
        guard let id = Record.ID(rawValue: raw) else { throw PersistenceError.identifiersExhausted(entity) }
        return id
    }

    /// Inserts a record; the next save writes it.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/uniqueness`` when the context has an object with its identifier.
    @discardableResult
    public func insert<Record: PersistentRecord>(_ record: Record) throws -> Managed<Record> {
        let register = try register(Record.entity.name)
        if let object = register.object(record.id.rawValue), object.state != .detached, object.state != .deleted {
            throw PersistenceError.taken(register.entity, record.id.rawValue)
        }
        let object = Managed(inserting: record, in: self)
        identifiers.skip(object.rawID, of: object.entityName)
        register.register(object)
        register.file(object)
        return object
    }

    /// Inserts a record made with a new identifier.
    @discardableResult
    public func insert<Record: PersistentRecord>(
        _ type: Record.Type = Record.self, _ make: (Record.ID) throws -> Record
    ) throws -> Managed<Record> {
        try insert(try make(try newID(for: type)))
    }

    // MARK: Giving up

    /// Gives up everything that was not saved: new objects are detached, changed and deleted ones are as they were read.
    public func rollback() {
        strayWrites = []
        for register in registers.values {
            for object in register.insertedInOrder + Array(register.updated.values) + Array(register.deleted.values) {
                let wasInserted = object.state == .inserted
                object.state.rollBack()
                object.revert()
                register.file(object)
                // An object that was deleted gets its place back from a new one that had taken its identifier.
                if wasInserted { register.forget(object) } else { register.register(object) }
            }
        }
    }

    /// Forgets every object.
    ///
    /// Those somebody still holds are detached.
    public func reset() {
        rollback()
        for object in registers.values.flatMap(\.objects) { object.state = .detached }
        registers = [:]
        (unmerged, mergeFailure) = (nil, nil)
    }
}
