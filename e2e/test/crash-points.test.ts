import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@curtail/docs";
import { expect, test } from "vitest";

// A point whose statement has another name by now is never reached: its test waits until its time is over.
const crashAt = readFileSync(join(root, "packages/testing/preload/crash-at.mjs"), "utf8");
const folder = join(root, "packages/server/src");
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => readFileSync(join(folder, path), "utf8"))
  .join("\n");

/** What statements are told by: their names, and parts of their texts. */
const told = [
  ...crashAt.matchAll(/\bname === "([^"]+)"|\btakes\("([^"]+)"|(?:includes|startsWith)\("([a-z][^"]+)"\)/g),
].map((found) => found[1] ?? found[2] ?? found[3] ?? "");

/** Names that are made of others: `delete-site-in-${table}`. */
const made = [...sources.matchAll(/`([a-z-]+-)\$\{[\w.]+\}`/g)].map(([, start = ""]) => start);

const isMade = (text: string): boolean =>
  made.some((start) => text.startsWith(start) && sources.includes(`"${text.slice(start.length)}"`));
const isThere = (text: string): boolean => sources.includes(text) || isMade(text);

test("each statement that a crash point waits for is in the service", () => {
  expect(told.length).toBeGreaterThan(10);
  expect(told).toContain("delete-site-in-telemetry_hours");
  expect(told.filter((text) => !isThere(text))).toEqual([]);
  expect(isThere("delete from telemetry_hours where ctid")).toBe(false);
  expect(isThere("record-no-such-messages")).toBe(false);
});
