/** The style of the page: a light and a dark palette, one column for phones, and print. */
export const STYLE = `
:root {
  --paper: #fff; --sheet: #f6f7f8; --ink: #1a1d21; --soft: #59616b; --line: #d9dde2;
  --fail: #b3261e; --warn: #8f5a00; --error: #7b2fa8; --inconclusive: #1d5fb4; --not-run: #59616b;
  --observed: #0b6b7a; --pass: #1b7340;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --sheet: #1d2125; --ink: #e6e9ec; --soft: #a0a9b3; --line: #353b42;
    --fail: #ff8a80; --warn: #f2b84b; --error: #d3a1f5; --inconclusive: #8ab8f5; --not-run: #a0a9b3;
    --observed: #6fd0df; --pass: #7bd49c;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 62rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
code, pre { font: 0.875em/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
pre { margin: 0.25rem 0; padding: 0.6rem 0.75rem; background: var(--paper); border: 1px solid var(--line);
  border-radius: 4px; white-space: pre-wrap; max-height: 28rem; overflow: auto; }
h1 { margin: 0; font-size: 1.9rem; line-height: 1.2; }
h2 { margin: 2.25rem 0 0.75rem; font-size: 1.25rem; }
h3 { margin: 0; font-size: 1rem; font-weight: 600; }
h4 { margin: 0.75rem 0 0.25rem; font-size: 0.875rem; }
h4 span, .basis, .said, .status, .facts, .count, footer { color: var(--soft); font-weight: 400; }
p { margin: 0.35rem 0; }
header { padding: 1.25rem; background: var(--sheet); border-left: 6px solid var(--tone); border-radius: 4px; }
header h1 { color: var(--tone); }
.good { --tone: var(--pass); }
.bad { --tone: var(--fail); }
.unsure { --tone: var(--warn); }
.lead { font-size: 1.1rem; }
.facts, footer { font-size: 0.875rem; }
.chips { display: flex; flex-wrap: wrap; gap: 0.4rem; margin: 0.75rem 0 0; padding: 0; list-style: none; }
.badge { display: inline-block; padding: 0.05rem 0.5rem; border: 1px solid var(--tone); border-radius: 1rem;
  color: var(--tone); font-size: 0.8125rem; font-weight: 600; white-space: nowrap; }
.fail { --tone: var(--fail); } .warn { --tone: var(--warn); } .error { --tone: var(--error); }
.inconclusive { --tone: var(--inconclusive); } .not-run { --tone: var(--not-run); }
.observed { --tone: var(--observed); } .pass { --tone: var(--pass); }
article { margin: 0 0 1rem; padding: 1rem 1.1rem; background: var(--sheet); border-left: 4px solid var(--tone);
  border-radius: 4px; }
.cause { margin: 0 0 1rem; padding: 0.75rem 0.75rem 0.25rem; border: 1px solid var(--line); border-radius: 4px; }
.shared { margin: 0 0 0.6rem; font-weight: 600; }
.filters { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; margin: 0 0 1rem; }
.filters label { display: flex; gap: 0.4rem; align-items: center; color: var(--soft); }
.filters select { padding: 0.2rem 0.4rem; max-width: 14rem; background: var(--paper); color: var(--ink);
  border: 1px solid var(--soft); border-radius: 4px; font: inherit; }
@supports not selector(:has(a)) { .filters, .tally { display: none; } }
main { counter-reset: found; }
div.item { counter-increment: found; }
.tally { color: var(--soft); font-size: 0.875rem; }
.tally::before { content: counter(found) " "; }
a { color: var(--inconclusive); }
a:focus-visible, select:focus-visible, summary:focus-visible { outline: 2px solid var(--inconclusive); outline-offset: 2px; }
:target { background: var(--sheet); outline: 2px solid var(--inconclusive); }
.headline { margin: 0.5rem 0 0.75rem; font-size: 1.05rem; }
.known { color: var(--soft); font-size: 0.875rem; font-weight: 400; }
dl { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: 0.3rem 0.75rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; }
.curl { margin: 0; user-select: all; }
summary { cursor: pointer; padding: 0.3rem 0; }
.evidence { margin-top: 0.6rem; }
.exchange { margin-left: 0.5rem; padding-left: 0.75rem; border-left: 2px solid var(--line); font-size: 0.9375rem; }
.rows { margin: 0; padding: 0; list-style: none; }
.rows li { padding: 0.35rem 0; border-bottom: 1px solid var(--line); }
table { border-collapse: collapse; }
th, td { padding: 0.35rem 1.25rem 0.35rem 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }
th { font-weight: 600; }
.pairs th { font-weight: 400; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
h3.table { margin: 1.5rem 0 0.5rem; }
.matrix { font-size: 0.9375rem; }
.matrix th { font-weight: 400; } .matrix thead th { font-weight: 600; }
.matrix .all { color: var(--pass); } .matrix .some { color: var(--warn); } .matrix .none { color: var(--soft); }
.resources { margin-top: 1.25rem; }
.resources li { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem; }
.resources b { flex: 0 0 8rem; }
meter { width: 100%; max-width: 24rem; height: 1rem; }
footer { margin-top: 2.5rem; padding-top: 0.75rem; border-top: 1px solid var(--line); }
@media (max-width: 36rem) {
  body { padding: 0.6rem; }
  header { padding: 0.9rem; }
  h1 { font-size: 1.5rem; }
  article { padding: 0.8rem; }
  dl { display: block; }
  dd { margin: 0 0 0.5rem; }
  th, td { padding-right: 0.75rem; }
}
@media print {
  :root { --paper: #fff; --sheet: #fff; --ink: #000; --soft: #444; --line: #bbb; --fail: #b3261e; --warn: #7a4d00;
    --error: #6a2492; --inconclusive: #174c91; --not-run: #444; --observed: #095763; --pass: #155c33; }
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  header, article { border: 1px solid var(--line); border-left: 4px solid var(--tone); }
  h2, h3, .shared, .headline { break-after: avoid; }
  dl, .rows li, tr { break-inside: avoid; }
  pre { max-height: none; overflow: visible; }
  .filters, .tally { display: none; }
  .all::details-content, .others::details-content { content-visibility: visible; display: block; }
}
`;
