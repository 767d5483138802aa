import { readFileSync } from "node:fs";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accentOf, backgrounds, contrastOf, isLikeAlarms } from "../../src/platform/accent.js";

const colours = fc.integer({ min: 0, max: 0xffffff }).map((all) => `#${all.toString(16).padStart(6, "0")}`);

/** The lesser of the contrasts of words in the accent and on it, wherever pages have them. */
const leastContrast = (theme: "light" | "dark", colour: string): number => {
  const shades = accentOf(colour)?.[theme];
  if (shades === undefined) return Number.NaN;
  const { accent, ink, soft } = shades;
  return Math.min(contrastOf(ink, accent), ...[...backgrounds[theme], soft].map((each) => contrastOf(accent, each)));
};

describe("the accent of a colour", () => {
  test("can be read as words and under words, in both themes, whatever the colour", () => {
    let used = 0;
    fc.assert(
      fc.property(colours, (colour) => {
        if (accentOf(colour) === null) return;
        used++;
        for (const theme of ["light", "dark"] as const)
          expect(leastContrast(theme, colour)).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: propertyRuns(200) },
    );
    expect(used).toBeGreaterThan(100);
  });

  test.each(["#ffff00", "#00ffff", "#0000ff", "#ff00ff", "#00ff00", "#1d4ed8", "#001f00", "#fff0d0"])(
    "of %s has its hue in light and dark",
    (colour) => {
      const accent = accentOf(colour);
      for (const theme of ["light", "dark"] as const) {
        expect(leastContrast(theme, colour)).toBeGreaterThanOrEqual(4.5);
        expect(accent?.[theme].accent).not.toMatch(/^#(..)\1\1$/);
      }
    },
  );

  test("that can be read as it is stays as it is", () => {
    expect(accentOf("#0b6e66")?.light.accent).toBe("#0b6e66");
    expect(accentOf("#4fd1c0")?.dark.accent).toBe("#4fd1c0");
  });

  test.each(["#000000", "#ffffff", "#808080", "#77838e"])("is none for %s, which words have", (grey) =>
    expect(accentOf(grey)).toBeNull(),
  );

  test("is compared with the backgrounds that the pages have", () => {
    const styles = readFileSync(new URL("../../../web/src/styles.css", import.meta.url), "utf8");
    for (const [at, name] of ["surface", "page", "sunken"].entries())
      expect(styles).toContain(`--${name}: light-dark(${backgrounds.light[at]}, ${backgrounds.dark[at]});`);
  });
});

test("the contrast is that of WCAG", () => {
  expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrastOf("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

test("red and amber are like alarms, and other hues are not", () => {
  expect(["#a8221b", "#ff0000", "#f2b95a", "#c2185b"].map(isLikeAlarms)).toEqual([true, true, true, false]);
  expect(["#1d4ed8", "#0b6e66", "#7c3aed", "#15803d"].some(isLikeAlarms)).toBe(false);
});
