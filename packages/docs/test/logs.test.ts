import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { callsIn, GIVEN_MESSAGES, loggedMessages, sourcesOfMessages } from "../../../scripts/logged-messages.mjs";

const page = readFileSync(new URL("../../../docs/logs.md", import.meta.url), "utf8");
const calls = loggedMessages();
const LISTED = ["warn", "error", "fatal"];

const rowOf = (level: string, message: string): string => `${level} ${message.replaceAll("{}", "…")}`;

/** `level message` of each row of the section about messages; text with backticks has two of them around it. */
const rows = [
  ...page.slice(page.indexOf("## Messages")).matchAll(/^\| (warn|error|fatal)\s*\| (`+)\s?(.+?)\s?\2\s*\|/gm),
].map(([, level = "", , message = ""]) => `${level} ${message}`);

test("the page lists every message of level warn and above, and no others", () => {
  const logged = calls
    .filter(({ level }) => LISTED.includes(level))
    .flatMap(({ level, messages }) => messages.map((message) => rowOf(level, message)));
  expect(logged.length).toBeGreaterThan(100);
  expect([...new Set(rows)].toSorted()).toEqual([...new Set(logged)].toSorted());
});

test("every call has a message that is written next to it, or one that is listed and stands in the sources", () => {
  expect(calls.filter(({ messages }) => messages.length === 0)).toEqual([]);
  const sources = sourcesOfMessages();
  expect(
    Object.values(GIVEN_MESSAGES)
      .flat()
      .filter((message) => !sources.includes(message)),
  ).toEqual([]);
});

test("the page explains every member", () => {
  const explained = new Set([...page.matchAll(/^\| `(\w+)`\s*\|/gm)].map(([, member]) => member));
  const members = new Set(["level", "time", "pid", "msg", ...calls.flatMap((call) => call.members)]);
  expect([...members].filter((member) => !explained.has(member))).toEqual([]);
  // Of the included PostgreSQL's own lines, and of what is logged for a request.
  const others = ["component", "severity", "reqId"];
  expect([...explained].filter((member) => !members.has(member ?? "") && !others.includes(member ?? ""))).toEqual([]);
});

test("messages that the page says to alert on are among those that are listed", () => {
  const alerts = page.slice(page.indexOf("## What to alert on"), page.indexOf("## Ship the lines"));
  // Every second part is between backticks; names of levels and members have no spaces.
  const named = alerts.split("`").filter((part, at) => at % 2 === 1 && part.includes(" "));
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((message) => !rows.some((row) => row.endsWith(` ${message}`)))).toEqual([]);
});

test.for([
  ['log.warn({ a: 1 }, "b");', "warn", ["b"], ["a"]],
  [
    "this.ports.log.error({ err: error, ...facts(it) }, `c ${d} e`); const facts = () => ({ f: 1 });",
    "error",
    ["c {} e"],
    ["err", "f"],
  ],
  ['const T = "long " + "text"; logger.fatal({}, T);', "fatal", ["long text"], []],
  ['log.warn(details, isLast ? "g" : "h"); const details = { i: 1, j };', "warn", ["g", "h"], ["i", "j"]],
  [
    'const advice = (x) => { if (x) return "k l"; return "m n"; }; log.error({}, advice(1));',
    "error",
    ["k l", "m n"],
    [],
  ],
] as const)("what a call logs is read from %s", ([source, level, messages, members]) => {
  expect(callsIn("some.ts", source)).toEqual([{ file: "some.ts", level, messages, members }]);
});
