import { createHash } from "node:crypto";
import { escaped } from "../../platform/escaped-html.js";
import { saidHtml } from "../../platform/said-html.js";
import { formatSecond } from "../../platform/timestamp.js";
import { english, perWords, statementWords, type Words } from "../../platform/words.js";
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
  provisional: english("Provisional: it changes until the month is over and all results are final."),
  complete: english("Complete, not approved: corrections of results change it."),
  approved: english("Approved: it does not change any more."),
} as const;

/** A statement as a document to print. */
export async function* statementDocument(words: Words, report: StatementReport): AsyncGenerator<string> {
  const { shown } = report;
  yield headOf(words, report);
  let programId: string | null = null;
  for await (const sites of report.sites()) {
    for (const site of sites) {
      if (site.programId !== programId)
        yield programHead(
          words,
          shown.programs.find(({ id }) => id === site.programId),
        );
      programId = site.programId;
      yield siteOf(words, site);
    }
  }
  yield "</body></html>\n";
}

const headOf = (words: Words, report: StatementReport): string => {
  const { statement, shown, totals } = report;
  const { month, accountName: account } = statement;
  const title = escaped(words.say("Statement {month} · {account}", { month, account }));
  const version = words.say("{id}, version {version} of {at}", {
    id: statement.id,
    version: shown.version,
    at: formatSecond(shown.at),
  });
  const heads = [words.say("Currency"), ...KINDS.map(([, head]) => words.say(head))];
  return `<!doctype html>
<html lang="${words.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head><body>
<h1>${title}</h1>
<p class="small">${escaped(version)}</p>
<p class="note">${notesOf(words, report).map(escaped).join("<br>")}</p>
<h2>${saidHtml(words, english("Totals"))}</h2>${table(
    heads,
    totals.map((total) => [total.currency, ...amountCells(words, total)]),
    1,
  )}`;
};

const notesOf = (words: Words, { statement, shown, state, standing, hiddenSites }: StatementReport): string[] => [
  shown.version === standing ? words.say(STATES[state]) : words.say("This version does not stand."),
  ...(shown.note === null ? [] : [words.say("Note: {note}", { note: shown.note })]),
  ...statement.waiting.map(({ dispatchId, startMs }) =>
    words.say("Waiting for the result of {dispatch} ({start}).", {
      dispatch: dispatchId,
      start: formatSecond(startMs),
    }),
  ),
  ...(hiddenSites === 0
    ? []
    : [words.say("Sites that are left out because their data is not visible: {n}.", { n: hiddenSites })]),
];

const KINDS = [
  ["capacity", english("Capacity")],
  ["energy", english("Energy")],
  ["penalty", english("Penalties")],
  ["cap", english("Limits")],
  ["total", english("Total")],
] as const satisfies ReadonlyArray<readonly [keyof Amounts, string]>;

const amountCells = (words: Words, amounts: Amounts): string[] =>
  KINDS.map(([kind]) => decimalIn(words, amounts[kind]));

/** Amounts are exact decimals, which no number holds: only their point is another one. */
const decimalIn = (words: Words, decimal: string): string => decimal.replace(".", pointOf(words));

const pointOf = perWords(
  ({ locale }) => new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".",
);

/** @param texts number of columns before the numbers */
const table = (heads: readonly string[], rows: readonly (readonly string[])[], texts: number): string => {
  const cell = (tag: "td" | "th") => (text: string, index: number) =>
    `<${tag}${index < texts ? "" : ' class="n"'}>${escaped(text)}</${tag}>`;
  const line = (cells: readonly string[], tag: "td" | "th") => `<tr>${cells.map(cell(tag)).join("")}</tr>`;
  return `<table><thead>${line(heads, "th")}</thead><tbody>${rows.map((each) => line(each, "td")).join("")}</tbody></table>\n`;
};

const programHead = (words: Words, program: SettledProgram | undefined): string => {
  if (program === undefined) return "";
  const facts = words.say("{id}, {timezone}, terms from {month}, {currency}, version {version} of the rules", {
    id: program.id,
    timezone: program.timezone,
    month: program.fromMonth,
    currency: program.terms.currency,
    version: rulesOf(program),
  });
  return `<h2>${escaped(program.name)}</h2><p class="small">${escaped(facts)}</p>`;
};

const siteOf = (words: Words, { siteId, name, currency, amounts, lines }: SettledSite): string =>
  `<h3>${escaped(name)} · ${decimalIn(words, amounts.total)} ${currency}</h3><p class="small">${siteId}</p>${table(
    [
      words.say("Line", {}, "of a statement"),
      words.say("Dispatch", {}, "noun"),
      words.say("Explanation"),
      words.say("Quantity"),
      words.say("Price"),
      words.say("Factor"),
      words.say("Amount"),
    ],
    lines.map((line) => lineCells(words, line)),
    3,
  )}`;

const LINES: Readonly<Record<StatementLine["kind"], string>> = {
  capacity: english("capacity"),
  energy: english("energy"),
  penalty: english("penalty"),
  cap: english("cap"),
};

/** The explanation is stored in English; files and the API have it as it was approved. */
const lineCells = (words: Words, line: StatementLine): string[] => [
  words.say(LINES[line.kind]),
  line.startMs === null ? "" : `${formatSecond(line.startMs)} ${line.dispatchId ?? ""} ${resultWords(words, line)}`,
  statementWords(words, line.words, (decimal) => decimalIn(words, decimal)),
  line.quantity === null ? "" : `${decimalIn(words, line.quantity)} ${line.unit ?? ""}`,
  decimalIn(words, line.price ?? ""),
  decimalIn(words, line.factor ?? ""),
  decimalIn(words, line.amount),
];

const resultWords = (words: Words, { version }: StatementLine): string =>
  version === null ? words.say("(no result yet)") : words.say("(result {version})", { version });
