/// A guide to writing a model, for users who have data but do not know models yet.
enum ModelGuide {
    static let guide = HelpGuide(
        title: "A model of your own",
        blocks: [
            .text(
                "A model describes your data: the tables, the type of each column, the allowed values, and the columns "
                    + "that refer to other tables. With a model in a file, import, check, show, update, export, report "
                    + "and generate work for your own data. For example, you have these two files:"),
            .lines(people), .lines(books),
            .text("Describe them in library.json:"),
            .lines(model),
            .text(
                "Each resource is a table. A field has a name, which is the header of its column, and a type: string, "
                    + "integer, number, boolean, date, time or datetime. Constraints are rules: required, unique, "
                    + "minimum, maximum, minLength, maxLength, pattern, enum. A primary key identifies a row. A "
                    + "foreign key states that a field contains the key of a row of another table; a record cannot be "
                    + "imported if that row does not exist. A field can be empty if it is not required."),
            .text("Then:"),
            .lines([
                "strata model check library.json",
                "strata import people.csv books.csv --model library.json --store library.sqlite",
                "strata show --entity books --store library.sqlite --where 'lentTo.name = \"Ada\"'",
                "strata export --all --store library.sqlite --output copy",
                "strata generate --model library.json --count 100 --output made-up",
            ]),
            .text(
                "The store contains the model: only the command that creates the store needs --model. In conditions, "
                    + "sort orders and assignments, the name of a column has no spaces and signs (lent to is lentTo); "
                    + "strata model show prints these names. If a file is invalid, the error message states the "
                    + "location and the rule, and nothing is stored."),
            .text(
                "The format is that of Data Packages (https://datapackage.org), which other tools read too. Properties "
                    + "that it does not have begin with strata:, as \"strata:scale\": 2 for amounts of money. All "
                    + "properties are in the documentation of StrataModelFiles, A model in a file."
            ),
        ])

    static let people = ["people.csv:", "  card,name,born", "  A7,Ada,1815-12-10", "  A9,Alan,1912-06-23"]
    static let books = [
        "books.csv:", "  isbn,title,price,lent to", "  0451450523,Neuromancer,9.90,A7", "  0140449132,Faust,12.50,",
    ]
    static let model = [
        "{\"resources\": [",
        "  {\"name\": \"people\", \"path\": \"people.csv\", \"schema\": {",
        "    \"fields\": [",
        "      {\"name\": \"card\", \"type\": \"string\"},",
        "      {\"name\": \"name\", \"type\": \"string\", \"constraints\": {\"required\": true}},",
        "      {\"name\": \"born\", \"type\": \"date\"}],",
        "    \"primaryKey\": [\"card\"]}},",
        "  {\"name\": \"books\", \"path\": \"books.csv\", \"schema\": {",
        "    \"fields\": [",
        "      {\"name\": \"isbn\", \"type\": \"string\", \"constraints\": {\"pattern\": \"[0-9]{9}[0-9X]\"}},",
        "      {\"name\": \"title\", \"type\": \"string\", \"constraints\": {\"required\": true}},",
        "      {\"name\": \"price\", \"type\": \"number\", \"strata:scale\": 2},",
        "      {\"name\": \"lent to\", \"type\": \"string\"}],",
        "    \"primaryKey\": [\"isbn\"],",
        "    \"foreignKeys\": [{\"fields\": [\"lent to\"],",
        "      \"reference\": {\"resource\": \"people\", \"fields\": [\"card\"]}}]}}",
        "]}",
    ]
}
