import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium } from "../support/chromium.js";
import { type DemoService, openedBy, type Side, settled, demoTest as test, WALK_MS } from "../support/demo-service.js";
import { ENGLISH_NUMBER, englishTexts, readTexts } from "../support/english-left.js";
import { takePicture } from "../support/looks.js";

const browsers = { es: "es-ES", de: "de-DE", fr: "fr-FR" } as const;
const LANGUAGES = ["es", "de", "fr"] as const;
const widthsPx = [390, 1440] as const;

/** Charts are drawn anew after their window changes. */
const REDRAWN_MS = 5000;

const staysTooWide = (page: Page): Promise<boolean> =>
  page
    .waitForFunction("document.documentElement.scrollWidth <= document.documentElement.clientWidth", null, {
      timeout: REDRAWN_MS,
    })
    .then(
      () => false,
      () => true,
    );

interface Shown {
  readonly browser: Browser;
  readonly demo: DemoService;
}

const englishLeft = async (
  { browser, demo }: Shown,
  language: (typeof LANGUAGES)[number],
  { email, pages }: Side,
): Promise<string[]> => {
  const page = await openedBy(browser, demo.service.url, email, browsers[language]);
  const english = englishTexts(language);
  const left: string[] = [];
  for (const [name, address] of pages) {
    await settled(page, address);
    expect(await page.locator("html").getAttribute("lang")).toBe(language);
    for (const { text, where } of await readTexts(page))
      if (english.test(text) || ENGLISH_NUMBER.test(text)) left.push(`${name}, ${where}: ${text}`);
    for (const width of widthsPx) {
      await page.setViewportSize({ width, height: 900 });
      await takePicture(page, `${language}-${name}-${width}`);
      if (await staysTooWide(page)) left.push(`${name}: wider than ${width} px`);
    }
  }
  await page.context().close();
  return left;
};

describe.skipIf(!hasChromium)("pages in the language of a browser", () => {
  test.for(LANGUAGES)(
    "leave no English text and no English number on any page: %s",
    { timeout: WALK_MS },
    async (language, { browser, demo }) => {
      const shown = { browser, demo };
      expect([
        ...(await englishLeft(shown, language, demo.operators)),
        ...(await englishLeft(shown, language, demo.participants)),
      ]).toEqual([]);
    },
  );

  test("are found English by the same look, where the browser asks for English", { timeout: WALK_MS }, async ({
    browser,
    demo,
  }) => {
    const page = await openedBy(browser, demo.service.url, demo.operators.email, "en-GB");
    await settled(page, "/operations");
    const texts = (await readTexts(page)).map(({ text }) => text);
    for (const language of LANGUAGES)
      expect(texts.filter((text) => englishTexts(language).test(text)).length).toBeGreaterThan(20);
    expect(["1,234 kW", "12.5 kW", "OpenADR 2.0a"].map((text) => ENGLISH_NUMBER.test(text))).toEqual([
      true,
      true,
      false,
    ]);
    await page.context().close();
  });
});
