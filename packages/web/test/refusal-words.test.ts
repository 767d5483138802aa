import { wordsIn } from "@curtail/words";
import { afterEach, describe, expect, test } from "vitest";
import { ApiError } from "../src/api/call.js";
import { loadRefusals } from "../src/api/refusal-words.js";
import { faultsIn, faultWords } from "../src/ui/fault.js";

const german = wordsIn("de", "de-DE", {});

describe("what the API refuses", () => {
  afterEach(() => loadRefusals(wordsIn("en", "en-GB", {})));

  test("is said in the language of the page, at the field that it is about", async () => {
    await loadRefusals(german);
    expect(faultsIn(new ApiError(400, "email already belongs to another user; choose another one"))).toEqual([
      {
        member: "email",
        words: "Diese E-Mail-Adresse gehört schon einem anderen Benutzer. Wählen Sie eine andere.",
        alone: "Diese E-Mail-Adresse gehört schon einem anderen Benutzer. Wählen Sie eine andere.",
      },
    ]);
    expect(faultWords(new ApiError(400, "the password has 5 characters; use at least 12"))).toBe(
      "Das Passwort hat 5 Zeichen. Verwenden Sie mindestens 12.",
    );
  });

  test("has the rules of members, also those that may be left out", async () => {
    await loadRefusals(german);
    const message =
      "role is a long text; it must be one of operator, auditor; points is 7; it must be null or be divisible by 5";
    expect(faultsIn(new ApiError(400, message)).map(({ words }) => words)).toEqual([
      "Wählen Sie aus: operator, auditor.",
      "Es muss durch 5 teilbar sein.",
    ]);
  });

  test("has the reader's times", async () => {
    await loadRefusals(german);
    const message = "until is more than 72 hours from now; the latest is 2025-07-01T18:00:00Z";
    expect(faultWords(new ApiError(400, message))).not.toContain("T18:00");
  });

  test("is English where it is not known, and on English pages", async () => {
    const known = new ApiError(400, "start_time must be in the future");
    expect(faultWords(known)).toBe("The start must be in the future.");
    await loadRefusals(german);
    expect(faultWords(known)).toBe("Der Beginn muss in der Zukunft liegen.");
    expect(faultWords(new ApiError(400, "start_time is of a newer service"))).toBe("The start is of a newer service.");
  });
});
