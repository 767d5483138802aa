import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { axeViolations } from "../support/axe.js";
import { hasChromium } from "../support/chromium.js";
import { type DemoService, demoTest as test, WALK_MS } from "../support/demo-service.js";
import { expectNoneSerious, takePicture } from "../support/looks.js";
import { signIn, type Visit } from "../support/visit.js";

const SIDES = ["operators", "participants"] as const;
const widthsPx = [390, 1440] as const;

interface Shown {
  readonly browser: Browser;
  readonly demo: DemoService;
  readonly side: (typeof SIDES)[number];
}

/** API of the pages; the session and the demo's banner are asked for by the frame. */
const ANSWERS = /\/(operator|console)\/v1\//;

const open = async (page: Page, address: string): Promise<void> => {
  await page.goto(address);
  await page.locator("h1").first().waitFor();
};

const expectFits = async (page: Page, name: string): Promise<void> => {
  const width = page.viewportSize()?.width ?? 0;
  await expect
    .poll(() => page.evaluate("document.documentElement.scrollWidth"), { message: `${name} at ${width} px` })
    .toBeLessThanOrEqual(width);
};

const expectSoundAt = async (
  { page }: Visit,
  name: string,
  examinedPx: readonly number[] = widthsPx,
): Promise<void> => {
  for (const width of widthsPx) {
    await page.setViewportSize({ width, height: 900 });
    await expectFits(page, name);
    await takePicture(page, `${name}-${width}`);
    if (examinedPx.includes(width)) expectNoneSerious(await axeViolations(page));
  }
};

const eachPage = async (
  { browser, demo, side }: Shown,
  look: (visited: Visit, name: string, address: string) => Promise<void>,
): Promise<void> => {
  const { email, pages } = demo[side];
  const visited = await signIn(browser, demo.service.url, email);
  for (const [name, address] of pages)
    await look(visited, name, address).catch((fault: unknown) => {
      throw new Error(`${name} (${address})`, { cause: fault });
    });
};

describe.skipIf(!hasChromium)("every page, on a phone and on a desk,", () => {
  test.for(SIDES)(
    "of %s is sound with its data, and logs no fault",
    { timeout: WALK_MS },
    async (side, { browser, demo }) => {
      await eachPage({ browser, demo, side }, async (visited, name, address) => {
        await open(visited.page, address);
        await expect.poll(() => visited.page.getByText("Loading…").count()).toBe(0);
        await expectSoundAt(visited, name);
        expect(visited.faults).toEqual([]);
      });
    },
  );

  test.for(SIDES)("of %s is sound while it loads", { timeout: WALK_MS }, async (side, { browser, demo }) => {
    await eachPage({ browser, demo, side }, async (visited, name, address) => {
      // What is asked for is never answered.
      await visited.page.route(ANSWERS, () => undefined);
      await visited.page.goto(address);
      await visited.page.locator("#root *").first().waitFor();
      await expectSoundAt(visited, `${name}-loading`, [390]);
      await visited.page.unrouteAll({ behavior: "ignoreErrors" });
    });
  });

  test.for(SIDES)(
    "of %s is sound when the service cannot answer",
    { timeout: WALK_MS },
    async (side, { browser, demo }) => {
      await eachPage({ browser, demo, side }, async (visited, name, address) => {
        const problem = { title: "Internal Server Error", status: 500, detail: "The database does not answer." };
        await visited.page.route(ANSWERS, (route) =>
          route.fulfill({ status: 500, contentType: "application/problem+json", body: JSON.stringify(problem) }),
        );
        await visited.page.goto(address);
        await visited.page.locator("#root *").first().waitFor();
        await expectSoundAt(visited, `${name}-fault`, [390]);
        await visited.page.unrouteAll({ behavior: "ignoreErrors" });
      });
    },
  );
});
