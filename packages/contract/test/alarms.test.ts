import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { withConditions, withTables } from "../src/lists/admin-tables.js";
import { alarmReasons, reasonSentence } from "../src/lists/alarm-causes.js";
import { alarmKinds, alarmsThat, alarmWords } from "../src/lists/alarms.js";

const runbook = readFileSync(new URL("../../../docs/runbook.md", import.meta.url), "utf8");
const sections = runbook.split("\n## ").slice(1);
const kindOf = (section: string): string => section.slice(0, section.indexOf("\n"));

/** What a section of the runbook lacks: a person under pressure looks for the same four parts in each. */
const partsLacking = (section: string): readonly string[] =>
  ["Raised when", "Look at.", "Do.", "Ends when"]
    .filter((part) => !new RegExp(`^\\*\\*${part}\\*\\*(?: .|\n\n[-1])`, "m").test(section))
    .map((part) => `${kindOf(section)}: ${part}`);

describe("the runbook", () => {
  test("has a section for each kind of alarm, in the order of the list, and none for what is no kind", () => {
    expect(sections.map(kindOf)).toEqual(alarmKinds);
  });

  test("says in each section what to look at, what to do, and when the alarm ends", () => {
    expect(sections.flatMap(partsLacking)).toEqual([]);
    expect(partsLacking("disk_low\n\n**Raised when** full.\n\n**Do.**\n\n**Ends when** empty.")).toEqual([
      "disk_low: Look at.",
      "disk_low: Do.",
    ]);
  });

  test("says when an alarm is raised and ends as the list does: npm run openapi writes it", () => {
    expect(withConditions(runbook)).toBe(runbook);
    expect(withConditions(runbook.replace("**Ends when** enough space is free.", "**Ends when** never."))).toBe(
      runbook,
    );
  });
});

describe("kinds of alarms", () => {
  test("are in docs/admin.md as they are in the list: npm run openapi writes them", () => {
    const page = readFileSync(new URL("../../../docs/admin.md", import.meta.url), "utf8");
    expect(withTables(page)).toBe(page);
    for (const kind of alarmKinds) expect(page).toContain(`\n| \`${kind}\` `);
  });

  test("of a newer version have no words, whatever they are called", () => {
    expect(["grid_down", "toString", ""].map(alarmWords)).toEqual([null, null, null]);
  });

  test("are told apart by what is said of them", () => {
    expect(alarmsThat(({ endsOnceSeen }) => endsOnceSeen === true)).toEqual(["notice_failed", "ven_opted_out"]);
  });

  test("are said to people in sentences without identifiers, commands and names of events", () => {
    for (const kind of alarmKinds) {
      const words = alarmWords(kind)?.words ?? "";
      expect(words.replaceAll(/\{(account|dispatch)\}/g, "Peak")).toMatch(/^[A-Z][^`_{}]{20,120}\.$/);
    }
    for (const reason of Object.keys(alarmReasons)) expect(reasonSentence(reason)).toMatch(/^[A-Z][^`_]{10,60}\.$/);
    expect(reasonSentence("of_tomorrow")).toBeNull();
  });

  test("have a title that fits into a list, and a notice that fits on a lock screen", () => {
    for (const kind of alarmKinds) {
      const { title, notice } = alarmWords(kind) ?? { title: "", notice: "" };
      expect(title).toMatch(/^[A-Z].{4,50}[^.]$/);
      expect(`Alarm over: ${notice}`).toMatch(/^.{20,120}[^.]$/);
    }
  });
});
