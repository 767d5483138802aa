import { createHash } from "node:crypto";
import { escaped } from "../../platform/escaped-html.js";
import { formatSecond } from "../../platform/timestamp.js";
import {
  type Amounts,
  rulesOf,
  type SettledProgram,
  type SettledSite,
  type StatementLine,
} from "../domain/statement.js";
import type { StatementReport } from "../operations/view-statement.js";

const style = `
@page { margin: 15mm; }
:root { font: 10pt/1.4 system-ui, sans-serif; color: #111; background: #fff; }
body { max-width: 190mm; margin: 1rem auto; }
h1 { font-size: 16pt; margin: 0; } h2 { font-size: 12pt; margin: 1.5em 0 .3em; } h3 { font-size: 10pt; margin: 1em 0 .2em; }
table { width: 100%; border-collapse: collapse; } th, td { padding: .15em .4em; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid #111; font-weight: 600; } td { border-bottom: 1px solid #ddd; overflow-wrap: anywhere; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr { break-inside: avoid; } thead { display: table-header-group; } h2, h3 { break-after: avoid; }
.note { border: 1px solid #111; padding: .4em .6em; } .small { font-size: 8pt; color: #444; }`;

/** The document runs nothing and loads nothing. */
export const documentHeaders = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  "x-content-type-options": "nosniff",
};

const STATES = {
  provisional: "Provisional: it changes until the month is over and all results are final.",
  complete: "Complete, not approved: corrections of results change it.",
  approved: "Approved: it does not change any more.",
} as const;

/** A statement as a document to print. */
export async function* statementDocument(report: StatementReport): AsyncGenerator<string> {
  const { shown } = report;
  yield headOf(report);
  let programId: string | null = null;
  for await (const sites of report.sites()) {
    for (const site of sites) {
      if (site.programId !== programId) yield programHead(shown.programs.find(({ id }) => id === site.programId));
      programId = site.programId;
      yield siteOf(site);
    }
  }
  yield "</body></html>\n";
}

const headOf = (report: StatementReport): string => {
  const { statement, shown, totals, state, standing, hiddenSites } = report;
  const title = `Statement ${statement.month} · ${escaped(statement.accountName)}`;
  const notes = [
    shown.version === standing ? STATES[state] : "This version does not stand.",
    ...(shown.note === null ? [] : [`Note: ${shown.note}`]),
    ...statement.waiting.map(
      ({ dispatchId, startMs }) => `Waiting for the result of ${dispatchId} (${formatSecond(startMs)}).`,
    ),
    ...(hiddenSites === 0 ? [] : [`Sites that are left out because their data is not visible: ${hiddenSites}.`]),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head><body>
<h1>${title}</h1>
<p class="small">${statement.id}, version ${shown.version} of ${formatSecond(shown.at)}</p>
<p class="note">${notes.map(escaped).join("<br>")}</p>
<h2>Totals</h2>${table(
    ["Currency", ...KINDS.map(([, head]) => head)],
    totals.map((total) => [total.currency, ...amountCells(total)]),
    1,
  )}`;
};

const KINDS = [
  ["capacity", "Capacity"],
  ["energy", "Energy"],
  ["penalty", "Penalties"],
  ["cap", "Limits"],
  ["total", "Total"],
] as const satisfies ReadonlyArray<readonly [keyof Amounts, string]>;

const amountCells = (amounts: Amounts): string[] => KINDS.map(([kind]) => amounts[kind]);

/** @param words number of columns before the numbers */
const table = (heads: readonly string[], rows: readonly (readonly string[])[], words: number): string => {
  const cell = (tag: "td" | "th") => (text: string, index: number) =>
    `<${tag}${index < words ? "" : ' class="n"'}>${escaped(text)}</${tag}>`;
  const line = (cells: readonly string[], tag: "td" | "th") => `<tr>${cells.map(cell(tag)).join("")}</tr>`;
  return `<table><thead>${line(heads, "th")}</thead><tbody>${rows.map((each) => line(each, "td")).join("")}</tbody></table>\n`;
};

const programHead = (program: SettledProgram | undefined): string =>
  program === undefined
    ? ""
    : `<h2>${escaped(program.name)}</h2><p class="small">${program.id}, ${escaped(program.timezone)}, terms from ${program.fromMonth}, ${program.terms.currency}, version ${rulesOf(program)} of the rules</p>`;

const siteOf = ({ siteId, name, currency, amounts, lines }: SettledSite): string =>
  `<h3>${escaped(name)} · ${amounts.total} ${currency}</h3><p class="small">${siteId}</p>${table(
    ["Line", "Dispatch", "Explanation", "Quantity", "Price", "Factor", "Amount"],
    lines.map(lineCells),
    3,
  )}`;

const lineCells = (line: StatementLine): string[] => [
  line.kind,
  line.startMs === null ? "" : `${formatSecond(line.startMs)} ${line.dispatchId ?? ""} ${resultWords(line)}`,
  line.words,
  line.quantity === null ? "" : `${line.quantity} ${line.unit ?? ""}`,
  line.price ?? "",
  line.factor ?? "",
  line.amount,
];

const resultWords = ({ version }: StatementLine): string =>
  version === null ? "(no result yet)" : `(result ${version})`;
