extension NameList {
    /// Dutch names.
    ///
    /// Family names include lowercase prefixes, as in "van der Meer".
    static let dutch = NameList(
        code: "nl",
        givenNames: [
            "Anke", "Anne", "Annelies", "Anouk", "Arjan", "Bas", "Bart", "Bram", "Britt", "Casper", "Cees",
            "Coen", "Daan", "Danique", "Diederik", "Eline", "Els", "Erik", "Esmée", "Eva", "Femke", "Fleur",
            "Floor", "Floris", "Frederik", "Freek", "Geert", "Gerrit", "Gijs", "Hanneke", "Hendrik", "Hilde",
            "Ilse", "Ineke", "Iris", "Jaap", "Jan", "Janneke", "Jasper", "Jelle", "Jeroen", "Jesse", "Joep",
            "Johanna", "Joost", "Joris", "Julia", "Karin", "Kees", "Koen", "Lars", "Lieke", "Lisanne", "Loes",
            "Lotte", "Maarten", "Maaike", "Marieke", "Marijke", "Marit", "Mees", "Merel", "Mieke", "Milou",
            "Niels", "Noortje", "Pieter", "Renée", "Rianne", "Rik", "Roos", "Ruben", "Sanne", "Saskia", "Sem",
            "Sjoerd", "Sofie", "Stijn", "Sven", "Teun", "Thijs", "Tijn", "Tineke", "Tom", "Wietske", "Willem",
            "Wouter", "Zoë",
        ],
        familyNames: [
            "Bakker", "Blom", "Boer", "Boersma", "Bos", "Bosch", "Bosman", "Brouwer", "de Boer", "de Bruijn",
            "de Bruin", "de Graaf", "de Groot", "de Haan", "de Jong", "de Jonge", "de Koning", "de Lange",
            "de Leeuw", "de Ruiter", "de Vos", "de Vries", "de Wit", "Dekker", "Dijkstra", "Driessen", "Evers",
            "Geerts", "Gerritsen", "Groen", "Hermans", "Hoekstra", "Hendriks", "Hofman", "Huisman", "Jacobs",
            "Jansen", "Janssen", "Koster", "Kok", "Kramer", "Kuijpers", "Kuiper", "Langeveld", "Maas",
            "Martens", "Meijer", "Meulenbelt", "Molenaar", "Mulder", "Peeters", "Peters", "Postma", "Prins",
            "Sanders", "Schipper", "Scholten", "Schouten", "Smeets", "Smit", "Smits", "Timmermans", "van Beek",
            "van Dam", "van den Berg", "van den Bosch", "van den Brink", "van der Heijden", "van der Linden",
            "van der Meer", "van der Veen", "van der Velde", "van der Wal", "van Dijk", "van Dongen",
            "van Doorn", "van Leeuwen", "van Loon", "van Vliet", "Veenstra", "Verbeek", "Verhoeven", "Vermeer",
            "Vermeulen", "Visser", "Vink", "Vos", "Wagenaar", "Willems", "Willemsen", "Wolters", "Zijlstra",
        ]
    )
}
