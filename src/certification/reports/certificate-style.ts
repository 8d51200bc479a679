/** The style of the certificate: a sheet of paper on a screen, and the same sheet from a printer. */
export const CERTIFICATE_STYLE = `
:root {
  --desk: #eef1ee; --paper: #fff; --ink: #16211b; --soft: #55635b; --line: #d5ddd7; --frame: #1b7340;
  --pass: #1b7340; --fail: #b3261e; --unsure: #8f5a00;
}
@media (prefers-color-scheme: dark) {
  :root { --desk: #0d1210; --paper: #151c18; --ink: #e5ebe7; --soft: #9fada5; --line: #2f3a34; --frame: #7bd49c;
    --pass: #7bd49c; --fail: #ff8a80; --unsure: #f2b84b; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; background: var(--desk); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main, footer { display: flow-root; max-width: 52rem; margin: 0 auto; padding: 0 3rem;
  background: var(--paper); }
header { padding-top: 3rem; border-top: 8px solid var(--tone); border-radius: 6px 6px 0 0; text-align: center; }
footer { padding-bottom: 3rem; border-radius: 0 0 6px 6px; color: var(--soft); font-size: 0.875rem; }
.good { --tone: var(--pass); } .bad { --tone: var(--fail); } .unsure { --tone: var(--unsure); }
.kind { margin: 0; color: var(--soft); font-size: 0.8125rem; letter-spacing: 0.16em; text-transform: uppercase; }
h1 { margin: 0.5rem 0 0; font-size: 2.25rem; line-height: 1.15; }
.client { margin: 0.75rem 0 0; color: var(--soft); }
.seal { width: 6rem; height: 6rem; margin: 1.5rem auto 0; color: var(--tone); }
.verdict { margin: 0.5rem 0 0; color: var(--tone); font-size: 1.5rem; font-weight: 650; }
.lead { margin: 0.25rem auto 0; max-width: 36rem; }
.figures { display: flex; flex-wrap: wrap; justify-content: center; gap: 0.5rem 2.5rem; margin: 1.75rem 0 0; padding: 0;
  list-style: none; }
.figures b { display: block; font-size: 1.75rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.figures li { color: var(--soft); font-size: 0.875rem; }
.figures b { color: var(--ink); }
h2 { margin: 2.5rem 0 0.75rem; padding-bottom: 0.35rem; border-bottom: 1px solid var(--line); font-size: 1.125rem; }
h3 { margin: 1.25rem 0 0.25rem; font-size: 0.9375rem; }
code { font: 0.875em/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.count { color: var(--soft); font-weight: 400; }
dl { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 0.35rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; }
ul.rows { margin: 0; padding: 0; list-style: none; }
ul.rows li { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: 0.75rem; padding: 0.4rem 0;
  border-bottom: 1px solid var(--line); }
ul.rows small { display: block; color: var(--soft); font-size: 0.875rem; }
.mark { color: var(--tone); font-size: 0.8125rem; font-weight: 650; line-height: 1.85; white-space: nowrap; }
.mark.pass { --tone: var(--pass); } .mark.fail { --tone: var(--fail); } .mark.not-seen { --tone: var(--unsure); }
.command { margin: 0.5rem 0; padding: 0.6rem 0.75rem; border: 1px solid var(--line); border-radius: 4px; }
p { margin: 0.5rem 0; }
@media (max-width: 40rem) {
  body { padding: 0; }
  header, main, footer { padding-left: 1.1rem; padding-right: 1.1rem; border-radius: 0; }
  h1 { font-size: 1.75rem; }
  dl { display: block; }
  dd { margin: 0 0 0.5rem; }
}
@page { margin: 16mm; }
@media print {
  :root { color-scheme: light; --desk: #fff; --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --pass: #155c33;
    --fail: #b3261e; --unsure: #7a4d00; }
  body { padding: 0; font-size: 10pt; }
  header, main, footer { max-width: none; padding-left: 0; padding-right: 0; }
  header { padding-top: 8mm; border-top-width: 3mm; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  h2, h3 { break-after: avoid; }
  ul.rows li, dl, .figures { break-inside: avoid; }
}
`;
