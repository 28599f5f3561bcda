import Foundation
import HTTPTypes
import Hummingbird

/// The files of the web page.
struct WebPages: Sendable {
    struct File: Sendable {
        let path: String
        let type: String
        let content: ByteBuffer
    }

    private static let names = [
        ("/", "index.html", "text/html; charset=utf-8"), ("/app.css", "app.css", "text/css; charset=utf-8"),
        ("/app.js", "app.js", "text/javascript; charset=utf-8"),
    ]

    let files: [File]

    /// Creates no pages, for tests.
    init() { files = [] }

    /// Reads the files of a folder.
    init(folder: URL) throws {
        files = try Self.names.map { path, name, type in
            let content = try Data(contentsOf: folder.appendingPathComponent(name))
            return File(path: path, type: type, content: ByteBuffer(bytes: content))
        }
    }

    /// Returns the files that the build copied.
    static func bundled() throws -> WebPages {
        guard let folder = Bundle.module.url(forResource: "Web", withExtension: nil) else {
            throw ConfigurationError("the folder Web is missing; copy the program with its .resources folder")
        }
        return try WebPages(folder: folder)
    }
}

/// The routes of the web page.
struct PageRoutes: Sendable {
    let pages: WebPages

    func add(to table: inout RouteTable) {
        // Browsers request an icon, which the page does not have.
        table.add(.get, "/favicon.ico") { _, _ in Response(status: .noContent) }
        for file in pages.files {
            table.add(.get, file.path) { _, _ in
                Response(
                    status: .ok, headers: [.contentType: file.type, .cacheControl: "no-cache"],
                    body: ResponseBody(byteBuffer: file.content))
            }
        }
    }
}
