import { expect, test } from "vitest";
import { baselineReason } from "../src/baseline-words.js";
import { serviceWords } from "../src/catalogues.js";

/** As `packages/measure` composes them. */
const reasons = [
  "3 usable days in the preceding 45 days; the method needs 5",
  "the method has no rule for a sunday; add one whose day_types name it",
  "no chosen day has readings in the dispatch's period",
  "14 of 30 intervals in the 900 s before the notification have readings; at least half are required",
  "intervals of 900 s are too long for a mean over 300 s; give finer load as recent",
];

test("why there is no baseline is in the language of its reader, and stays the same in English", () => {
  for (const reason of reasons) {
    expect(baselineReason(serviceWords("en"), reason)).toBe(reason);
    for (const language of ["es", "de", "fr"] as const)
      expect(baselineReason(serviceWords(language), reason)).not.toMatch(/ the /);
  }
  expect(baselineReason(serviceWords("de"), reasons[0] ?? "")).toBe(
    "3 brauchbare Tage in den 45 Tagen davor; die Methode braucht 5",
  );
  expect(baselineReason(serviceWords("de"), "words of a newer service")).toBe("words of a newer service");
});
