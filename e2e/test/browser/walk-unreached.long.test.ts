import { participantClient } from "@curtail/client";
import { operator as api, listDispatches } from "@curtail/contract";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound } from "../support/looks.js";
import { operate } from "../support/participant.js";
import { newPortfolio, type Portfolio, runningDispatch } from "../support/portfolio.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const MOST_CLICKS = 3;

/** Counts the clicks in a window, over all pages that it opens. */
const countClicks = (page: Page): Promise<unknown> =>
  page.addInitScript(
    `addEventListener("click", () => sessionStorage.setItem("clicks", Number(sessionStorage.getItem("clicks")) + 1), true)`,
  );
const clicksIn = (page: Page): Promise<number> => page.evaluate<number>(`Number(sessionStorage.getItem("clicks"))`);

describe.skipIf(!hasChromium)("who did not hear of the running dispatch", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let operator: string;
  let portfolio: Portfolio;
  let running: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    portfolio = await newPortfolio(service.url);
    const [, , water] = portfolio.members;
    const contact = { name: "Ana Lopez", email: "ana@water.example", phone: "+1 555 010 0200" };
    await operate(service.url, api.createContact, { params: { id: water?.id ?? "" }, body: contact });
    running = await runningDispatch(service.url, portfolio);
    for (const { key } of portfolio.members.slice(0, 2))
      await participantClient({ url: service.url, key }).call(listDispatches);
    operator = await newUser(service.url, "operator-admin");
  });

  test("is found and handled within three clicks from the board", { timeout: 90_000 }, async () => {
    const visited = await signIn(browser, service.url, operator);
    const { page, faults } = visited;
    await countClicks(page);
    await page.goto("/operations");
    const row = page.getByRole("row").filter({ has: page.getByRole("button", { name: "Capacity 2026", exact: true }) });
    await row.getByText("of 3", { exact: true }).waitFor({ timeout: 20_000 });
    await page.getByRole("button", { name: "Capacity 2026", exact: true }).press("Space");
    const account = page.getByRole("list", { name: "Accounts that are not notified" }).getByRole("listitem");
    expect(await account.getByRole("link", { name: "+1 555 010 0200" }).getAttribute("href")).toBe("tel:+15550100200");
    await account.getByRole("button", { name: "Notified by phone…" }).click();
    const dialog = page.getByRole("dialog", { name: "City Water was notified by phone" });
    await expect.poll(() => dialog.getByLabel("Who was reached").inputValue()).toBe("Ana Lopez");
    await expectSound(visited, "operations-board-phone");
    await dialog.getByLabel("Note").fill("will stop two pumps");
    await dialog.getByRole("button", { name: "Record the call" }).click();
    await page.getByText("3 of 3 accounts notified").waitFor();
    await expect.poll(() => row.textContent()).toContain("0 of 3");
    expect(await clicksIn(page)).toBeLessThanOrEqual(MOST_CLICKS);
    const { items } = await operate(service.url, api.listEvidence, { params: { id: running } });
    expect(items.filter(({ channel }) => channel === "phone")).toMatchObject([
      { detail: { person: "Ana Lopez", note: "will stop two pumps" } },
    ]);
    expect(faults).toEqual([]);
  });

  test("is read in the drawer of a site, which steps through the table as its address sorts it", async () => {
    const visited = await signIn(browser, service.url, operator);
    const { page } = visited;
    await page.goto(`/operations/dispatches/${running}?sort=name`);
    const sites = page.getByRole("region", { name: "Sites of the dispatch" });
    await sites.getByRole("columnheader", { name: "Site", exact: true }).waitFor();
    expect(await sites.locator("[aria-sort=ascending]").textContent()).toContain("Site");
    await sites.getByRole("button", { name: "Arc furnace" }).click();
    const drawer = page.getByRole("dialog", { name: "Arc furnace" });
    await drawer.getByText("1 of 5", { exact: true }).waitFor();
    await drawer.getByRole("region", { name: "Meters of the site" }).waitFor();
    await drawer.getByRole("img", { name: /^Load of Arc furnace/ }).waitFor();
    await expectSound(visited, "operations-dispatch-drawer");
    await page.keyboard.press("j");
    await page.getByRole("dialog", { name: "Freezer hall 1" }).getByText("2 of 5", { exact: true }).waitFor();
    await page.keyboard.press("k");
    await drawer.waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    expect(new URL(page.url()).searchParams.get("site")).toBeNull();
    expect(new URL(page.url()).searchParams.get("sort")).toBe("name");
    const timeline = page.getByRole("list", { name: "Timeline, newest first" });
    await page.getByRole("tab", { name: "About and history" }).click();
    await page.getByRole("button", { name: /^Show all \d+$/ }).click();
    await timeline.getByText(/City Water notified by phone by .*Ana Lopez: will stop two pumps/).waitFor();
    await timeline.getByText(/^Issued by /).waitFor();
  });
});
