import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { statusWords } from "../../src/rules/site-status.js";

const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

test("every word that measuring has for the status of a site is said in the language of the page", () => {
  const source = textOf("../../../measure/src/status.ts");
  const said = textOf("../../src/rules/site-status.ts");
  const words = [...source.matchAll(/"([a-z]+(?: [a-z]+)+)"/g)].map(([, text = ""]) => text);
  expect(words.length).toBeGreaterThan(10);
  // Modules are loaded once for several tests, so that the language of this one cannot be another.
  for (const text of words) expect(said).toContain(`"${text}": say("${text}")`);
  for (const text of [...words, "something newer"]) expect(statusWords({ colour: "grey", words: text })).toBe(text);
});
