import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { namesSeen, speakAccented, unsaidIn } from "../support/accented.js";
import { hasChromium, test } from "../support/chromium.js";
import { DEMO_MS, type DemoService, demoService, openedBy, settled } from "../support/demo-service.js";
import { readTexts } from "../support/english-left.js";

const WALK_MS = 600_000;

describe.skipIf(!hasChromium)("every text of the pages", () => {
  let browser: Browser;
  let demo: DemoService;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    demo = await demoService(shared);
  }, DEMO_MS);

  test.for(["operators", "participants"] as const)(
    "of %s is said in the reader's language",
    { timeout: WALK_MS },
    async (side) => {
      const { email, pages } = demo[side];
      const page = await openedBy(browser, demo.service.url, email, "de-DE");
      await speakAccented(page);
      const names = namesSeen(page);
      const left: string[] = [];
      for (const [name, address] of pages) {
        await settled(page, address);
        await page.waitForTimeout(300);
        for (const { text, where } of await readTexts(page))
          if (unsaidIn(text, names) !== null) left.push(`${name}, ${where}: ${text}`);
      }
      await page.context().close();
      expect(left).toEqual([]);
    },
  );
});
