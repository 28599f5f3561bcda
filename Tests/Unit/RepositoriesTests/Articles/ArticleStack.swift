import StrataPersistence
import StrataRepositories
import StrataTesting

/// A loaded stack of the reference model, and its folder, which must exist as long as the stack.
struct ArticleStack {
    let container: PersistentContainer
    private let folder: TemporaryFolder

    init(_ kind: StoreKind) throws {
        folder = try TemporaryFolder()
        container = try PersistentContainer(
            model: ReferenceModel.model(), kind.description(in: folder.url), mainQueue: .private)
    }
}
