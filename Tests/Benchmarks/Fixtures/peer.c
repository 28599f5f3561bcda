/* A second implementation of the employees of dataset version 1 as CSV, independent of Strata. It shows the speed that
 * the machine allows, and that the bytes depend only on the specification (seed, entity, index, tables).
 *
 * Usage: peer SEED EMPLOYEES BOSSES > employees.csv
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tables.h"

typedef unsigned __int128 wide;

static const uint64_t golden_gamma = 0x9E3779B97F4A7C15u;

static inline uint64_t mixed(uint64_t bits) {
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    return bits ^ bits >> 31;
}

static inline uint64_t below(uint64_t bits, uint64_t bound) { return (uint64_t)((wide)bits * bound >> 64); }

/* The purposes of several draws for one field. */
enum purpose { for_value = 0, for_null = 1, for_locale = 7 };

static uint64_t address(const char *name, enum purpose purpose) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (; *name; name++) hash = (hash ^ (uint8_t)*name) * 0x100000001B3u;
    return mixed(hash + purpose * golden_gamma);
}

/* Salaries: log-normal, median 52,000, sigma 0.45, limited to 18,000 and 400,000, in hundreds. */
static const int64_t median = 52000, sigma = 450000, least_salary = 18000, greatest_salary = 400000, step = 100;
static uint64_t first_probability, probabilities;

static inline int64_t quantile(uint64_t probability) {
    int upper = probability >> 63;
    uint64_t tail = upper ? ~probability : probability;
    int halvings = tail ? __builtin_clzll(tail) - 1 : 63;
    int64_t result;
    if (halvings >= 32) {
        result = normal_quantiles[1024];
    } else {
        uint64_t position = tail << (halvings + 2) >> 33;
        int place = halvings * 32 + 31 - (int)(position >> 26);
        int64_t near = normal_quantiles[place], far = normal_quantiles[place + 1];
        result = far - ((far - near) * (int64_t)(position & ((1u << 26) - 1)) >> 26);
    }
    return upper ? result : -result;
}

static inline int64_t salary_at(uint64_t probability) {
    int64_t logarithm = quantile(probability) * sigma / 1000000;
    int64_t exponent = logarithm * 1549082005 >> 30;
    int64_t whole = exponent >> 26;
    uint64_t fraction = exponent & ((1 << 26) - 1);
    uint64_t low = powers_of_two[fraction >> 18], high = powers_of_two[(fraction >> 18) + 1];
    uint64_t power = low + ((high - low) * (fraction & ((1 << 18) - 1)) >> 18);
    int64_t shift = 32 - whole;
    return (int64_t)(((wide)median * power + ((wide)1 << (shift - 1))) >> shift);
}

static inline int64_t salary(uint64_t bits) {
    int64_t value = salary_at(first_probability + below(bits, probabilities));
    if (value < least_salary) value = least_salary;
    if (value > greatest_salary) value = greatest_salary;
    value = least_salary + (value - least_salary + step / 2) / step * step;
    return value > greatest_salary ? value - step : value;
}

static void find_bounds(void) {
    uint64_t low = 0, high = UINT64_MAX;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (salary_at(middle) >= least_salary) high = middle; else low = middle + 1;
    }
    first_probability = low;
    high = UINT64_MAX;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (salary_at(middle) > greatest_salary) high = middle; else low = middle + 1;
    }
    probabilities = low - first_probability;
}

/* Hires: 1995-01-01, a Sunday, up to 2025-01-01; weights of the weekdays, Monday first. */
static const int weights[7] = {40, 20, 20, 15, 10, 1, 1};
static const int64_t first_day = -2192, day_count = 10958;
static uint64_t sums[7], all_days;

static void sum_days(void) {
    for (int offset = 0; offset < 7; offset++)
        sums[offset] = (offset ? sums[offset - 1] : 0) + weights[((first_day + offset) % 7 + 7) % 7];
    all_days = day_count / 7 * sums[6] + (day_count % 7 ? sums[day_count % 7 - 1] : 0);
}

static inline int64_t hire_day(uint64_t bits) {
    uint64_t place = below(bits, all_days), rest = place % sums[6];
    int64_t offset = 0;
    for (int day = 0; day < 6; day++) offset += rest >= sums[day];
    return first_day + (int64_t)(place / sums[6]) * 7 + offset;
}

static inline char *put(char *out, uint64_t number) {
    char digits[20];
    int count = 0;
    do digits[count++] = '0' + number % 10; while (number /= 10);
    while (count) *out++ = digits[--count];
    return out;
}

static inline char *put_text(char *out, text text) {
    memcpy(out, text.bytes, text.length);
    return out + text.length;
}

static inline char *put_padded(char *out, unsigned number, int digits) {
    for (int place = digits - 1; place >= 0; place--, number /= 10) out[place] = '0' + number % 10;
    return out + digits;
}

static inline char *put_day(char *out, int64_t day) {
    int64_t shifted = day + 730791, era = shifted / 146097;
    int64_t of_era = shifted - era * 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t from_march = (5 * of_year + 2) / 153;
    int month = (int)(from_march < 10 ? from_march + 3 : from_march - 9);
    out = put_padded(out, (unsigned)(year + era * 400 + (month <= 2)), 4);
    *out++ = '-';
    out = put_padded(out, month, 2);
    *out++ = '-';
    out = put_padded(out, (unsigned)(of_year - (153 * from_march + 2) / 5 + 1), 2);
    memcpy(out, "T00:00:00Z", 10);
    return out + 10;
}

int main(int count, char **arguments) {
    if (count != 4) return fputs("usage: peer SEED EMPLOYEES BOSSES\n", stderr), 64;
    uint64_t seed = strtoull(arguments[1], NULL, 10), rows = strtoull(arguments[2], NULL, 10);
    uint64_t bosses = strtoull(arguments[3], NULL, 10);
    uint64_t key = mixed(mixed(seed + 1 * golden_gamma) + address("Employee", for_value));
    uint64_t given = address("firstName", for_value), family = address("lastName", for_value);
    uint64_t pay = address("salary", for_value), hired = address("dateHired", for_value);
    uint64_t boss = address("boss", for_value), no_boss = address("boss", for_null), locale = address("", for_locale);
    uint64_t no_boss_threshold = 50000 * (UINT64_MAX / 1000000);
    int languages = sizeof locales / sizeof *locales;
    find_bounds();
    sum_days();

    size_t capacity = 1 << 18;
    char *buffer = malloc(capacity + 4096), *out = buffer;
    out += sprintf(out, "id,firstName,lastName,salary,dateHired,boss\n");
    for (uint64_t row = 0; row < rows; row++) {
        uint64_t base = mixed(key + (row + 1) * golden_gamma);
        int place = (int)below(mixed(base + locale), locales[languages - 1].sum), language = 0;
        while (place >= locales[language].sum) language++;
        out = put(out, row + 1);
        *out++ = ',';
        out = put_text(out, locales[language].given[below(mixed(base + given), locales[language].given_count)]);
        *out++ = ',';
        out = put_text(out, locales[language].family[below(mixed(base + family), locales[language].family_count)]);
        *out++ = ',';
        out = put(out, salary(mixed(base + pay)));
        *out++ = ',';
        out = put_day(out, hire_day(mixed(base + hired)));
        *out++ = ',';
        if (bosses && mixed(base + no_boss) >= no_boss_threshold) out = put(out, below(mixed(base + boss), bosses) + 1);
        *out++ = '\n';
        if (out - buffer >= (long)capacity) {
            fwrite(buffer, 1, out - buffer, stdout);
            out = buffer;
        }
    }
    fwrite(buffer, 1, out - buffer, stdout);
    return fflush(stdout) != 0;
}
