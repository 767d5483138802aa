import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SPAN_ATTRIBUTES, SPANS } from "../../src/platform/tracing.js";

const page = readFileSync(new URL("../../../../docs/tracing.md", import.meta.url), "utf8");

/** The cells in code of the rows of a section. */
const cellsOf = (heading: string): string[][] => {
  const section = new RegExp(`^## ${heading}\n(.*?)(?=^## )`, "ms").exec(page)?.[1] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((row) => row.split("|").map((cell) => /^ `([^`]+)` *$/.exec(cell)?.[1] ?? ""));
};

test("the page on tracing lists every span with its kind", () => {
  expect(Object.fromEntries(cellsOf("Spans").map(([, name, kind]) => [name, kind]))).toEqual(SPANS);
});

test("the page on tracing lists every attribute", () => {
  expect(cellsOf("Attributes").map(([, name]) => name)).toEqual([...SPAN_ATTRIBUTES]);
});
