import { describe, expect, test } from "vitest";
import { localeOf } from "../src/locale.js";

describe("the locale of a text", () => {
  test.each([
    ["en", ["en-US"], "en-US"],
    ["en", ["en"], "en-US"],
    ["en", ["de-DE", "en-AU"], "en-AU"],
    ["de", ["de-AT", "en"], "de-AT"],
    ["es", ["es-MX"], "es-MX"],
    ["fr", ["fr"], "fr-FR"],
  ] as const)("in %s for a browser that asks for %s is %s", (language, asked, locale) => {
    expect(localeOf(language, asked)).toBe(locale);
  });

  test("never takes the region of another language", () => {
    expect(localeOf("en", ["de-DE"])).toBe("en-GB");
    expect(localeOf("de", ["en-US"])).toBe("de-DE");
  });

  test("has a region of its own where the browser asks for none that is known", () => {
    expect(["", "x", "-", "not a language"].map((asked) => localeOf("en", [asked]))).toEqual(Array(4).fill("en-GB"));
  });
});
