import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { changelogFaults, PARTS } from "../../scripts/changelog.mjs";

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
const STEP = "1. server: **Set `X`.** It has no default.";
const ITEM = "- api: Lists have an `ETag` ([how](docs/a.md)).";
const FIRST = ["## 0.1.0 (2026-11-22)", "", "### Changes", "", "- server: The first version."];

const logOf = (lines: readonly string[], released: readonly string[] = FIRST): string =>
  ["# Changelog", "", "Words before.", "", "## Unreleased", "", ...lines, "", ...released, ""].join("\n");
const changes = (...items: readonly string[]): string => logOf(["### Changes", "", ...items]);
const steps = (...items: readonly string[]): string =>
  logOf(["### Before you upgrade", "", ...items, "", "### Changes", "", ITEM]);
const long = (letters: number): string => `- api: A${"b".repeat(letters)} [how](docs/${"c".repeat(100)}.md).`;
const withHeads = (...heads: readonly string[]): string =>
  logOf(
    ["### Changes", "", ITEM],
    heads.map((head, index) => `${head}\n\n### Changes\n\n- server: Release ${index}.\n`),
  );

test("the changelog has its form: steps before an upgrade, then one line an item, by part", () => {
  expect(changelogFaults(read("CHANGELOG.md"))).toEqual([]);
});

test("the newest release of the changelog is the version of the packages", () => {
  const [, newest] = /^## (\d+\.\d+\.\d+) /m.exec(read("CHANGELOG.md")) ?? [];
  expect(JSON.parse(read("packages/server/package.json"))).toMatchObject({ version: newest });
});

test("a changelog may have nothing new, steps and items, and several releases", () => {
  expect(changelogFaults(logOf([]))).toEqual([]);
  expect(changelogFaults(steps(STEP, "2. api: **Check clients.** They get 400."))).toEqual([]);
  expect(changelogFaults(changes("- dispatches: **fixed:** A cancelled one ended.", ITEM))).toEqual([]);
  expect(changelogFaults(withHeads("## 0.10.0 (2027-01-04)", "## 0.2.0 (2026-12-01)"))).toEqual([]);
});

test.for([
  ["- Lists have an `ETag`.", "write an item as one line"],
  ["- api: Lists have.\n  an `ETag`.", "write an item as one line"],
  ["- tests: They run.", `begin with a part: ${PARTS[0]}`],
  ["- api: lists have an `ETag`.", "write whole sentences"],
  ["- api: Lists have an `ETag`", "write whole sentences"],
  ["- api: **changed:** Ids have 100 characters.", 'move it to "Before you upgrade"'],
  ["- api: **removed:** The list is gone.", 'move it to "Before you upgrade"'],
  [`${ITEM}\n- pages: The list is new.`, "move it to the other items of pages"],
  [`${ITEM}\n${ITEM}`, "remove the second one"],
] as const)("%s among the changes: %s", ([item, fault]) => {
  const faults = changelogFaults(changes(item));
  expect(faults).toEqual([expect.stringContaining(fault)]);
});

test.for([
  ["1. server: Set `X`.", "begin with what to do, in bold"],
  ["1. server: **Set `X`.** .", "begin with what to do, in bold"],
  ["2. server: **Set `X`.** It has no default.", "number it 1"],
  [`${STEP}\n3. server: **Start it.** It migrates.`, "number it 2"],
  ["- server: **Set `X`.** It has no default.", "write an item as one line"],
] as const)("%s among the steps: %s", ([item, fault]) => {
  expect(changelogFaults(steps(item))).toEqual([expect.stringContaining(fault)]);
});

test("an item has 220 characters at most, without the addresses of its links", () => {
  const fits = 220 - "api: A how.".length;
  expect(changelogFaults(changes(long(fits)))).toEqual([]);
  expect(changelogFaults(changes(long(fits + 1)))).toEqual([expect.stringContaining("shorten it to 220")]);
});

test("steps come before changes, and other sections are refused", () => {
  for (const lines of [
    ["### Changes", "", ITEM, "", "### Before you upgrade", "", STEP],
    ["### Fixes", "", ITEM],
  ])
    expect(changelogFaults(logOf(lines))).toEqual([expect.stringContaining("are its sections, in this order")]);
});

test.for([
  [["## 0.2.0"], "write ## Unreleased or"],
  [["## 0.2.0 (2026-02-30)"], "2026-02-30 is no date"],
  [["## 0.2.0 (2026-11-22)", "## 0.10.0 (2026-11-21)"], "put the newest version first"],
  [["## 0.2.0 (2026-11-21)", "## 0.1.0 (2026-11-22)"], "put the newest version first"],
  [["## 0.2.0 (2026-11-22)", "## Unreleased"], "begin with ## Unreleased"],
] as const)("%j as releases: %s", ([heads, fault]) => {
  expect(changelogFaults(withHeads(...heads))).toEqual([expect.stringContaining(fault)]);
});
