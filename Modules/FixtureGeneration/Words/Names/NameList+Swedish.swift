extension NameList {
    /// Swedish names.
    static let swedish = NameList(
        code: "sv",
        givenNames: [
            "Agneta", "Åke", "Alexander", "Alva", "Anders", "Anna", "Annika", "Åsa", "Astrid", "Axel",
            "Barbro", "Bengt", "Berit", "Birgitta", "Björn", "Bo", "Britta", "Carina", "Cecilia", "Christer",
            "Ebba", "Elin", "Ella", "Elsa", "Emil", "Erik", "Eva", "Filip", "Fredrik", "Freja", "Greta",
            "Göran", "Gösta", "Gunilla", "Gunnar", "Gustav", "Håkan", "Hanna", "Hans", "Helena", "Henrik",
            "Hjalmar", "Hugo", "Ida", "Inger", "Ingrid", "Jan", "Jenny", "Johan", "Johanna", "Jonas", "Jörgen",
            "Josefin", "Karin", "Karl", "Kerstin", "Kjell", "Kristina", "Lars", "Lena", "Lennart", "Linnéa",
            "Linus", "Lisa", "Lovisa", "Magnus", "Maja", "Margareta", "Märta", "Mats", "Matilda", "Mikael",
            "Mona", "Nils", "Olof", "Oskar", "Östen", "Patrik", "Per", "Pernilla", "Peter", "Ragnar", "Rolf",
            "Rune", "Saga", "Sara", "Signe", "Siv", "Sofia", "Solveig", "Stefan", "Stig", "Sven", "Svante",
            "Teodor", "Torbjörn", "Tove", "Tuva", "Ulf", "Ulla", "Ulrika", "Viktor", "Wilma", "Yngve",
        ],
        familyNames: [
            "Åberg", "Åkesson", "Åkerman", "Ahlström", "Almqvist", "Andersson", "Arvidsson", "Axelsson",
            "Bengtsson", "Berg", "Berggren", "Berglund", "Bergman", "Bergqvist", "Bergström", "Björk",
            "Björklund", "Blom", "Blomqvist", "Borg", "Claesson", "Dahl", "Dahlberg", "Danielsson", "Edström",
            "Ek", "Ekblom", "Eklund", "Ekström", "Engström", "Eriksson", "Falk", "Forsberg", "Forslund",
            "Fransson", "Fredriksson", "Gunnarsson", "Gustafsson", "Hägglund", "Håkansson", "Hansson",
            "Hedberg", "Hedlund", "Hedman", "Hellström", "Henriksson", "Hermansson", "Holm", "Holmberg",
            "Holmgren", "Holmqvist", "Isaksson", "Jakobsson", "Jansson", "Johansson", "Jonasson", "Jonsson",
            "Jönsson", "Karlsson", "Larsson", "Lind", "Lindberg", "Lindgren", "Lindholm", "Lindqvist",
            "Lindström", "Löfgren", "Lund", "Lundberg", "Lundgren", "Lundin", "Lundqvist", "Lundström",
            "Magnusson", "Mårtensson", "Martinsson", "Mattsson", "Månsson", "Möller", "Nilsson", "Nordin",
            "Nordström", "Norberg", "Nyberg", "Nygren", "Nyström", "Öberg", "Öhman", "Olofsson", "Olsson",
            "Persson", "Pettersson", "Samuelsson", "Sandberg", "Sandström", "Sjöberg", "Sjögren", "Söderberg",
            "Söderström", "Ström", "Strömberg", "Sundberg", "Sundström", "Svensson", "Viklund", "Wallin",
        ]
    )
}
