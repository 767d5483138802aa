import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}docs/decisions/`;
const files = readdirSync(folder).filter((name) => name !== "README.md");
const HEAD =
  /^# (?<number>\d+)\. (?<title>.+)\n\nDate: \d{4}-\d{2}-\d{2} · Status: (?<status>.+)\n\n(?<first>.+(?:\n.+)*)/;
const SUPERSEDED = /^superseded by \[\d+\]\(\d{4}-[a-z0-9-]+\.md\)$/;
const RELATION = /(?<=^|\.\s)(Replaces|Completes) ([^.]+(?:\.md[^.]+)*)\./g;
const MARKS = { Replaces: "partly replaced by", Completes: "completed by" } as const;

const headOf = (file: string) => HEAD.exec(readFileSync(folder + file, "utf8"))?.groups;
const numberOf = (file: string) => Number(file.slice(0, 4));
const linked = (text: string) => [...text.matchAll(/\]\((\d{4}-[a-z0-9-]+\.md)\)/g)].map(([, file = ""]) => file);

/** What the first paragraph of a decision says about earlier ones, such as "Replaces the polls of [7](0007-outbox.md)." */
const relations = files.flatMap((by) => {
  const { first = "" } = headOf(by) ?? {};
  return [...first.matchAll(RELATION)].flatMap(([, verb, what = ""]) => linked(what).map((of) => ({ by, of, verb })));
});

const marked = (file: string, verb: keyof typeof MARKS) => {
  const by = relations.filter((relation) => relation.of === file && relation.verb === verb);
  const links = by.map((relation) => `[${numberOf(relation.by)}](${relation.by})`);
  return links.length === 0 ? "" : `; ${MARKS[verb]} ${links.join(", ")}`;
};

const index = readFileSync(`${folder}README.md`, "utf8");
const byName = (one: string, other: string) => one.localeCompare(other);
const foldersOf = (path: string) =>
  readdirSync(root + path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

test.for(files)("the decision %s has a number, title, date and status", (file) => {
  expect(file).toMatch(/^\d{4}-[a-z0-9-]+\.md$/);
  const { number, status = "" } = headOf(file) ?? {};
  expect(number).toBe(String(numberOf(file)));
  const accepted = `accepted${marked(file, "Replaces")}${marked(file, "Completes")}`;
  if (!SUPERSEDED.test(status)) expect(status).toBe(accepted);
});

test("decisions are numbered without gaps", () => {
  expect(files.map(numberOf)).toEqual(files.map((_, position) => position + 1));
});

test("a decision replaces or completes earlier ones only", () => {
  expect(relations).not.toEqual([]);
  expect(relations.filter(({ by, of }) => numberOf(of) >= numberOf(by))).toEqual([]);
});

test("the index lists every decision with its title and status", () => {
  const entries = files.map((file) => {
    const { number, title, status } = headOf(file) ?? {};
    return `${number}. [${title}](${file}): ${status}`;
  });
  expect(index.split("\n").filter((line) => /^\d+\. /.test(line))).toEqual(entries);
});

test("the index lists every module and package, and each decision under one of them", () => {
  const lines = index.split("\n").filter((line) => line.startsWith("- `"));
  const names = lines.map((line) => /^- `([a-z0-9-]+)`: /.exec(line)?.[1] ?? line);
  const folders = [...foldersOf("packages/server/src"), ...foldersOf("packages")];
  expect(names.toSorted(byName)).toEqual(folders.toSorted(byName));
  expect(new Set(lines.flatMap(linked))).toEqual(new Set(files));
});
