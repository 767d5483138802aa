import { file, type HostileFile } from "./hostile-files.js";

const COLUMNS = "account,site,customer_location_id,dispatch_group,timezone,meter,asset_type,program,commitment_kw\n";
/** As many as an import takes. */
const LINES = 2000;
/** Texts of one beginning that are as long as a cell may be take longest to compare. */
const long = (at: number | string): string => `${"n".repeat(190)}${at}`;

/** The most lines that an import takes, or fewer if they are long. */
const lines = (name: string, line: (at: number) => string): HostileFile => ({
  name,
  text: (bytes) => file(name, (at) => (at < LINES ? `${line(at)}\n` : " ".repeat(bytes)), [COLUMNS, ""]).text(bytes),
});

/** Files of sites, for an account and a program that exist. */
export const hostileSites = (account: string, program: string): readonly HostileFile[] => [
  file("many lines of one cell", "a\n"),
  file("many lines of one cell below a header", "a\n", [COLUMNS, ""]),
  file("many empty lines", "\n", [COLUMNS, ""]),
  file("many empty lines before the header", "\n", ["", COLUMNS]),
  file("many lines of spaces", " \n", [COLUMNS, ""]),
  file("many lines of separators", ",,,,,,,,\n", [COLUMNS, ""]),
  file("long lines of separators", `${",".repeat(16_000)}\n`, [COLUMNS, ""]),
  file("long lines of spaces", `${" ".repeat(16_000)}\n`, [COLUMNS, ""]),
  file("long cells", `${"a".repeat(16_000)}\n`, [COLUMNS, ""]),
  file("a long cell", "a"),
  file("a cell of other letters", "\u20ac", [COLUMNS, ""]),
  file("one line of separators", ","),
  file("a cell of quotes", '""', ['"', '"']),
  file("cells of quotes", `"${'""'.repeat(7000)}"\n`, [COLUMNS, ""]),
  file("a cell of lines", "\n", [`${COLUMNS}"`, '"']),
  file("lines of Windows", "\r\n", [COLUMNS, ""]),
  file("a header of many columns", (at) => `c${at},`),
  lines("lines of every fault", (at) => `\u0001,\u0001,${"i".repeat(201)},\u0001,z${at},,y${at},\u0001,x${at}`),
  lines("long lines of cells with a fault", (at) => `${"a".repeat(900)}${at},,,,${"z".repeat(900)},,,,`),
  lines("sites of other accounts", (at) => `${long(at)},s,,,,m,load,,`),
  lines("sites of one new account", (at) => `${long("")},${long(at)},,,,m,load,,`),
  lines("sites of an account that exists", (at) => `${account},${long(at)},${long(at)},,,m,load,${program},1`),
  lines("sites without identifiers of an account that exists", (at) => `${account},${long(at)},,,,m,load,${program},1`),
  lines("meters of one site", (at) => `${account},${long("")},,,,${long(at)},load,${program},1`),
  lines("one meter many times", () => `${account},${long("")},,,,${long("")},load,${program},1`),
  lines("lines of a site that disagree", (at) => `${account},s,i,${long(at)},UTC,m${at},load,${long(at)},${at}`),
  lines("sites with half an identifier", (at) => `${account},s,${at % 2 === 0 ? long(at) : ""},,,m${at},load,,`),
  lines(
    "names that are almost the same",
    (at) => `${account},S${"\u00a0".repeat(1 + (at % 150))}${at % 10},,,,m${at},load,,`,
  ),
  lines("programs that do not exist", (at) => `${account},${long(at)},${at},,,m,load,${long(at)},1`),
  lines(
    "time zones in other spellings",
    (at) => `${account},${at},${at},,${at % 2 === 0 ? "europe/BERLIN" : "ASIA/kolkata"},m,load,,`,
  ),
];

/** What lists are filled with. */
const elements: ReadonlyArray<readonly [name: string, element: (at: number, isLast: boolean) => unknown]> = [
  ["ids", (at) => `site_${at}`],
  ["long ids", (at) => `site_${long(at).slice(-45)}`],
  ["ids that are the same", () => "site_1"],
  ["ids of which the last is wrong", (at, isLast) => (isLast ? 1 : `site_${at}`)],
  ["sites", (at) => ({ site_id: `site_${at}`, commitment: 1 })],
  ["sites that are the same", () => ({ site_id: "site_1" })],
  ["sites with null for all", () => ({ site_id: null, commitment: null, name: null })],
  ["wrong sites", () => ({ site_id: 1, commitment: "a" })],
  ["sites of which the last is wrong", (at, isLast) => ({ site_id: isLast ? 1 : `site_${at}` })],
];

/** Bodies whose list has as many elements as it may have, or as fit. */
export const hostileLists = (list: string, most: number): readonly HostileFile[] =>
  elements.map(([name, element]) => ({
    name: `the most ${name}`,
    text: (bytes) => {
      const count = Math.min(most, Math.floor(bytes / (JSON.stringify(element(most, false)).length + 1)));
      return JSON.stringify({ [list]: Array.from({ length: count }, (_, at) => element(at, at === count - 1)) });
    },
  }));
