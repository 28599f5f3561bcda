/// The style of the page, with system fonts, for light and dark mode, for phones, desktop screens and paper.
///
/// The colors are variables, with other values for dark mode. A table that is too wide scrolls in its own frame, so
/// that the page itself does not scroll horizontally.
enum Stylesheet {
    /// The style sheet, without `<` and `&`, which XML would interpret as markup.
    static let css = """

        :root {
          color-scheme: light dark;
          --paper: #fffefb; --ink: #1f2124; --muted: #5a5f66; --line: #dedad2; --bar: #3d6c9e; --pale: #b9c9da;
          --mark: #b1281c; --link: #1d5690;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #16181b; --ink: #e8e6e1; --muted: #a6abb2; --line: #383d43; --bar: #79a9d8; --pale: #3f5163;
            --mark: #ff8f80; --link: #8fbdec;
          }
        }
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        body {
          margin: 0 auto; max-width: 68rem; padding: 1.5rem 1rem 3rem; background: var(--paper); color: var(--ink);
          font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
          font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
        }
        h1, h2 { font-family: "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif; font-weight: 600; }
        h1 { margin: 0; font-size: 2rem; line-height: 1.2; }
        h2 { margin: 3rem 0 .75rem; border-top: 1px solid var(--line); padding-top: 1rem; font-size: 1.5rem; }
        h3 { margin: 0; font-size: 1.0625rem; line-height: 1.3; }
        small { color: var(--muted); font: 400 .875rem system-ui, sans-serif; white-space: nowrap; }
        h2 small { margin-left: .25rem; font-size: 1rem; }
        a { color: var(--link); text-underline-offset: .15em; }
        p { margin: .25rem 0 .75rem; max-width: 44rem; }
        .lead { margin-bottom: 1.25rem; color: var(--muted); font-size: 1.125rem; }
        .muted, figcaption p, footer { color: var(--muted); }
        figcaption p { margin-bottom: .5rem; font-size: .875rem; }
        footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .75rem; font-size: .875rem; }
        :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }

        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; font-size: .875rem; }
        th, td { padding: .2rem .5rem .2rem 0; text-align: left; vertical-align: baseline; font-weight: 400; }
        thead th { color: var(--muted); font-size: .8125rem; white-space: nowrap; }
        tbody tr { border-top: 1px solid var(--line); }
        th.text { min-width: 6rem; }
        td.text { color: var(--muted); font-size: .8125rem; }
        .number { text-align: right; white-space: nowrap; }
        td.bar { width: 22%; min-width: 1.75rem; padding-right: 0; vertical-align: middle; }
        .bar span { display: block; height: .5rem; background: var(--bar); }
        section table, nav table, figure table { width: 100%; max-width: 44rem; }

        .figures {
          display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 25rem), 1fr)); gap: 2.25rem 3rem;
          margin-top: 2rem; align-items: start;
        }
        figure { margin: 0; min-width: 0; }
        .wide { grid-column: 1 / -1; }
        dl { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0 0 .75rem; }
        dt { color: var(--muted); font-size: .8125rem; line-height: 1.2; }
        dd { margin: 0; }
        details { margin-top: .5rem; }
        summary { cursor: pointer; }
        figure > details > summary { color: var(--link); font-size: .875rem; }

        .plot { display: grid; grid-template-columns: var(--gutter) 1fr; padding: .5rem .75rem 0 0; font-size: .75rem; }
        .plot svg { display: block; width: 100%; height: 9rem; overflow: visible; }
        .y, .x { position: relative; color: var(--muted); line-height: 1rem; white-space: nowrap; }
        .y span { position: absolute; right: .75ch; transform: translateY(50%); }
        .x { grid-column: 2; height: 1.25rem; margin-top: .25rem; }
        .x span { position: absolute; transform: translateX(-50%); }
        .wider { display: none; }
        .bars { fill: var(--bar); }
        .pale { fill: var(--pale); }
        .grid, .halo, .median { fill: none; stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
        .halo { stroke: var(--paper); stroke-width: 5; }
        .median { stroke: var(--mark); stroke-width: 2; }
        .strip { display: block; width: 100%; height: 2.5rem; margin: .25rem 0 .5rem; }

        .model { display: block; margin: .5rem 0 1rem; font-size: 12px; }
        .model rect { fill: var(--paper); stroke: var(--muted); }
        .model text { fill: var(--ink); }
        .model .head { font-weight: 600; font-size: 13px; }
        .model .name {
          fill: var(--muted); text-anchor: middle; paint-order: stroke; stroke: var(--paper); stroke-width: 4px;
        }
        .model .line, .model .signs { fill: none; stroke: var(--link); stroke-width: 1.25; }
        .model .optional { stroke-dasharray: 5 3; }

        .swatches, .tree, .tree ul { margin: 0; padding: 0; list-style: none; }
        .family { margin: 0; border-top: 1px solid var(--line); padding: .2rem 0; font-size: .9375rem; }
        .family .ribbon { float: right; display: flex; width: 55%; height: 1.125rem; margin-top: .15rem; }
        .ribbon, .strip { outline: 1px solid var(--line); }
        .ribbon span { flex: 1; }
        .ribbon span, .chip {
          forced-color-adjust: none; print-color-adjust: exact; -webkit-print-color-adjust: exact;
        }
        .swatches {
          display: grid; grid-template-columns: repeat(auto-fill, minmax(8.75rem, 1fr)); gap: .5rem .75rem;
          padding: .5rem 0 .75rem;
        }
        .swatches li {
          display: grid; grid-template-columns: 2.5rem 1fr; column-gap: .5rem; align-content: start;
          font-size: .8125rem; line-height: 1.3;
        }
        .chip { grid-row: span 3; height: 2.25rem; border: 1px solid var(--line); border-radius: .2rem; }
        code { color: var(--muted); font: .8125rem ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }

        .tree > li { border-top: 1px solid var(--line); padding: .2rem 0; }
        .tree details { margin: 0; }
        .tree summary .count { float: right; margin-left: 1rem; }
        .tree summary .bar { display: block; margin: .15rem 0 .1rem 1rem; }
        .tree summary .bar span { height: .25rem; }
        .tree ul { margin: .25rem 0 .5rem .3rem; border-left: 1px solid var(--line); }
        .tree ul li { position: relative; padding-left: 1.25rem; font-size: .9375rem; }
        .tree ul li::before {
          content: ""; position: absolute; left: 0; top: .75em; width: .9rem; border-top: 1px solid var(--line);
        }
        .tree .more { color: var(--muted); font-size: .875rem; }

        @media (max-width: 29.99rem) {
          .dense .bar { display: none; }
        }
        @media (min-width: 30rem) {
          .wider { display: block; }
          .narrow { display: none; }
        }
        @media (min-width: 48rem) {
          body { padding: 2.5rem 2rem 4rem; }
          table { font-size: .9375rem; }
          th, td { padding-right: .75rem; }
          .tree ul { columns: 2; column-gap: 2rem; }
          .tree ul li { break-inside: avoid; }
        }
        @media print {
          :root { --paper: #fff; --ink: #000; --muted: #444; --line: #bbb; --bar: #555; --pale: #ccc; --mark: #000; }
          body { max-width: none; padding: 0; font-size: 10pt; }
          figure, tr { break-inside: avoid; }
          .wide { break-inside: auto; }
          .bar span, .strip { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
          a { color: inherit; text-decoration: none; }
        }

        """
}
