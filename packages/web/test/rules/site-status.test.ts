import { readFileSync } from "node:fs";
import { pageWords, speak } from "@curtail/words/page";
import { expect, test } from "vitest";

const source = readFileSync(new URL("../../../measure/src/status.ts", import.meta.url), "utf8");

test("every word that measuring has for the status of a site is said in the language of the page", async () => {
  speak({ ...pageWords(), say: (text) => `«${text}»` });
  const { statusWords } = await import("../../src/rules/site-status.js");
  const words = [...source.matchAll(/"([a-z]+(?: [a-z]+)+)"/g)].map(([, text = ""]) => text);
  expect(words.length).toBeGreaterThan(10);
  for (const text of words) expect(statusWords({ colour: "grey", words: text })).toBe(`«${text}»`);
  expect(statusWords({ colour: "grey", words: "something newer" })).toBe("something newer");
});
