extension NameList {
    /// Icelandic names.
    ///
    /// Most family names are patronymics, of daughters and of sons.
    static let icelandic = NameList(
        code: "is",
        givenNames: [
            "Aðalsteinn", "Agnes", "Alda", "Alexander", "Andri", "Anna", "Ari", "Arna", "Arnar", "Árni", "Ása",
            "Ásdís", "Ásgeir", "Áslaug", "Ásta", "Auður", "Baldur", "Birgir", "Birna", "Birta", "Bjarki",
            "Bjarni", "Björg", "Björk", "Björn", "Bragi", "Brynhildur", "Brynja", "Dagný", "Dagur", "Davíð",
            "Edda", "Egill", "Einar", "Eiríkur", "Elín", "Elísabet", "Emil", "Erla", "Eva", "Eyþór", "Finnur",
            "Fjóla", "Freyja", "Freyr", "Friðrik", "Gísli", "Grétar", "Guðbjörg", "Guðjón", "Guðmundur",
            "Guðný", "Guðrún", "Gunnar", "Gylfi", "Halla", "Halldór", "Halldóra", "Hallgrímur", "Harpa",
            "Haukur", "Heiða", "Helga", "Helgi", "Hildur", "Hjörtur", "Hrafn", "Hrönn", "Hulda", "Íris",
            "Ingibjörg", "Ingunn", "Jóhanna", "Jóhannes", "Jón", "Jóna", "Jónas", "Karítas", "Katla", "Katrín",
            "Kolbrún", "Kristín", "Kristján", "Lára", "Lilja", "Logi", "Magnús", "María", "Margrét", "Oddný",
            "Ólafur", "Ólöf", "Orri", "Óskar", "Páll", "Pétur", "Ragnar", "Ragnheiður", "Rakel", "Rúnar",
            "Salka", "Sara", "Sigríður", "Sigrún", "Sigurður", "Sindri", "Sjöfn", "Snorri", "Sólveig",
            "Stefán", "Steinunn", "Svanhildur", "Sveinn", "Sverrir", "Sæunn", "Tómas", "Tinna", "Una", "Unnur",
            "Valgerður", "Védís", "Vigdís", "Þóra", "Þórður", "Þorsteinn", "Þórunn", "Þorvaldur", "Ævar",
            "Örn", "Ösp",
        ],
        familyNames: [
            "Aðalsteinsdóttir", "Aðalsteinsson", "Andradóttir", "Andrason", "Aradóttir", "Arason",
            "Arnarsdóttir", "Arnarsson", "Árnadóttir", "Árnason", "Ásgeirsdóttir", "Ásgeirsson",
            "Baldursdóttir", "Baldursson", "Birgisdóttir", "Birgisson", "Bjarnadóttir", "Bjarnason",
            "Björnsdóttir", "Björnsson", "Bragadóttir", "Bragason", "Briem", "Davíðsdóttir", "Davíðsson",
            "Egilsdóttir", "Egilsson", "Einarsdóttir", "Einarsson", "Eiríksdóttir", "Eiríksson", "Finnsdóttir",
            "Finnsson", "Friðriksdóttir", "Friðriksson", "Gíslason", "Gísladóttir", "Grétarsdóttir",
            "Grétarsson", "Guðjónsdóttir", "Guðjónsson", "Guðmundsdóttir", "Guðmundsson", "Gunnarsdóttir",
            "Gunnarsson", "Hafstein", "Halldórsdóttir", "Halldórsson", "Hauksdóttir", "Hauksson",
            "Helgadóttir", "Helgason", "Hjartardóttir", "Hjartarson", "Jóhannesdóttir", "Jóhannesson",
            "Jónasdóttir", "Jónasson", "Jónsdóttir", "Jónsson", "Karlsdóttir", "Karlsson", "Kristjánsdóttir",
            "Kristjánsson", "Magnúsdóttir", "Magnússon", "Möller", "Ólafsdóttir", "Ólafsson", "Óskarsdóttir",
            "Óskarsson", "Pálsdóttir", "Pálsson", "Pétursdóttir", "Pétursson", "Ragnarsdóttir", "Ragnarsson",
            "Sigurðardóttir", "Sigurðsson", "Stefánsdóttir", "Stefánsson", "Sveinsdóttir", "Sveinsson",
            "Sverrisdóttir", "Sverrisson", "Thorarensen", "Tómasdóttir", "Tómasson", "Þórðardóttir",
            "Þórðarson", "Þorsteinsdóttir", "Þorsteinsson", "Þorvaldsdóttir", "Þorvaldsson", "Zoëga",
        ]
    )
}
