import { describe, expect, test } from "vitest";
import { keyOf, wordsIn } from "../src/index.js";

const german = wordsIn("de", "de-DE", {
  Site: "Standort",
  [keyOf("Open", "verb")]: "Öffnen",
  "{n, plural, one {# site} other {# sites}} of {name}": "{n, plural, one {# Standort} other {# Standorte}} von {name}",
  "Call <b>{name}</b> now.": "Jetzt <b>{name}</b> anrufen.",
});

const b = (inside: readonly unknown[]): object => ({ b: inside });

describe("words", () => {
  test("are said in the language, with its plurals and numbers", () => {
    expect(german.say("Site")).toBe("Standort");
    expect(german.say("{n, plural, one {# site} other {# sites}} of {name}", { n: 1, name: "A" })).toBe(
      "1 Standort von A",
    );
    expect(german.say("{n, plural, one {# site} other {# sites}} of {name}", { n: 1234, name: "A" })).toBe(
      "1.234 Standorte von A",
    );
  });

  test("tell equal English texts apart by their context", () => {
    expect([german.say("Open", {}, "verb"), german.say("Open")]).toEqual(["Öffnen", "Open"]);
  });

  test("are English where a catalogue lacks them", () => {
    expect(german.say("{n, plural, one {# meter} other {# meters}}", { n: 2 })).toBe("2 meters");
  });

  test("take what is given as it is, also if it looks like a text with values", () => {
    expect(german.say("Call <b>{name}</b> now.", { name: "{x} <b> '" })).toBe("Jetzt <b>{x} <b> '</b> anrufen.");
  });

  test("are English where a translation is faulty: what is said is announced in any case", () => {
    const faulty = wordsIn("de", "de-DE", {
      "Call {name}": "{nam} anrufen",
      "Reduce {n} kW": "{n kW",
      "Call <b>{name}</b>": "<b>{name} anrufen",
    });
    expect(faulty.say("Call {name}", { name: "Ada" })).toBe("Call Ada");
    expect(faulty.say("Reduce {n} kW", { n: 5 })).toBe("Reduce 5 kW");
    expect(faulty.sayParts("Call <b>{name}</b>", { name: "Ada", b })).toEqual(["Call ", { b: ["Ada"] }]);
    expect(() => faulty.say("Call {nobody}", {})).toThrow("nobody");
  });

  test("have elements in their place", () => {
    expect(german.sayParts("Call <b>{name}</b> now.", { name: "Ada", b })).toEqual([
      "Jetzt ",
      { b: ["Ada"] },
      " anrufen.",
    ]);
  });
});
