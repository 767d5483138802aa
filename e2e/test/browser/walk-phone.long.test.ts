import { operator } from "@curtail/contract";
import type { Browser, Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { type ColdStores, callFor, curtail, newColdStores, runUsually } from "../support/cold-stores.js";
import { expectSound } from "../support/looks.js";
import { operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn, type Visit } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const PHONE = { widthPx: 390, heightPx: 844, hasTouch: true } as const;
const WALK_MS = 120_000;

/** Whether all of it is seen without scrolling. */
const isInView = async (what: Locator): Promise<boolean> => {
  const box = await what.boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= PHONE.heightPx && box.x >= 0;
};

const expectInView = async (page: Page, within: Locator, words: readonly RegExp[]): Promise<void> => {
  for (const each of words) {
    const found = within.getByText(each).first();
    await found.waitFor();
    await expect.poll(() => isInView(found), { message: `${each} is in view` }).toBe(true);
  }
  expect(await page.evaluate("window.scrollY")).toBe(0);
};

const opened = async ({ page }: Visit): Promise<Page> => {
  await page.goto("/dashboard");
  await page.getByRole("article").first().waitFor();
  return page;
};

describe.skipIf(!hasChromium)("a phone in a pocket", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let stores: ColdStores;
  let silentId: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    stores = await newColdStores(service.url);
    await runUsually(service.url, stores, 8);
    const body = { name: "Harbour annex", timezone: "America/Chicago", meters: [{ name: "Main" }] };
    const site = await operate(service.url, operator.createSite, { params: { id: stores.accountId }, body });
    silentId = site.id;
    const visible = { params: { id: silentId }, body: { display_enabled: true } };
    await operate(service.url, operator.changeSite, visible);
  }, WALK_MS);

  test(
    "says without scrolling what is asked for, what is delivered and what to do next",
    async () => {
      const { url } = service;
      const visited = await signIn(browser, url, await newUser(url, "participant-viewer", stores.accountId), PHONE);
      const soon = await callFor(url, stores.programId, [20, 80]);
      let page = await opened(visited);
      await expectInView(page, page.getByRole("main"), [/No dispatch now\. Next:/, /Your load is/]);
      const card = page.getByRole("article", { name: "Dispatch Summer capacity" });
      await expectInView(page, card, [
        /Reduce 430.kW from \d\d:\d\d/,
        /Starts in 0:19:\d\d/,
        /Your systems have not received/,
      ]);
      await expectSound(visited, "walk-phone-upcoming");

      await operate(url, operator.changeDispatch, { params: { id: soon }, body: { authorized: false } });
      await expectInView(page, page.getByRole("main"), [/No dispatch now\. None is announced/]);
      await expectInView(page, card, [/Cancelled: the dispatch from/, /Nothing to do/]);

      const [first] = stores.sites;
      if (first === undefined) throw new Error("there is no site");
      const startMs = Date.now() - 600_000;
      const sites = [
        { site_id: first.id, commitment: 150 },
        { site_id: silentId, commitment: 50 },
      ];
      await callFor(url, stores.programId, [-10, 110], { sites });
      await curtail(url, stores.key, first, startMs, 0.9);
      page = await opened(visited);
      const running = card.filter({ hasText: "Ends in" });
      await expectInView(page, running, [
        /Reduce 200.kW until/,
        /You deliver \d+ kW, \d\d%, measured at 1 of 2 sites/,
        /Ends in 1:\d\d:\d\d/,
        /No current readings/,
      ]);
      await expectSound(visited, "walk-phone-running");

      const open = { end_time: null, sites: [{ site_id: stores.sites[1]?.id, commitment: 220 }] };
      await callFor(url, stores.programId, [-5, 60], open);
      page = await opened(visited);
      const endless = card.filter({ hasText: "No end is set yet" });
      await expectInView(page, running, [/Reduce 200.kW until/, /You deliver \d+ kW/, /Ends in 1:\d\d:\d\d/]);
      await expectInView(page, endless, [/Reduce 220.kW now/, /You deliver|not known yet/, /No end is set yet/]);
      await expectSound(visited, "walk-phone-two");
    },
    WALK_MS,
  );
});
