import { operator as api } from "@curtail/contract";
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound } from "../support/looks.js";
import { operate } from "../support/participant.js";
import { newPortfolio, runningDispatch } from "../support/portfolio.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

// Their looks, charts, evidence and changes are in operations-*.long.test.ts.
describe.skipIf(!hasChromium)("the operators' pages", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let operator: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    await runningDispatch(service.url, await newPortfolio(service.url));
    operator = await newUser(service.url, "operator-admin");
  });

  const dispatches = () => operate(service.url, api.listAllDispatches, { query: { limit: 500 } });

  test("one click leads from the board to the confirmation of a dispatch of all sites", async () => {
    const { page, faults } = await signIn(browser, service.url, operator);
    await page.goto("/operations");
    await page.getByRole("link", { name: "Start Capacity 2026, Now, open-ended" }).click();
    await page.getByText("Starts as soon as you confirm.").waitFor();
    await page.getByText("no end set yet").waitFor();
    await page.getByRole("button", { name: "Dispatch 5 sites, 3,410 kW" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("chosen sites are dispatched after a preview, once, however often the button is pressed", async () => {
    const visited = await signIn(browser, service.url, operator);
    const { page } = visited;
    await page.goto("/operations/dispatches/new");
    await page.getByLabel("Test dispatch, not a response to the market").check();
    await page.getByRole("button", { name: "Start in 10 min" }).click();
    await page.getByText("In America/Chicago").waitFor();
    await page.getByLabel("Sites to dispatch").selectOption("Selected sites");
    await page.getByLabel("Search sites").fill("steel");
    await page.getByRole("button", { name: "Select these 2" }).click();
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("The account has no contacts: no mail can be sent").waitFor();
    const already = page.getByRole("region", { name: "Sites already dispatched" });
    await already
      .getByText(/^until /)
      .first()
      .waitFor();
    await expectSound(visited, "operations-new-dispatch-preview");
    const before = (await dispatches()).items.length;
    await page.getByRole("button", { name: "Dispatch 2 sites, 3,000 kW" }).dblclick();
    await page.getByText("2 sites are already dispatched in this period, by Capacity 2026 (until ").waitFor();
    expect((await dispatches()).items.length).toBe(before);
    await expectSound(visited, "operations-new-dispatch-again");
    await page.getByRole("button", { name: "Dispatch anyway" }).dblclick();
    await page.waitForURL(/\/operations\/dispatches\/dis_/);
    const { items } = await dispatches();
    expect(items.length).toBe(before + 1);
    expect(items[0]).toMatchObject({ test: true, sites: [{}, {}] });
  }, 90_000);
});
