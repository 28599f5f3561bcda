import Foundation
import GRDB
import StrataPersistence
import StrataStoreKit

/// Pages of 50 albums with artist, country and genres as records with relationships, compared with GRDB's `including`.
struct RelatedComparison {
    static let names = ["related"]

    private static let albumCount: Int64 = 5_000
    private static let artistCount: Int64 = 500
    private static let countryCount: Int64 = 50
    private static let genreCount: Int64 = 20
    private static let genresOfAlbum: Int64 = 3
    private static let pageSize = 50
    private static let pageCount = Int(albumCount) / pageSize

    private let container: PersistentContainer
    private let database: DatabaseQueue

    /// Fills a separate store and database with the same rows.
    init(folder: URL) throws {
        let file = folder.appendingPathComponent("related-\(UUID().uuidString).sqlite")
        container = try PersistentContainer(
            model: try ManagedObjectModel(records: [Album.self, Artist.self, Country.self, Genre.self]),
            .sqlite(at: file), mainQueue: .private)
        var configuration = Configuration()
        configuration.journalMode = .wal
        let path = folder.appendingPathComponent("related-\(UUID().uuidString)-grdb.sqlite").path
        database = try DatabaseQueue(path: path, configuration: configuration)
        try fill()
    }

    private func fill() throws {
        try container.batchWrite { writer in
            try writer.insert((1...Self.countryCount).map { Country(id: .known($0), name: "Country \($0)") })
            try writer.insert(
                (1...Self.artistCount).map {
                    Artist(id: .known($0), name: "Artist \($0)", country: .known($0 % Self.countryCount + 1))
                })
            try writer.insert((1...Self.genreCount).map { Genre(id: .known($0), name: "Genre \($0)") })
            try writer.insert(
                (1...Self.albumCount).map {
                    Album(id: .known($0), title: "Album \($0)", artist: .known($0 % Self.artistCount + 1))
                })
            for (album, genre) in Self.pairs {
                try writer.insert(
                    JoinRow(JoinPair(source: album, target: genre)), of: "Album_genres",
                    location: RowLocation(line: 1, record: 1))
            }
        }
        try database.write { db in
            try db.execute(sql: Self.schema)
            for id in 1...Self.countryCount { try GCountry(id: id, name: "Country \(id)").insert(db) }
            for id in 1...Self.artistCount {
                try GArtist(id: id, name: "Artist \(id)", countryId: id % Self.countryCount + 1).insert(db)
            }
            for id in 1...Self.genreCount { try GGenre(id: id, name: "Genre \(id)").insert(db) }
            for id in 1...Self.albumCount {
                try GAlbum(id: id, title: "Album \(id)", artistId: id % Self.artistCount + 1).insert(db)
            }
            for (album, genre) in Self.pairs { try GAlbumGenre(albumId: album, genreId: genre).insert(db) }
        }
    }

    private static var pairs: [(Int64, Int64)] {
        (1...albumCount).flatMap { album in
            (0..<genresOfAlbum).map { (album, (album + $0 * 5) % genreCount + 1) }
        }
    }

    private static let schema = """
        CREATE TABLE country (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
        CREATE TABLE artist (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, countryId INTEGER REFERENCES country(id)) STRICT;
        CREATE TABLE genre (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
        CREATE TABLE album (
            id INTEGER PRIMARY KEY, title TEXT NOT NULL, artistId INTEGER REFERENCES artist(id)) STRICT;
        CREATE TABLE albumGenre (
            albumId INTEGER NOT NULL REFERENCES album(id), genreId INTEGER NOT NULL REFERENCES genre(id),
            PRIMARY KEY (albumId, genreId)) STRICT, WITHOUT ROWID;
        CREATE INDEX artist_country ON artist (countryId);
        CREATE INDEX album_artist ON album (artistId);
        CREATE INDEX albumGenre_genre ON albumGenre (genreId);
        """

    /// Prints a line `ratio NAME VALUE` for each name.
    func report(_ names: [String], rounds: Int) throws {
        for name in names {
            let result = try Comparison(name: name, strata: graphs, grdb: including).run(rounds: rounds)
            let (strata, grdb) = (result.strata, result.grdb)
            print("\(name): Strata \(strata.median.text(1)) ms (least \(strata.least.text(1))),", terminator: " ")
            print("GRDB \(grdb.median.text(1)) ms (least \(grdb.least.text(1)))")
            print("ratio \(name) \(result.ratio.text(3))")
        }
        try container.destroyPersistentStore()
        try database.close()
    }

    private func graphs() throws -> (Duration, Checksum) {
        let context = container.newBackgroundContext()
        var checksum = Checksum()
        let (time, _) = try timed {
            for page in 0..<Self.pageCount {
                let request = FetchRequest<Album>(
                    sort: [SortKey(\.id)], limit: Self.pageSize, offset: page * Self.pageSize,
                    prefetching: [.toOne(\.artist, to: Artist.self, [.toOne(\.country)]), .toMany(\.genres)])
                let graph = try context.performAndWait { try $0.fetchGraph(request) }
                for album in graph.records {
                    let artist = try graph.related(\.artist, of: album)
                    let country = try artist.flatMap { try graph.related(\.country, of: $0) }
                    checksum.add(album.id.rawValue, album.title, 0, album.artist?.rawValue)
                    checksum.add(artist?.id.rawValue ?? 0, artist?.name ?? "", 0, country?.id.rawValue)
                    for genre in try graph.related(\.genres, of: album) {
                        checksum.add(genre.id.rawValue, genre.name, 0, nil)
                    }
                }
            }
        }
        return (time, checksum)
    }

    private func including() throws -> (Duration, Checksum) {
        var checksum = Checksum()
        let (time, _) = try timed {
            for page in 0..<Self.pageCount {
                let infos = try database.read { db in
                    try GAlbum
                        .including(optional: GAlbum.artist.including(optional: GArtist.country))
                        .including(all: GAlbum.genres.orderByPrimaryKey())
                        .order(Column("id")).limit(Self.pageSize, offset: page * Self.pageSize)
                        .asRequest(of: AlbumInfo.self).fetchAll(db)
                }
                for info in infos {
                    checksum.add(info.album.id, info.album.title, 0, info.album.artistId)
                    checksum.add(info.artist?.id ?? 0, info.artist?.name ?? "", 0, info.country?.id)
                    for genre in info.genres { checksum.add(genre.id, genre.name, 0, nil) }
                }
            }
        }
        return (time, checksum)
    }
}

// MARK: Strata's records

private struct Country: PersistentRecord {
    let id: RecordID<Country>
    var name: String
    static let entity = RecordEntity<Country>("Country", id: \.id, [.attribute("name", \.name)]) {
        try Country(id: $0.id(), name: $0.next())
    }
}

private struct Artist: PersistentRecord {
    let id: RecordID<Artist>
    var name: String
    var country: RecordID<Country>?
    static let entity = RecordEntity<Artist>(
        "Artist", id: \.id, [.attribute("name", \.name), .toOne("country", \.country, to: "Country")]
    ) { try Artist(id: $0.id(), name: $0.next(), country: $0.next()) }
}

private struct Album: PersistentRecord {
    let id: RecordID<Album>
    var title: String
    var artist: RecordID<Artist>?
    static let genres = ToMany<Album, Genre>("genres", to: "Genre", inverse: "albums")
    static let entity = RecordEntity<Album>(
        "Album", id: \.id,
        [.attribute("title", \.title), .toOne("artist", \.artist, to: "Artist"), .relationship(genres)]
    ) { try Album(id: $0.id(), title: $0.next(), artist: $0.next()) }
}

private struct Genre: PersistentRecord {
    let id: RecordID<Genre>
    var name: String
    static let albums = ToMany<Genre, Album>("albums", to: "Album", inverse: "genres")
    static let entity = RecordEntity<Genre>(
        "Genre", id: \.id, [.attribute("name", \.name), .relationship(albums)]
    ) { try Genre(id: $0.id(), name: $0.next()) }
}

extension RecordID {
    /// Returns an identifier of a row of the benchmark.
    fileprivate static func known(_ number: Int64) -> RecordID {
        guard let id = RecordID(rawValue: number) else { preconditionFailure("The benchmark has no row \(number).") }
        return id
    }
}

// MARK: GRDB's records

private struct GCountry: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "country"
    var id: Int64
    var name: String
}

private struct GArtist: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "artist"
    static let country = belongsTo(GCountry.self).forKey("country")
    var id: Int64
    var name: String
    var countryId: Int64?
}

private struct GGenre: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "genre"
    var id: Int64
    var name: String
}

private struct GAlbumGenre: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "albumGenre"
    static let genre = belongsTo(GGenre.self)
    var albumId: Int64
    var genreId: Int64
}

private struct GAlbum: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "album"
    static let artist = belongsTo(GArtist.self).forKey("artist")
    static let albumGenres = hasMany(GAlbumGenre.self)
    static let genres = hasMany(GGenre.self, through: albumGenres, using: GAlbumGenre.genre).forKey("genres")
    var id: Int64
    var title: String
    var artistId: Int64?
}

private struct AlbumInfo: Decodable, FetchableRecord {
    var album: GAlbum
    var artist: GArtist?
    var country: GCountry?
    var genres: [GGenre]
}
