import { wordsIn } from "@curtail/words";
import { pageWords, speak } from "@curtail/words/page";
import { expect, onTestFinished, test } from "vitest";
import { serviceSentence } from "../../src/rules/service-sentences.js";

const sentences = [
  "the site has no meters yet",
  "every meter must send at least 90 % of the last hour's readings; received: main 80 %, roof 0 %",
  "every meter must send at least 90 % of the last hour's readings; received: a 1 %, b 2 %, c 3 %, d 4 %, e 5 % and 3 more",
  "the result could not be measured: no reading for 120 s",
  "The account has no webhook and no VEN and has not polled since 2026-07-01T21:03:00Z: phone it, or it may not learn of the dispatch.",
  "The last delivery to webhook https://hooks.example.com/a?b={c} failed.",
  "VEN hq.1 has never polled.",
  "OpenADR 3 client Gateway has not polled since 2026-07-01T21:03:00Z.",
  "Messages to chat Night desk fail.",
  "account disabled",
];

const speaking = (texts: Readonly<Record<string, string>>): void => {
  const before = pageWords();
  onTestFinished(() => speak(before));
  speak(wordsIn("de", "de-DE", texts));
};

test("sentences of the service stay the same in English", () => {
  for (const sentence of sentences) expect(serviceSentence(sentence)).toBe(sentence);
});

test("sentences of the service are said in the language of the page, with what they name", () => {
  speaking({
    "VEN {ven} has never polled.": "VEN {ven} hat noch nie abgefragt.",
    "account disabled": "Konto gesperrt",
    "every meter must send at least 90 % of the last hour's readings; received: {meters} and {n} more":
      "zu wenig von {meters} und {n} weiteren",
  });
  expect(serviceSentence("VEN hq.1 has never polled.")).toBe("VEN hq.1 hat noch nie abgefragt.");
  expect(serviceSentence("account disabled")).toBe("Konto gesperrt");
  expect(
    serviceSentence(
      "every meter must send at least 90 % of the last hour's readings; received: a 1 %, b 2 % and 3 more",
    ),
  ).toBe("zu wenig von a 1 %, b 2 % und 3 weiteren");
});

test("a sentence that the page does not know stays in English", () => {
  speaking({ "account disabled": "Konto gesperrt" });
  expect(serviceSentence("account disabled since May")).toBe("account disabled since May");
});
