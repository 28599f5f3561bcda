import Foundation
import StrataTestSupport
import Testing

@Suite("SQLite databases of other programs", .needs("sqlite3"))
struct ForeignDatabaseTests {
    private let folder = TemporaryFolder()

    fileprivate func make(_ script: String, at path: String = "app.db") throws {
        try folder.write(script, to: "script.sql")
        try Tool.debug.shell("sqlite3 \(path) < script.sql", in: folder).expect(status: 0)
    }

    private func output(_ arguments: String...) throws -> String {
        let result = try Tool.debug.run(arguments + ["-q"], in: folder)
        result.expect(status: 0)
        #expect(result.errors.isEmpty, "\(result.errors)")
        return result.output
    }

    private func notes(_ arguments: String...) throws -> String {
        let result = try Tool.debug.run(arguments, in: folder)
        result.expect(status: 0)
        return result.errors
    }

    private static let library = """
        CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT NOT NULL, born DATE, active BOOLEAN);
        CREATE TABLE book(isbn TEXT PRIMARY KEY, title VARCHAR(3), price DECIMAL(10,2),
            author_id INTEGER NOT NULL REFERENCES AUTHOR ON DELETE CASCADE, created_at INTEGER, cover BLOB,
            "odd ""name, x" REAL);
        CREATE TABLE pair(a INTEGER, b TEXT, v INTEGER, PRIMARY KEY(b, a)) WITHOUT ROWID;
        CREATE TABLE child(x INTEGER, y TEXT, FOREIGN KEY(x, y) REFERENCES pair(a, b));
        INSERT INTO author VALUES(1, 'Ann', '1970-01-02', 1), (5, '', NULL, 0), (9, '00501', '2000-02-29', NULL);
        INSERT INTO book VALUES('007', 'It', 10.5, 1, 1700000000, x'00ff', 1.5), ('a"b', 'longer', 3, 5, 1700000001,
            NULL, -0.1), ('é', NULL, NULL, 1, NULL, x'', NULL);
        INSERT INTO pair VALUES(1, 'b', 1), (1, 'a', 2), (0, 'z', 3);
        INSERT INTO child VALUES(1, 'a'), (NULL, NULL), (0, 'z');
        """

    @Test("tables have the keys, references and types that their schema declares and their values obey")
    func tables() throws {
        try make(Self.library)
        let store = ["--store", "app.db", "--entity"]
        #expect(
            try output(["export"] + store + ["author"])
                == "id,name,born,active\n1,Ann,1970-01-02,true\n5,\"\",,false\n9,00501,2000-02-29,\n")
        #expect(
            try output(["export"] + store + ["book"])
                == """
                isbn,title,price,author_id,created_at,cover,"odd ""name, x"
                007,It,10.50,1,2023-11-14T22:13:20Z,AP8=,1.5
                "a""b",longer,3.00,5,2023-11-14T22:13:21Z,,-0.1
                é,,,1,,"",

                """)
        #expect(try output(["export"] + store + ["pair"]) == "a,b,v\n1,a,2\n1,b,1\n0,z,3\n")
        #expect(try output(["export"] + store + ["child"]) == "x,y\n1,a\n,\n0,z\n")
        #expect(
            try output(["query"] + store + ["book", "--format", "csv", "--select", "author_id.name, sum(price)"])
                == "author_id.name,sum(price)\n\"\",3.00\nAnn,10.50\n")
        let model = try output("model", "show", "app.db")
        for line in [
            "books   optional toMany, to Book, inverse author_id, delete rule cascade",
            "price       optional decimal(2)",
        ] {
            #expect(model.contains(line), "\(model)")
        }
        #expect(
            try notes("info", "--store", "app.db")
                == "app.db: book.created_at: seconds since 1970 are read as dates from 2023-11-14 to 2023-11-14\n")
        #expect(try output(["info", "--store", "app.db"]).contains("SQLite database of another program"))
    }

    fileprivate func output(_ arguments: [String]) throws -> String {
        let quiet = arguments[0] == "info" ? [] : ["-q"]
        let result = try Tool.debug.run(arguments + quiet, in: folder)
        result.expect(status: 0)
        return result.output
    }

    @Test("every reading command accepts a database, and a copy of it is a store with the same records")
    func commands() throws {
        try make(Self.library)
        let book = ["--store", "app.db", "--entity", "book"]
        #expect(try output(["show"] + book).contains("longer"))
        #expect(try output(["stats"] + book).contains("decimal(2)"))
        #expect(try output(["query", "--store", "app.db", "--sql", "SELECT max(price) FROM book"]).contains("3.00"))
        _ = try output(["report", "--store", "app.db", "--output", "page.html"])
        #expect(try output(["model", "names", "app.db"]) == "Author\nBook\nChild\nPair\n")
        _ = try output(["copy", "--store", "app.db", "--to", "own.sqlite"])
        _ = try output(["export", "--all", "--store", "app.db", "--output", "foreign"])
        _ = try output(["export", "--all", "--store", "own.sqlite", "--output", "own"])
        try Tool.debug.shell("diff -r foreign own", in: folder).expect(status: 0)
        #expect(try output(["check", "--store", "own.sqlite"]) == "ok\n")
    }

    @Test(
        "a command that writes is rejected, and names the way to a store",
        arguments: [
            ["import", "x.csv", "--entity", "author"],
            ["update", "--entity", "author", "--set", "name = 'x'", "--all"],
            ["delete", "--entity", "author", "--all"], ["migrate", "--allow-null", "author.name"], ["destroy"],
        ])
    func readOnly(_ arguments: [String]) throws {
        try make(Self.library)
        try folder.write("id,name\n1,x\n", to: "x.csv")
        let before = try Data(contentsOf: folder.url.appendingPathComponent("app.db"))
        let result = try Tool.debug.run(arguments + ["--store", "app.db"], in: folder)
        #expect(result.status != 0)
        #expect(result.errors.contains("only read") && result.errors.contains("strata copy"), "\(result.errors)")
        #expect(try Data(contentsOf: folder.url.appendingPathComponent("app.db")) == before)
    }

    @Test("values of several kinds are texts, with their counts; --mixed error rejects them")
    func mixed() throws {
        try make(
            """
            CREATE TABLE t(a INTEGER, b, c INTEGER UNIQUE);
            INSERT INTO t VALUES(1, 9007199254740993, 1), ('x', 1.5, 'y'), (1.5, x'00Ff', NULL), (NULL, 'z', 2);
            """)
        #expect(
            try output("export", "--store", "app.db")
                == "a,b,c\n1,9007199254740993,1\nx,1.5,y\n1.5,X'00FF',\n,z,2\n")
        let text = try notes("stats", "--store", "app.db")
        #expect(
            text.contains(
                "t.a: values of several kinds are read as texts: 1 integer (first in row 1), 1 real (first in row 3), 1 text (first in row 2)"
            ),
            "\(text)")
        let result = try Tool.debug.run(["show", "--store", "app.db", "--mixed", "error"], in: folder)
        result.expect(status: 65)
        #expect(result.errors.contains("t.a: values of several kinds"))
        try Tool.debug.run(["show", "--mixed", "error", "x.csv"], in: folder).expect(status: 64)
    }

    @Test("references that their values do not obey remain values, and the reason is reported")
    func references() throws {
        try make(
            """
            CREATE TABLE parent(id INTEGER PRIMARY KEY, code TEXT UNIQUE COLLATE NOCASE, other TEXT);
            CREATE TABLE child(p INTEGER REFERENCES parent, c TEXT REFERENCES parent(code), o TEXT REFERENCES parent(other),
                n INTEGER REFERENCES nowhere(id), self INTEGER REFERENCES child(k), k INTEGER UNIQUE);
            INSERT INTO parent VALUES(1, 'a', 'x'), (2, 'B', 'x');
            INSERT INTO child VALUES(1, 'a', 'x', 1, NULL, 1), (3, 'b', 'x', NULL, 1, 2);
            """)
        #expect(
            try output("export", "--store", "app.db", "--entity", "child") == "p,c,o,n,self,k\n1,a,x,1,,1\n3,b,x,,1,2\n"
        )
        let text = try notes("model", "show", "app.db")
        #expect(text.contains("child.p: no reference, because 1 row refers to no row of parent"), "\(text)")
        #expect(text.contains("child.c: no reference, because 1 row refers to no row of parent"))
        #expect(text.contains("child.o: no reference, because the columns of parent are not a key"))
        #expect(text.contains("child.n: no reference, because there is no table nowhere"))
        #expect(try output("model", "show", "app.db").contains("self"))
    }

    @Test("hostile names, keys with null, generated columns and unusual row numbers are read")
    func unusual() throws {
        try make(
            """
            CREATE TABLE "a'; DROP TABLE t; --"("x"";" TEXT, rowid TEXT, "select" INTEGER);
            CREATE TABLE k(id TEXT PRIMARY KEY, v INT);
            CREATE TABLE n(id INTEGER PRIMARY KEY, g TEXT AS (id || '!'), bad TEXT AS (load(id)) STORED);
            CREATE TABLE d(id INTEGER PRIMARY KEY DESC, v);
            CREATE TABLE s(a INT, b REAL, c ANY) STRICT;
            CREATE TABLE empty(a DECIMAL(5,1), b BLOB, c);
            CREATE VIRTUAL TABLE f USING fts5(t);
            CREATE VIEW v AS SELECT id, v * 2 AS twice FROM k;
            CREATE VIEW w AS SELECT absent FROM k;
            INSERT INTO "a'; DROP TABLE t; --" VALUES('1', '2', 3), ('0', NULL, NULL);
            INSERT INTO k VALUES(NULL, 1), ('b', 2), (NULL, 3);
            INSERT INTO d VALUES(3, 'x'), (1, 'y');
            INSERT INTO s VALUES(1, 2, 'x');
            """.replacingOccurrences(of: ", bad TEXT AS (load(id)) STORED", with: ""))
        try make("INSERT INTO n(id) VALUES(-5), (9007199254740993);")
        #expect(try output("export", "--store", "app.db", "--entity", "k") == "id,v\n,1\nb,2\n,3\n")
        #expect(
            try output("export", "--store", "app.db", "--entity", "n")
                == "id,g\n-5,-5!\n9007199254740993,9007199254740993!\n")
        #expect(try output("export", "--store", "app.db", "--entity", "d") == "id,v\n3,x\n1,y\n")
        #expect(try output("export", "--store", "app.db", "--entity", "s") == "a,b,c\n1,2.0,x\n")
        #expect(try output("export", "--store", "app.db", "--entity", "empty") == "a,b,c\n")
        #expect(
            try output("export", "--store", "app.db", "--entity", "a'; DROP TABLE t; --")
                == "\"x\"\";\",rowid,select\n1,2,3\n0,,\n")
        #expect(try output("export", "--store", "app.db", "--views", "--entity", "v") == "id,twice\n,2\nb,4\n,6\n")
        let text = try notes("info", "--store", "app.db", "--views")
        #expect(
            text.contains("f: a virtual table is not read") && text.contains("w: the view cannot be read"), "\(text)")
    }

    @Test("a link to a database leads to its log, and nothing is written beside it", arguments: ["../w/app.db", ""])
    func links(_ target: String) throws {
        try Tool.debug.shell("mkdir w l", in: folder).expect(status: 0)
        try make("PRAGMA journal_mode = wal;\(Self.library)", at: "w/app.db")
        try folder.write(
            ".dbconfig no_ckpt_on_close on\nINSERT INTO author VALUES(20, 'Log', NULL, NULL);", to: "log.sql")
        let link = target.isEmpty ? "$PWD/w/app.db" : target
        try Tool.debug.shell("sqlite3 w/app.db < log.sql; ln -s \(link) l/app.db; rm w/app.db-shm", in: folder).expect(
            status: 0)
        let count = ["query", "--entity", "author", "--select", "count()", "--format", "csv", "--store", "l/app.db"]
        #expect(try output(count) == "count()\n4\n")
        #expect(try Tool.debug.shell("ls w l", in: folder).output == "l:\napp.db\n\nw:\napp.db\napp.db-wal\n")
    }

    @Test("times in milliseconds are exact, and --times numbers reads them as numbers")
    func times() throws {
        try make(
            """
            CREATE TABLE t(sent_at INTEGER, candidate INTEGER, updatedAt INTEGER);
            INSERT INTO t VALUES(1700000000123, 1700000000, 1700000000), (1700000000456, 123456789, 1700000001);
            """)
        #expect(
            try output("export", "--store", "app.db")
                == """
                sent_at,candidate,updatedAt
                2023-11-14T22:13:20.123Z,1700000000,2023-11-14T22:13:20Z
                2023-11-14T22:13:20.456Z,123456789,2023-11-14T22:13:21Z

                """)
        #expect(
            try output("export", "--store", "app.db", "--times", "numbers")
                == "sent_at,candidate,updatedAt\n1700000000123,1700000000,1700000000\n1700000000456,123456789,1700000001\n"
        )
    }

    @Test("columns of different forms are no reference, and a column without values takes the form of the key")
    func forms() throws {
        try make(
            """
            CREATE TABLE node(id INTEGER PRIMARY KEY, parent REFERENCES node);
            CREATE TABLE cal(d TEXT PRIMARY KEY);
            CREATE TABLE ev(ev_date TEXT REFERENCES cal, n INTEGER REFERENCES cal);
            CREATE TABLE key(id TEXT PRIMARY KEY);
            CREATE TABLE use(id TEXT REFERENCES key);
            INSERT INTO node VALUES(1, NULL), (2, NULL);
            INSERT INTO cal VALUES('2020-01-01'), ('1');
            INSERT INTO ev VALUES('2020-01-01', 1);
            INSERT INTO key VALUES(NULL), ('a');
            INSERT INTO use VALUES('a');
            """)
        let text = try notes("model", "show", "app.db")
        #expect(
            text.contains("ev.ev_date: no reference, because its values and those of cal.d have different forms"),
            "\(text)")
        #expect(text.contains("ev.n: no reference, because"))
        #expect(text.contains("key.id: the primary key contains null; it is a unique key"))
        let model = try output("model", "show", "app.db")
        #expect(model.contains("parent  optional toOne, to Node") && model.contains("toOne, to Key"), "\(model)")
        #expect(try output("export", "--store", "app.db", "--entity", "ev") == "ev_date,n\n2020-01-01,1\n")
    }

    @Test("columns with numbers and invalid texts are read as bytes, and are mixed")
    func invalid() throws {
        try make("CREATE TABLE t(a); INSERT INTO t VALUES(1234), (CAST(x'ff41' AS TEXT)), (1.5), ('x');")
        #expect(try output("export", "--store", "app.db") == "a\nMTIzNA==\n/0E=\nMS41\neA==\n")
        try Tool.debug.run(["export", "--store", "app.db", "--mixed", "error"], in: folder).expect(status: 65)
    }

    @Test("tables and columns with equal or empty names are read under other names, and NOT NULL is kept")
    func names() throws {
        try make(
            """
            CREATE TABLE "caf\u{E9}"(a INTEGER NOT NULL, "" TEXT);
            CREATE TABLE "cafe\u{301}"("\u{E9}" TEXT UNIQUE, "e\u{301}" TEXT);
            INSERT INTO "cafe\u{301}" VALUES('x', 'y');
            INSERT INTO "caf\u{E9}" VALUES(1, 'z');
            CREATE TABLE g(id INTEGER PRIMARY KEY, n TEXT AS (NULL || 'x'));
            CREATE TABLE long(x CHECK(\((0..<150).map { "x = '\($0)'" }.joined(separator: " OR "))));
            """)
        _ = try output("copy", "--store", "app.db", "--to", "own.sqlite")
        _ = try output("export", "--all", "--store", "own.sqlite", "--output", "all")
        #expect(try Tool.debug.shell("cat all/*.csv | sort", in: folder).output.contains("column2"))
        #expect(try notes("info", "--store", "app.db").isEmpty)
        #expect(try output("export", "--store", "app.db", "--entity", "g") == "id,n\n")
        #expect(try output("model", "show", "app.db").contains("a        integer64\n"))
    }

    @Test("two databases are compared")
    func difference() throws {
        try make(Self.library)
        try make(Self.library, at: "other.db")
        try Tool.debug.run(["model", "diff", "app.db", "other.db"], in: folder).expect(status: 0)
    }

    @Test("nothing is written beside a database, with and without a log", arguments: [0, 1, 2, 3])
    func surroundings(_ state: Int) throws {
        try make("\(state == 0 ? "" : "PRAGMA journal_mode = wal;")\(Self.library)")
        if state > 1 {
            // The process is killed, so that the log remains.
            try folder.write(
                ".dbconfig no_ckpt_on_close on\nINSERT INTO author VALUES(20, 'Log', NULL, NULL);", to: "log.sql")
            try Tool.debug.shell("sqlite3 app.db < log.sql; test -s app.db-wal", in: folder).expect(status: 0)
        }
        if state == 2 { try FileManager.default.removeItem(atPath: folder.path("app.db-shm")) }
        let list = "ls -l --time-style=full-iso; md5sum app.db app.db-wal"
        let before = try Tool.debug.shell(list, in: folder).output
        let count = try output(
            "query", "--store", "app.db", "--entity", "author", "--select", "count()", "--format", "csv")
        #expect(count == "count()\n\(state > 1 ? 4 : 3)\n")
        #expect(try Tool.debug.shell(list, in: folder).output == before)
    }

    @Test("a table with two references as its key, and nothing else, becomes a many-to-many relationship")
    func joins() throws {
        try make(
            """
            CREATE TABLE note(id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE tag(code TEXT PRIMARY KEY NOT NULL, tags INT);
            CREATE TABLE note_tag(note_id INT NOT NULL REFERENCES note, tag TEXT NOT NULL REFERENCES tag ON DELETE CASCADE,
                PRIMARY KEY(note_id, tag)) WITHOUT ROWID;
            CREATE TABLE old_tags(tag TEXT NOT NULL REFERENCES tag, note INT NOT NULL REFERENCES note, UNIQUE(note, tag));
            CREATE TABLE see_also(a INT NOT NULL REFERENCES note, b INT NOT NULL REFERENCES note, UNIQUE(a, b));
            CREATE TABLE dated(note INT NOT NULL REFERENCES note, tag TEXT NOT NULL REFERENCES tag, at DATE,
                PRIMARY KEY(note, tag));
            CREATE TABLE used(note INT NOT NULL REFERENCES note, tag TEXT NOT NULL REFERENCES tag, PRIMARY KEY(note, tag));
            CREATE TABLE user(note INT, tag TEXT, FOREIGN KEY(note, tag) REFERENCES used);
            CREATE TABLE single(note INT NOT NULL UNIQUE REFERENCES note, tag TEXT NOT NULL REFERENCES tag,
                UNIQUE(note, tag));
            CREATE TABLE unkeyed(note INT NOT NULL REFERENCES note, tag TEXT NOT NULL REFERENCES tag);
            CREATE TABLE dangling(note INT NOT NULL REFERENCES note, tag TEXT NOT NULL REFERENCES tag, UNIQUE(note, tag));
            INSERT INTO note VALUES(1, 'a'), (2, 'b'), (7, 'c');
            INSERT INTO tag VALUES('x', 1), ('y', 2);
            INSERT INTO note_tag VALUES(1, 'x'), (1, 'y'), (7, 'x');
            INSERT INTO old_tags VALUES('y', 2), ('y', 7);
            INSERT INTO see_also VALUES(1, 2), (2, 1), (7, 7);
            INSERT INTO dangling VALUES(1, 'z');
            """)
        let model = try output("model", "show", "app.db")
        for line in [
            "  tag          optional toMany, to Tag, inverse note",
            "  oldTags      optional toMany, to Tag, inverse oldTags",
            "  note         optional toMany, to Note, inverse noteInverse", "Used, “used” in files",
            "Dated, “dated” in files", "Single, “single” in files", "Unkeyed, “unkeyed” in files",
            "Dangling, “dangling” in files",
        ] {
            #expect(model.contains(line), "\(line)\n\(model)")
        }
        for name in ["note_tag", "old_tags", "see_also"] { #expect(!model.contains("“\(name)” in files"), "\(model)") }
        _ = try output("export", "--all", "--store", "app.db", "-o", "all")
        #expect(try folder.text("all/note_tag.csv") == "note_id,tag\n1,x\n1,y\n7,x\n")
        #expect(try folder.text("all/old_tags.csv") == "tag,note\ny,2\ny,7\n")
        #expect(try folder.text("all/see_also.csv") == "a,b\n1,2\n2,1\n7,7\n")
        _ = try output("copy", "--store", "app.db", "--to", "own.sqlite")
        _ = try output("export", "--all", "--store", "own.sqlite", "-o", "own")
        for name in ["note_tag", "old_tags", "see_also"] {
            #expect(try folder.text("own/\(name).csv") == folder.text("all/\(name).csv"))
        }
        #expect(
            try output("query", "--store", "app.db", "--format", "csv", "--sql", "SELECT count(*) AS n FROM note_tag")
                == "n\n3\n")
    }

    @Test("an interrupted transaction, an encrypted file and a damaged database are errors with a reason")
    func damaged() throws {
        try make(Self.library)
        var bytes = try Data(contentsOf: folder.url.appendingPathComponent("app.db"))
        let page = 4096
        for offset in stride(from: page, to: bytes.count, by: page) { bytes[offset] = 0xFF }
        try bytes.write(to: folder.url.appendingPathComponent("app.db"))
        let result = try Tool.debug.run(["info", "--store", "app.db"], in: folder)
        result.expect(status: 65)
        #expect(result.errors.hasPrefix("app.db: "), "\(result.errors)")
    }
}

extension ForeignDatabaseTests {
    @Test(
        "the rows of random tables are exported as they were inserted, also from a copy",
        arguments: Seeds.first(2, of: UInt64(1)...40))
    func rows(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let words = ["", "a", "é", "0", "007", "1e3", " b ", "\"", ",", "null", "line\nend", "x'00'", "2020-01-01"]
        var script = "CREATE TABLE t(id INTEGER PRIMARY KEY, i INT, r REAL, t TEXT, b BLOB, n NUMERIC);\n"
        var expected = "id,i,r,t,b,n\n"
        var id = 0
        for _ in 0..<40 {
            id += Int.random(in: 1...3, using: &random)
            var (values, fields): ([String], [String]) = (["\(id)"], ["\(id)"])
            func add(_ isNull: Bool, _ value: String, _ field: String) {
                values.append(isNull ? "NULL" : value)
                fields.append(isNull ? "" : field)
            }
            func isNull() -> Bool { Int.random(in: 0..<6, using: &random) == 0 }
            let number = Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0..<63, using: &random)
            add(isNull(), "\(number == .min ? .max : number)", "\(number == .min ? .max : number)")
            let real = Double(Int.random(in: -9999...9999, using: &random)) / 7
            add(isNull(), "\(real)", "\(real)")
            let word = words.randomElement(using: &random) ?? ""
            let needsQuotes = word.isEmpty || word.hasPrefix(" ") || word.contains { ["\"", ",", "\n"].contains($0) }
            add(
                isNull(), "'\(word)'",
                needsQuotes ? "\"\(word.replacingOccurrences(of: "\"", with: "\"\""))\"" : word)
            let bytes = (0..<Int.random(in: 0...5, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
            }
            let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            let text = Data(bytes).base64EncodedString()
            add(isNull(), "x'\(digits)'", text.isEmpty ? "\"\"" : text)
            let whole = Int.random(in: -99...99, using: &random)
            add(isNull(), "\(whole)", "\(whole)")
            script += "INSERT INTO t VALUES(\(values.joined(separator: ", ")));\n"
            expected += fields.joined(separator: ",") + "\n"
        }
        try make(script.replacingOccurrences(of: "'x'00''", with: "'x''00'''"))
        let found = try output(["export", "--store", "app.db"])
        let (lines, wanted) = (found.split(separator: "\n"), expected.split(separator: "\n"))
        let difference = zip(lines, wanted).first { $0 != $1 }
        #expect(found == expected, "seed \(seed): \(difference.map { "\($0)" } ?? "")")
        _ = try output(["copy", "--store", "app.db", "--to", "own.sqlite"])
        #expect(try output(["export", "--store", "own.sqlite"]) == expected, "seed \(seed)")
    }
}
