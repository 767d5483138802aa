import { wordsIn } from "@curtail/words";
import { speak } from "@curtail/words/page";
import { afterEach, describe, expect, test } from "vitest";
import { statementWords } from "../../src/rules/statement-words.js";

const english = wordsIn("en", "en-GB", {});

afterEach(() => speak(english));

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
    expect(statementWords(words)).toBe(words);
  });

  test("is in another language part by part, with its numbers; what is not known stays", () => {
    const texts = {
      delivered: "geliefert",
      "result version {from} → {to}": "Ergebnisversion {from} → {to}",
      "none [amount]": "keine",
      unknown: "unbekannt",
      "added: {words}": "neu: {words}",
    };
    speak(wordsIn("de", "de-DE", texts));
    expect(statementWords("added: result version none → 1; unknown → 146.911 kWh; delivered; newer words")).toBe(
      "neu: Ergebnisversion keine → 1; unbekannt → 146.911 kWh; geliefert; newer words",
    );
  });
});
