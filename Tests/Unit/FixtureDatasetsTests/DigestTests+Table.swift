import StrataInterchange

extension DigestTests {
    /// The digests of dataset version 1, computed when this version was introduced.
    static let table: [Case] = [
        Case(
            entity: "Color", format: .csv, seed: 42, isHostile: false,
            sha256: "71bc4cbfda0b9bd8f83513293a2884a7455ab677b74586e17705e6494ecf3146"),
        Case(
            entity: "Color", format: .tsv, seed: 42, isHostile: false,
            sha256: "a297a904b67db6f9457170b9c776173d6143e8a567c028cd58d855d1ae7c4a6d"),
        Case(
            entity: "Color", format: .json, seed: 42, isHostile: false,
            sha256: "92c0ad3c0fdaa62f572e8fdebb576f27f2097b1611f0413ea69d29ceeceb6dbb"),
        Case(
            entity: "Color", format: .ndjson, seed: 42, isHostile: false,
            sha256: "642bbad2895006fca73e5401f6f9feb24fbff4a89777bfb98de48c487e420c10"),
        Case(
            entity: "Boss", format: .csv, seed: 42, isHostile: false,
            sha256: "632a4ace70a8298ecf02842690056c98f2140980d5d7f19ac8f50dc840b828bc"),
        Case(
            entity: "Boss", format: .tsv, seed: 42, isHostile: false,
            sha256: "e332272fee20f8660b74730488e7ffeb5d42011f8a24ec55f2d0defa7dd8fa4e"),
        Case(
            entity: "Boss", format: .json, seed: 42, isHostile: false,
            sha256: "7888d350339aa9e32967ba40e5832cc4e09fd5437be59295a2feeb5ef72f1311"),
        Case(
            entity: "Boss", format: .ndjson, seed: 42, isHostile: false,
            sha256: "0d3fc6100a09ecb778e27d5726d403715f6d1e0794fc01d6f4b8960eb4bac338"),
        Case(
            entity: "Employee", format: .csv, seed: 42, isHostile: false,
            sha256: "1884bb2a686659891419e3299f217acab2cd098293a15079179aa29187a109ec"),
        Case(
            entity: "Employee", format: .tsv, seed: 42, isHostile: false,
            sha256: "3a51b18139d6a878f209d42115e4e1e1b046c629c2e0c145d635ea918c8271e8"),
        Case(
            entity: "Employee", format: .json, seed: 42, isHostile: false,
            sha256: "ec2eb46c51ddd6d07f773ab2549273161660a1f99e4d53e010e34777c1409122"),
        Case(
            entity: "Employee", format: .ndjson, seed: 42, isHostile: false,
            sha256: "bdcdfe8373a40867f26a64d273a248976a27f85d64d319ec5d9eca2ed668890f"),
        Case(
            entity: "Item", format: .csv, seed: 42, isHostile: false,
            sha256: "8fdffe7f5515005c868e98478fef02bbbeb15fa7672750663d526bfbc6d30870"),
        Case(
            entity: "Item", format: .tsv, seed: 42, isHostile: false,
            sha256: "b6b638508d3542c00688fc093cf4028856aa4060a2c597ee412d5afedecdb4ff"),
        Case(
            entity: "Item", format: .json, seed: 42, isHostile: false,
            sha256: "e4e386d7ba6bd1a3a401aaca236aea0f0dc3a03959e1129d5f7494eca399667e"),
        Case(
            entity: "Item", format: .ndjson, seed: 42, isHostile: false,
            sha256: "a8122be4502870fd41ea6a8ceb0311845b6fa878b72490c1ec71f9e10f8a514d"),
        Case(
            entity: "Color", format: .csv, seed: 0, isHostile: false,
            sha256: "6dd9e1ab3abe506d0f68af34778775ce4ccf6cf6bb5778200aca8a75bb44f2cd"),
        Case(
            entity: "Boss", format: .csv, seed: 0, isHostile: false,
            sha256: "d1d39db9c79586567a483d8da9561e90161881cda61db468c301f2461aed8a90"),
        Case(
            entity: "Employee", format: .csv, seed: 0, isHostile: false,
            sha256: "ade25766589066402c99a1c5a1e1ff5b5b7ec8681bdab727f63c0927636442c4"),
        Case(
            entity: "Item", format: .csv, seed: 0, isHostile: false,
            sha256: "11452d34fd6d19da6b08a4d96194440781b538599a93be4055f4b65085cb0784"),
        Case(
            entity: "Color", format: .csv, seed: 18_446_744_073_709_551_615, isHostile: false,
            sha256: "43d2c78265a6c5ca84122d2c7c0063fd28067314bd1fd36d3a2774aab316fb03"),
        Case(
            entity: "Boss", format: .csv, seed: 18_446_744_073_709_551_615, isHostile: false,
            sha256: "262226227b6f25d703debbcd3e184a10fb451300416a1794d4ce650f19bf9fea"),
        Case(
            entity: "Employee", format: .csv, seed: 18_446_744_073_709_551_615, isHostile: false,
            sha256: "0787011b8fe7b66192115ca27d04dd64bf607340abad275d1dcdd95f40df1804"),
        Case(
            entity: "Item", format: .csv, seed: 18_446_744_073_709_551_615, isHostile: false,
            sha256: "40b3a2a4e5004dadfc58237f24e2410049e92671edc4a4ff12d5b46d1e21dafa"),
        Case(
            entity: "Color", format: .csv, seed: 42, isHostile: true,
            sha256: "9aeebd78ddfc2db45cc3d2f790b79b6be53de21d4770d70b82e586b07d8082f0"),
        Case(
            entity: "Color", format: .tsv, seed: 42, isHostile: true,
            sha256: "4b131b4d3579f3cfdd40a787f1e91ba1b59f6ea6c5e5ed6f95193f8ce1ebd05b"),
        Case(
            entity: "Color", format: .json, seed: 42, isHostile: true,
            sha256: "73c5c78e2dfe4a5412cb480a93446848a50e8a289224bca68760be4ebbdeb009"),
        Case(
            entity: "Color", format: .ndjson, seed: 42, isHostile: true,
            sha256: "2ab33170982d791ce06817b38be0f7d4f175b450f5876e742a442455401800da"),
        Case(
            entity: "Boss", format: .csv, seed: 42, isHostile: true,
            sha256: "fbea611b4a18606b830dfcf094f8916d17eddb5cc6e4887abed85e8dfbe4ff87"),
        Case(
            entity: "Boss", format: .tsv, seed: 42, isHostile: true,
            sha256: "29a0c0dee429cdc50a5eb61ed6e082345499a40be3211b446e6b3bf39b547e44"),
        Case(
            entity: "Boss", format: .json, seed: 42, isHostile: true,
            sha256: "b6b41c6ea3541ef6121c2ec748bdad7a196a7ae5243586919d2eaf574bcb45a5"),
        Case(
            entity: "Boss", format: .ndjson, seed: 42, isHostile: true,
            sha256: "f8be79287db8c6a91a50f914f02bb8d8216d5cafafea41318e574ff4d42bf5e1"),
        Case(
            entity: "Employee", format: .csv, seed: 42, isHostile: true,
            sha256: "fe3f97018919a02b434cecd724f413bf920c2c3e2104b05989bb588afea69b1d"),
        Case(
            entity: "Employee", format: .tsv, seed: 42, isHostile: true,
            sha256: "6256571c227046e1c2ec769ff3e5e42c822c9872cb3c3300aa2fb28d4f25b68b"),
        Case(
            entity: "Employee", format: .json, seed: 42, isHostile: true,
            sha256: "9e551eb240de8a14c2b74e98d02b94c87b138f47da329b18a47492669646c6a3"),
        Case(
            entity: "Employee", format: .ndjson, seed: 42, isHostile: true,
            sha256: "378dcfba82d0cfc71297e4c5ecef6b17df39ff002c5524afe6341e43880f90e3"),
        Case(
            entity: "Item", format: .csv, seed: 42, isHostile: true,
            sha256: "851fd62e62b04d2ccc728c7f766b1151c97694b490f93678e8b604aca12f8ae5"),
        Case(
            entity: "Item", format: .tsv, seed: 42, isHostile: true,
            sha256: "57f0ff77363ecab72c78682276145a3a679ff9bd77b8b30511531341db00b732"),
        Case(
            entity: "Item", format: .json, seed: 42, isHostile: true,
            sha256: "8bffe81a79bb7ba68cc36c9deb0e36a693e1504e0974451978cdf68e2aad0438"),
        Case(
            entity: "Item", format: .ndjson, seed: 42, isHostile: true,
            sha256: "51f28ad97443c890e3058b7a9bc917bd4fc9cc80978251b34a58a4f26d1da41f"),
        Case(
            entity: "Color", format: .csv, seed: 0, isHostile: true,
            sha256: "177fe17974f3521d142365fa1b937dededa74ba130bb4da2126dfead85c11298"),
        Case(
            entity: "Boss", format: .csv, seed: 0, isHostile: true,
            sha256: "1fc6df28444e933cccc3350e0533652ddd6a4e881ff3163b796fc0acc9d8e692"),
        Case(
            entity: "Employee", format: .csv, seed: 0, isHostile: true,
            sha256: "fab4e1abc4abf7bb99a6db7aa551bccf8a21159d7c2f58313dac7d2f350fa549"),
        Case(
            entity: "Item", format: .csv, seed: 0, isHostile: true,
            sha256: "06c96c96a1bcb1315aa958aa40ea16b70f1c38cbcbcd2d41e0dc22b7668f16ca"),
        Case(
            entity: "Color", format: .csv, seed: 18_446_744_073_709_551_615, isHostile: true,
            sha256: "c5e29a2fd634a5404465e7747709b903739413922bf792661fe1c8b8244a026e"),
        Case(
            entity: "Boss", format: .csv, seed: 18_446_744_073_709_551_615, isHostile: true,
            sha256: "09d7b4640f58de865178b1346255e7da4a8f4dd7e4ff34a141f76d4e547899f8"),
        Case(
            entity: "Employee", format: .csv, seed: 18_446_744_073_709_551_615, isHostile: true,
            sha256: "a6e1a12dcdcdf04eda09387b711b8962bb96fe0020fb70c1f61b52b63eb19841"),
        Case(
            entity: "Item", format: .csv, seed: 18_446_744_073_709_551_615, isHostile: true,
            sha256: "c12c90acfadc551b3a35b22ff8b5f04328dd96aad64688253cfcda5dd29fd518"),
    ]

    /// The digests of the colors, bosses, employees and items of the test's description.
    static let described = [
        "40579e48a4c3fc9aff5ffce9011ae958997d3f92eb08182eff4206d7de09ad97",
        "35213b2511199ada90763bb53816211865c43f65495c4e229eddf6252e43e140",
        "b1d7343359a45b8a03409177a74f5ff4fde2fdfb489c04756a37341abd5a86e8",
        "b229175fe3c3aed12fe75e47ea25938216323c93efec315177d086e13b240611",
    ]
}
