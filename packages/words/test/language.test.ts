import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LANGUAGES, languageFor } from "../src/index.js";

describe("the language for a browser", () => {
  test.each([
    ["de-AT,de;q=0.9,en;q=0.8", "de"],
    ["it,fr;q=0.5,en;q=0.4", "fr"],
    ["en;q=0.3, es-MX;q=0.9", "es"],
    ["de;q=0, en", "en"],
    ["DE", "de"],
  ])("that asks for %s is %s", (accepted, language) => {
    expect(languageFor(accepted)).toBe(language);
  });

  test("is nothing where none of ours is asked for", () => {
    expect(["", "*", "it, pt;q=0.5", ";;,,q=", "de;q=x"].map(languageFor)).toEqual(Array(5).fill(null));
  });

  test("is one of ours or nothing, whatever is sent", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (sent) => [null, ...LANGUAGES].includes(languageFor(sent))));
  });
});
