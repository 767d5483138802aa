import { baselineReasons } from "@curtail/contract/lists/baseline-reasons";
import { describe, expect, test } from "vitest";
import { wordsIn } from "../src/index.js";
import { statementWords } from "../src/statement-words.js";

const english = wordsIn("en", "en-GB", {});
const decimal = (value: string): string => value.replace(".", ",");

describe("what a line of a statement is for", () => {
  test.each([
    "waiting for the result",
    "delivered, without intervals below zero, until the dispatch was cancelled",
    "delivered; 12.5 kWh delivered, of which at most 120 % of the commitment counts",
    "120 of 240 intervals are paid in Local flexibility, which comes first",
    "added: missing to 80 % of the commitment",
    "result version none → 1; unknown → 146.911 kWh; delivered",
    "the terms of Peak relief changed",
    "words of a newer service; delivered",
  ])("is in English as the service wrote it: %s", (words) => {
    expect(statementWords(english, words, (value) => value)).toBe(words);
  });

  test("is in another language part by part, with its numbers; what is not known stays", () => {
    const texts = {
      delivered: "geliefert",
      "result version {from} → {to}": "Ergebnisversion {from} → {to}",
      "none [amount]": "keine",
      unknown: "unbekannt",
      "added: {words}": "neu: {words}",
    };
    const german = wordsIn("de", "de-DE", texts);
    const stored = "added: result version none → 1; unknown → 146.911 kWh; delivered; newer words";
    expect(statementWords(german, stored, decimal)).toBe(
      "neu: Ergebnisversion keine → 1; unbekannt → 146,911 kWh; geliefert; newer words",
    );
  });

  test("keeps a reason with a semicolon in one piece", () => {
    const texts = {
      delivered: "geliefert",
      "no baseline: {reason}": "keine Referenz: {reason}",
      "the method has no rule for a {type}; add one whose day_types name it":
        "die Methode hat keine Regel für {type}; ergänzen Sie eine, deren day_types ihn nennen",
    };
    const german = wordsIn("de", "de-DE", texts);
    const stored = "no baseline: the method has no rule for a holiday; add one whose day_types name it; delivered";
    expect(statementWords(german, stored, decimal)).toBe(
      "keine Referenz: die Methode hat keine Regel für holiday; ergänzen Sie eine, deren day_types ihn nennen; geliefert",
    );
  });

  test.each(baselineReasons.map(({ text }) => text))("knows the reason within a line: %s", (text) => {
    const reason = text.replaceAll(/\{\w+\}/g, "12");
    const german = wordsIn("de", "de-DE", { [text]: "GRUND", "no baseline: {reason}": "keine: {reason}" });
    expect(statementWords(german, `added: delivered; no baseline: ${reason}; no readings`, decimal)).toBe(
      "added: delivered; keine: GRUND; no readings",
    );
  });
});
