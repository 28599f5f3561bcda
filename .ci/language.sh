#!/usr/bin/env bash
# Checks the words of comments, strings, names, pages and scripts, and fails if one of these counts is too high:
# words that are never used (0), summaries that begin with a question word (0), comment lines over 120 columns (0),
# words that are used in their plain meaning only (200), and names in pages that no source has (0).
#
# Usage: .ci/language.sh [--list] [PATH...]    --list prints each finding; the paths are all tracked files by default
set -euo pipefail
cd "$(dirname "$0")/.."

list=""
if [ "${1:-}" = --list ]; then
    list=yes
    shift
fi

# Data of fixtures, quotations of others, and this program are exempt.
git ls-files -z -- "${@:-.}" |
    grep -zE '\.(swift|md|sh|h|c|awk|yml)$|(^|/)(Makefile|run)$' |
    grep -zvE '^Fixtures/|/FixtureGeneration/Words/|/Words/|^\.ci/language\.sh$|/Resources/' |
    LIST=$list xargs -0 perl -CSD -Mutf8 -e '
        my $zero = qr/\b(?:nobody|somebody|whoever|anybody|everybody|anew|spoilt|unasked|lends?|heeds?|judge[sd]?
            |leads?\ nowhere|for\ nothing|takes?\ down|unless\ given|in\ vain|who\ waits)\b/xi;
        my $watched = qr/\b(?:beside|goes|gone|mend(?:s|ed|ing)?|tells?|told|hears?|heard|stands?)\b/i;
        my $question = qr/^\s*\/\/\/ (?:What|Whether|How|Where|Which|Of|Who|So many)\b/;
        my %words;    # all words of the sources, to look for the names of pages
        for my $file (split /\0/, `git ls-files -z -- "*.swift" "*.h" "*.c" "*.sh"`) {
            open my $in, "<:encoding(UTF-8)", $file or next;
            local $/; $words{$_} = 1 for <$in> =~ /\w+/g;
        }
        my %found;
        sub found { my ($kind, $file, $number, $line) = @_;
            $found{$kind}++; $line =~ s/^\s+//; print "$kind: $file:$number: $line\n" if $ENV{LIST} }
        for my $file (@ARGV) {
            open my $in, "<:encoding(UTF-8)", $file or die "$file: $!\n";
            my $before = "";
            while (my $line = <$in>) {
                chomp $line;
                (my $spaced = $line) =~ s/(?<=[a-z0-9])(?=[A-Z])/ /g;
                found("word", $file, $., $line) for $spaced =~ /$zero/g;
                found("watched", $file, $., $line) for $spaced =~ /$watched/g;
                if ($file =~ /\.swift$/) {
                    found("summary", $file, $., $line) if $line =~ $question && $before !~ /^\s*\/\/\//;
                    found("long", $file, $., $line) if $line =~ /^\s*\/\// && length $line > 120;
                }
                if ($file =~ /\.md$/ && $file !~ /Parity|CHANGELOG|Survivors/) {
                    for my $name ($line =~ /`([A-Z]\w*[a-z]\w*)(?:[.\/(<][^`]*)?`/g) {
                        found("name", $file, $., "`$name`") unless $words{$name} || -e $name || $name eq "Sources";
                    }
                }
                $before = $line;
            }
        }
        my %limit = (word => 0, summary => 0, long => 0, watched => 200, name => 0);
        my $fails = 0;
        for my $kind (sort keys %limit) {
            my $count = $found{$kind} // 0;
            print "$kind: $count (at most $limit{$kind})\n";
            $fails ||= $count > $limit{$kind};
        }
        exit $fails;
    '
