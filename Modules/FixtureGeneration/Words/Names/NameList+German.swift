extension NameList {
    /// German names.
    static let german = NameList(
        code: "de",
        givenNames: [
            "Alexander", "Andreas", "Angelika", "Anja", "Anna", "Annegret", "Antje", "Bärbel", "Bernd",
            "Birgit", "Björn", "Brigitte", "Christian", "Christina", "Claudia", "Daniela", "Dieter", "Dirk",
            "Elke", "Emma", "Felix", "Finn", "Florian", "Frank", "Franziska", "Friederike", "Gisela",
            "Günther", "Hannah", "Hannes", "Hans", "Heike", "Heinrich", "Helga", "Ingrid", "Jan", "Jana",
            "Jens", "Jochen", "Johanna", "Jonas", "Jörg", "Jürgen", "Käthe", "Karin", "Karl-Heinz",
            "Katharina", "Klaus", "Kristin", "Lena", "Leon", "Lukas", "Manfred", "Margarete", "Markus",
            "Marlene", "Martin", "Matthias", "Maximilian", "Mia", "Michael", "Monika", "Niklas", "Nina",
            "Paul", "Petra", "Rainer", "Renate", "Rüdiger", "Sabine", "Sebastian", "Silke", "Simone", "Sophie",
            "Stefan", "Susanne", "Sören", "Thomas", "Thorsten", "Tobias", "Ursula", "Uwe", "Volker", "Werner",
            "Wolfgang",
        ],
        familyNames: [
            "Albrecht", "Arnold", "Bauer", "Baumann", "Beck", "Becker", "Berger", "Bergmann", "Böhm", "Brandt",
            "Braun", "Busch", "Dietrich", "Engel", "Fischer", "Frank", "Franke", "Friedrich", "Fuchs", "Graf",
            "Groß", "Günther", "Haas", "Hahn", "Hartmann", "Heinrich", "Herrmann", "Hoffmann", "Hofmann",
            "Horn", "Huber", "Jäger", "Jung", "Kaiser", "Keller", "Klein", "Koch", "Köhler", "König", "Krämer",
            "Kraus", "Krause", "Krüger", "Kuhn", "Kühn", "Lang", "Lange", "Lehmann", "Lorenz", "Ludwig",
            "Maier", "Martin", "Mayer", "Meier", "Meyer", "Möller", "Müller", "Neumann", "Otto", "Peters",
            "Pfeiffer", "Pohl", "Richter", "Roth", "Sauer", "Schäfer", "Schmid", "Schmidt", "Schmitt",
            "Schmitz", "Schneider", "Scholz", "Schreiber", "Schröder", "Schubert", "Schulte", "Schulz",
            "Schulze", "Schumacher", "Schuster", "Schwarz", "Seidel", "Simon", "Sommer", "Stein", "Strauß",
            "Thomas", "Vogel", "Vogt", "Voigt", "Wagner", "Walter", "Weber", "Weiß", "Werner", "Winkler",
            "Winter", "Wolf", "Wolff", "Ziegler", "Zimmermann",
        ]
    )
}
