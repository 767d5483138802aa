import { afterEach, expect, test } from "vitest";
import { wordsIn } from "../src/index.js";
import { englishOf, say, speak } from "../src/page.js";

afterEach(() => speak(wordsIn("en", "en-GB", {})));

test("the English of a label is known once it was said, so that addresses are the same in each language", () => {
  speak(wordsIn("de", "de-DE", { "Add contact": "Kontakt hinzufügen" }));
  expect(say("Add contact")).toBe("Kontakt hinzufügen");
  expect(englishOf("Kontakt hinzufügen")).toBe("Add contact");
  expect(englishOf("Depot 7")).toBe("Depot 7");
});
