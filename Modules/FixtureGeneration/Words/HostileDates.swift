/// Instants that often cause errors in programs.
///
/// Each instant consists of whole seconds since 2001-01-01T00:00:00Z and additional nanoseconds, which are never
/// negative. A `Date` stores the nearest `Double`. Therefore only instants near 2001 have nanoseconds, which a `Double`
/// represents there. The instants and their order are part of the dataset, so a change to them requires a new dataset
/// version.
enum HostileDates {
    /// All hostile instants, without duplicates.
    static let seconds: [(seconds: Int64, nanoseconds: Int32)] = [
        // Around the reference date, where a date is finer than a nanosecond.
        (0, 0),  // 2001-01-01T00:00:00Z, the reference date
        (0, 1),  // one nanosecond after it
        (-1, 999_999_999),  // one nanosecond before it
        (1, 0),  // one second after it
        (-1, 0),  // one second before it
        (0, 1_000_000),  // .001
        (0, 123_456_789),  // .123456789
        (0, 100_000_000),  // .1, which no Double holds exactly
        (0, 500_000_000),  // .5, which a Double holds exactly
        (0, 999_999_999),  // .999999999
        (0, 999_999),  // .000999999
        (59, 999_999_999),  // the last nanosecond of the first minute
        (-1, 500_000_000),  // half a second before it
        (-60, 1),  // a minute before it and one nanosecond
        (8_388_607, 999_999_999),  // the last nanosecond of the 97 days in which a date is that fine
        (8_388_608, 0),  // the first second in which it is not
        (8_388_608, 1),  // the first instant that a date may not hold exactly
        (-8_388_608, 0),  // as far before the reference date

        // The Unix epoch.
        (-978_307_200, 0),  // 1970-01-01T00:00:00Z
        (-978_307_201, 0),  // 1969-12-31T23:59:59Z, one second before
        (-978_307_199, 0),  // 1970-01-01T00:00:01Z, one second after

        // Leap years, and years that are none.
        (-3_187_296_000, 0),  // 1900-01-01T00:00:00Z
        (-3_182_198_401, 0),  // 1900-02-28T23:59:59Z: 1900 has no leap day
        (-3_182_198_400, 0),  // 1900-03-01T00:00:00Z, one second later
        (-26_524_800, 0),  // 2000-02-29T00:00:00Z: 2000 has one
        (-26_438_401, 0),  // 2000-02-29T23:59:59Z
        (-26_438_400, 0),  // 2000-03-01T00:00:00Z
        (-43_200, 0),  // 2000-12-31T12:00:00Z, the 366th day
        (730_902_896, 0),  // 2024-02-29T12:34:56Z
        (3_129_235_199, 0),  // 2100-02-28T23:59:59Z: 2100 has no leap day
        (3_129_235_200, 0),  // 2100-03-01T00:00:00Z, one second later

        // Ends of a year and of a counter.
        (-31_622_401, 0),  // 1999-12-31T23:59:59Z
        (-31_622_400, 0),  // 2000-01-01T00:00:00Z
        (504_921_599, 0),  // 2016-12-31T23:59:59Z, before the leap second that is not counted
        (504_921_600, 0),  // 2017-01-01T00:00:00Z, after it
        (1_169_176_447, 0),  // 2038-01-19T03:14:07Z, the end of 32 bits
        (1_169_176_448, 0),  // 2038-01-19T03:14:08Z, one second later
        (-3_125_790_848, 0),  // 1901-12-13T20:45:52Z, the beginning of 32 bits
        (-3_125_790_849, 0),  // 1901-12-13T20:45:51Z, one second earlier
        (3_316_660_096, 0),  // 2106-02-07T06:28:16Z, past 32 bits without a sign
        (576_287_982, 0),  // 2019-04-06T23:59:42Z, when the counter of weeks of GPS began again

        // Changes to and from daylight saving time.
        (731_746_799, 0),  // 2024-03-10T06:59:59Z, New York one second before spring forward
        (731_746_800, 0),  // 2024-03-10T07:00:00Z, New York springs forward
        (752_304_600, 0),  // 2024-11-03T05:30:00Z, New York 01:30 for the first time
        (752_306_400, 0),  // 2024-11-03T06:00:00Z, New York falls back
        (752_308_200, 0),  // 2024-11-03T06:30:00Z, New York 01:30 for the second time
        (733_539_599, 0),  // 2024-03-31T00:59:59Z, Berlin one second before spring forward
        (733_539_600, 0),  // 2024-03-31T01:00:00Z, Berlin springs forward
        (751_681_800, 0),  // 2024-10-27T00:30:00Z, Berlin 02:30 for the first time
        (751_683_600, 0),  // 2024-10-27T01:00:00Z, Berlin falls back
        (751_685_400, 0),  // 2024-10-27T01:30:00Z, Berlin 02:30 for the second time

        // Changes of the calendar: dates are counted in the Gregorian one, also before it was used.
        (-13_198_464_001, 0),  // 1582-10-04T23:59:59Z
        (-13_197_600_000, 0),  // 1582-10-15T00:00:00Z, the Gregorian calendar's first day
        (-7_835_529_600, 0),  // 1752-09-14T00:00:00Z, its first day in Britain

        // The years that four digits can write, and those beyond, with a sign and six digits.
        (252_423_993_599, 0),  // 9999-12-31T23:59:59Z
        (252_423_993_600, 0),  // +010000-01-01T00:00:00Z, one second later
        (-63_113_904_000, 0),  // 0001-01-01T00:00:00Z
        (-63_113_904_001, 0),  // 0000-12-31T23:59:59Z
        (-63_140_428_800, 0),  // 0000-02-29T00:00:00Z: the year 0 has a leap day
        (-63_145_526_400, 0),  // 0000-01-01T00:00:00Z
        (-63_145_526_401, 0),  // -000001-12-31T23:59:59Z, one second earlier
        (-63_177_062_400, 0),  // -000001-01-01T00:00:00Z
        (-63_266_659_200, 0),  // -000004-02-29T00:00:00Z
        (31_493_806_473_599, 0),  // +999999-12-31T23:59:59Z, the last that can be written
        (-31_620_065_904_000, 0),  // -999999-01-01T00:00:00Z, the first that can be written
    ]
}
