import Foundation
import Testing

/// Tests of the options of `strata migrate` that change the store's model.
@Suite("Model changes by options")
struct ModelEditTests {
    private let folder = TemporaryFolder()

    private func run(_ line: String) throws -> Tool.Result { try Tool.debug.shell("strata " + line, in: folder) }

    private func prepare(_ store: String = "s.sqlite") throws {
        try folder.write("code,title\nA,x\nB,y\n", to: "teams.csv")
        try folder.write(
            "id,team_code,Preis (EUR),a.b=c,on\n7,A,1.5,p,2024-01-02\n9,B,2.5,q,2024-05-06\n", to: "players.csv")
        try folder.write("who,squad\nx,A\ny,B\n", to: "who.csv")
        try run("import -q teams.csv players.csv who.csv --store \(store)").expect(status: 0)
    }

    /// The options, the entity that shows the change, and its expected export.
    private static let changes: [(options: String, entity: String, exported: String)] = [
        (
            "--rename 'players.Preis (EUR)=price' --rename players.a.b=c=d", "players",
            "id,team_code,price,d,on\n7,A,1.5,p,2024-01-02\n9,B,2.5,q,2024-05-06\n"
        ),
        (
            "--rename teams.code=kurz --rename Players.team_code=squad", "players",
            "id,squad,Preis (EUR),a.b=c,on\n7,A,1.5,p,2024-01-02\n9,B,2.5,q,2024-05-06\n"
        ),
        (
            "--rename players.id=nr", "players",
            "nr,team_code,Preis (EUR),a.b=c,on\n7,A,1.5,p,2024-01-02\n9,B,2.5,q,2024-05-06\n"
        ),
        (
            "--add 'who.age: integer?' --add 'who.currency: text = EUR' --add 'who.pay: decimal:2 = 1.50' "
                + "--add 'who.ok: boolean = true' --add 'who.born: day:%d.%m.%Y?'",
            "who", "who,squad,age,currency,pay,ok,born\nx,A,,EUR,1.50,true,\ny,B,,EUR,1.50,true,\n"
        ),
        ("--drop who.squad", "who", "who\nx\ny\n"), ("--drop who", "teams", "code,title\nA,x\nB,y\n"),
        (
            "--drop players.id", "players",
            "team_code,Preis (EUR),a.b=c,on\nA,1.5,p,2024-01-02\nB,2.5,q,2024-05-06\n"
        ),
        ("--allow-null who.squad --reference who.squad=teams.code", "who", "who,squad\nx,A\ny,B\n"),
        (
            "--allow-null 'players.Preis (EUR)' --rename 'players.Preis (EUR)=price' --index players.price,on",
            "players", "id,team_code,price,a.b=c,on\n7,A,1.5,p,2024-01-02\n9,B,2.5,q,2024-05-06\n"
        ),
        ("--unique who.who --unique who.who,squad --index who.squad", "who", "who,squad\nx,A\ny,B\n"),
    ]

    @Test(
        "each option that changes the model preserves all other values, in each kind of store",
        arguments: 0..<changes.count)
    func change(_ number: Int) throws {
        let (options, entity, exported) = Self.changes[number]
        for store in ["s.sqlite", "s.xml", "s.bin"] {
            try prepare(store)
            let before = try run("export --entity \(entity) --store \(store)").output
            try run("migrate --store \(store) \(options) --dry-run").expect(status: 0)
            #expect(try run("export --entity \(entity) --store \(store)").output == before)
            let result = try run("migrate --store \(store) \(options)")
            #expect(result.status == 0, "\(store) \(options): \(result.errors)")
            #expect(try run("export --entity \(entity) --store \(store)").output == exported, "\(store)")
            #expect(try run("check --store \(store)").output == "ok\n")
        }
    }

    @Test("migrate can add a reference, make an attribute unique, and allow null")
    func rules() throws {
        try prepare()
        try run("migrate --store s.sqlite --reference who.squad=teams.code --unique who.who --allow-null who.squad")
            .expect(status: 0)
        #expect(try run("export --entity who --store s.sqlite --columns squad.title").output == "squad.title\nx\ny\n")
        try folder.write("who,squad\nz,\n", to: "who.csv")
        try run("import who.csv --store s.sqlite").expect(status: 0)
        try folder.write("who,squad\nz,A\n", to: "who.csv")
        try run("import who.csv --store s.sqlite").expect(status: 65)
    }

    @Test("migrate counts dropped values, makes the requested backup, and prints its steps as JSON on request")
    func report() throws {
        try prepare()
        let dropped = try run("migrate --store s.sqlite --drop who.squad --backup old.sqlite")
        #expect(dropped.output == "remove Who.squad\ndrop Who.squad (2 values)\n", "\(dropped.errors)")
        #expect(try run("export --entity who --store old.sqlite").output == "who,squad\nx,A\ny,B\n")
        let json = try run("migrate --store s.sqlite --add 'who.n: integer?' --format json --dry-run")
        #expect(json.output.contains(#""kind":"add""#) || json.output.contains(#""kind" : "add""#), "\(json.output)")
    }

    @Test("an impossible change of the model is an error and changes nothing")
    func errors() throws {
        try prepare()
        let before = try folder.data("s.sqlite")
        for (options, status, message) in [
            ("--rename who.nothing=x", 64, "who has no column \"nothing\""),
            ("--rename nothing.a=b", 64, "name of a dataset; the datasets are teams, players, who"),
            ("--rename who.squad=who", 64, "who already has a column \"who\""),
            ("--rename who.who", 64, "is not E.a=b"),
            ("--add who.x", 64, "is not 'E.a: TYPE'"), ("--add 'who.x: money'", 64, "is not one of text, integer"),
            ("--add 'who.who: text?'", 64, "already has a column \"who\""),
            ("--add 'who.x: integer'", 65, "is mandatory and new, but has no default"),
            ("--allow-null players.id", 64, "is the key of players"),
            ("--reference players.team_code=teams.code", 64, "is a reference already"),
            ("--reference who.who=teams.code", 65, "which no Teams has"),
            ("--unique players.on,nothing", 64, "has no column"),
            ("--index who.", 64, "has no column"), ("--drop teams", 65, "there is no resource"),
            ("", 64, "missing option"),
            ("--model teams.csv --index who.who", 64, "specify only one of them"),
        ] as [(String, Int32, String)] {
            let result = try run("migrate --store s.sqlite \(options)")
            #expect(result.status == status, "\(options): \(result.status) \(result.errors)\(result.output)")
            #expect((result.errors + result.output).contains(message), "\(options): \(result.errors)")
        }
        #expect(try folder.data("s.sqlite") == before)
    }

    @Test("migrate also changes columns added later, names with points, and join rows")
    func otherNames() throws {
        try prepare()
        try folder.write("code,title,city\nC,z,Rom\n", to: "teams.csv")
        try run("import -q teams.csv --store s.sqlite --infer").expect(status: 0)
        try run("migrate --store s.sqlite --rename TEAMS.city=town --rename teams.title=name").expect(status: 0)
        try run("migrate --store s.sqlite --drop TEAMS.town --add 'teams.n : integer?'").expect(status: 0)
        #expect(try run("export --entity teams --store s.sqlite").output == "code,name,n\nA,x,\nB,y,\nC,z,\n")
        try folder.write("c\n1\n", to: "x.csv")
        try run("import x.csv --as a --store n.sqlite -q").expect(status: 0)
        try run("import x.csv --as a.b --store n.sqlite --infer -q").expect(status: 0)
        try run("migrate --store n.sqlite --rename a.b.c=z").expect(status: 0)
        #expect(try run("export --entity a.b --store n.sqlite").output == "z\n1\n")
        try folder.write("id\n1\n2\n", to: "left.csv")
        try folder.write("id\n1\n2\n", to: "right.csv")
        try folder.write("left_id,right_id\n1,1\n1,2\n2,1\n", to: "both.csv")
        try run("import left.csv right.csv both.csv --store p.sqlite -q").expect(status: 0)
        try run("migrate --store p.sqlite --unique both.left_id").expect(status: 64)
        try run("migrate --store p.sqlite --drop both").expect(status: 0)
        #expect(try !run("model show p.sqlite").output.contains("both"))
    }

    @Test(
        "an added attribute whose default is not a value of its type is rejected",
        arguments: ["integer = abc", "integer = 1, \"x\": 2", "decimal:2 = 1.5x", "boolean = maybe", "day = soon"])
    func defaults(type: String) throws {
        try prepare()
        let result = try run("migrate --store s.sqlite --add 'who.x: \(type)'")
        #expect(result.status == 64 && result.errors.contains("the default"), "\(result.errors)")
    }

    @Test("renames that depend on each other are rejected in one command and accepted in separate commands")
    func swappedNames() throws {
        try prepare()
        let swap = try run("migrate --store s.sqlite --rename who.who=x --rename who.squad=who")
        #expect(swap.status == 64 && swap.errors.contains("two commands"), "\(swap.errors)")
        try run("migrate --store s.sqlite --rename who.who=x").expect(status: 0)
        try run("migrate --store s.sqlite --rename who.squad=who").expect(status: 0)
        #expect(try run("export --entity who --store s.sqlite").output == "x,who\nx,A\ny,B\n")
        let both = try run("migrate --store s.sqlite --rename who.who=team --reference who.team=teams.code")
        #expect(
            both.status == 64 && both.errors.contains("rename the columns with a separate command first"),
            "\(both.errors)")
        #expect(try run("migrate --store s.sqlite --allow-null who.x").output == "make-optional Who.x\n")
        #expect(try run("migrate --store s.sqlite --allow-null who.x").output == "nothing to do\n")
    }
}
