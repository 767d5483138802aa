import { describe, expect } from "vitest";
import { namesSeen, speakAccented, unsaidIn } from "../support/accented.js";
import { hasChromium } from "../support/chromium.js";
import { openedBy, settled, demoTest as test, WALK_MS } from "../support/demo-service.js";
import { readTexts } from "../support/english-left.js";

describe.skipIf(!hasChromium)("every text of the pages", () => {
  test.for(["operators", "participants"] as const)(
    "of %s is said in the reader's language",
    { timeout: WALK_MS },
    async (side, { browser, demo }) => {
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
