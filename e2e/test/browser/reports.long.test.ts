import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { type ColdStores, callFor, newColdStores, runUsually } from "../support/cold-stores.js";
import { downloaded } from "../support/download.js";
import { expectSoundInEachLook, expectWholeTable, LOOKS_MS } from "../support/looks.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const DAY_MS = 24 * 3_600_000;
const FINAL_MS = 60_000;
const dayAt = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

const period = () => `period=custom&from=${dayAt(-2)}&to=${dayAt(1)}`;
const table = (page: Page) => page.getByRole("region", { name: "Report" });
const ready = (page: Page) => table(page).waitFor();
const fileLink = (page: Page, name: string) => page.getByRole("link", { name, exact: true });

describe.skipIf(!hasChromium)("reports over dispatches", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let stores: ColdStores;
  let operator: string;
  let participant: string;
  let over: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    const { url } = service;
    stores = await newColdStores(url);
    operator = await newUser(url, "operator-admin");
    participant = await newUser(url, "participant-viewer", stores.accountId);
    await runUsually(url, stores);
    over = await callFor(url, stores.programId, [-300, -180]);
    await newColdStores(url, "Competitor");
  }, 120_000);

  /** Looks until the dispatch has its final result. */
  const untilMeasured = async (page: Page, address: string): Promise<void> => {
    await expect
      .poll(
        async () => {
          await page.goto(address);
          await table(page).getByRole("row").nth(1).waitFor();
          return page.getByText("in 1 dispatch; 3 measured").count();
        },
        { timeout: FINAL_MS, interval: 1000 },
      )
      .toBe(1);
  };

  test("show operators what sites delivered, sorted as they like, and as files", {
    timeout: 2 * FINAL_MS,
  }, async () => {
    const { page } = await signIn(browser, service.url, operator);
    await untilMeasured(page, `/operations/reports?${period()}`);
    const names = () =>
      table(page)
        .getByRole("row")
        .evaluateAll((rows) => rows.slice(1).map((row) => row.querySelector("td a")?.textContent));
    expect(await names()).toEqual(["Elm Street supermarket", "Northgate cold store", "Riverside distribution centre"]);
    await page.getByRole("button", { name: "Committed (kWh)" }).click();
    await expect
      .poll(names)
      .toEqual(["Riverside distribution centre", "Northgate cold store", "Elm Street supermarket"]);
    await expect.poll(() => page.url()).toContain("sort=-committed_energy_kwh");
    expect(await page.getByRole("columnheader", { name: "Committed (kWh)" }).getAttribute("aria-sort")).toBe(
      "descending",
    );
    expect(
      await table(page)
        .getByRole("row", { name: /Riverside/ })
        .textContent(),
    ).toContain("440");
    // Nothing else calls the sites, which might be paid for their energy.
    expect(await page.getByRole("columnheader", { name: "Paid elsewhere (h)" }).count()).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    const fits = "(each => each.scrollWidth <= each.clientWidth)(document.querySelector('[aria-label=Report]'))";
    expect(await page.evaluate(fits)).toBe(true);

    const rows = await downloaded(fileLink(page, "CSV"));
    expect(rows.name).toBe(`performance-${dayAt(-2)}-to-${dayAt(1)}-by-site.csv`);
    expect(rows.text).toMatch(/^site_id,site_name,account_id,account_name,/);
    expect((await downloaded(fileLink(page, "Parquet"))).text.slice(0, 4)).toBe("PAR1");
    const calls = await downloaded(fileLink(page, "Sites as CSV"));
    expect(calls.text.split(over)).toHaveLength(4);

    await page.getByLabel("One row per").selectOption("account");
    await table(page).getByRole("link", { name: "Northgate Foods" }).waitFor();
    expect(page.url()).toContain("by=account");
    await page.getByRole("button", { name: "Last month" }).click();
    await expect.poll(() => page.url()).toContain("period=last-month");
  });

  test("show participants their own sites", { timeout: 2 * FINAL_MS }, async () => {
    const { page } = await signIn(browser, service.url, participant);
    await page.goto("/dashboard");
    await page.getByRole("link", { name: "Reports" }).click();
    await untilMeasured(page, `/dashboard/reports?${period()}`);
    await table(page)
      .getByRole("row", { name: /Northgate cold store/ })
      .waitFor();
    expect((await downloaded(fileLink(page, "Sites as CSV"))).text.split(over)).toHaveLength(4);
  });

  test("have the intervals of a dispatch as a file, at the length that is chosen", async () => {
    for (const [user, side] of [
      [operator, "operations"],
      [participant, "dashboard"],
    ] as const) {
      const { page } = await signIn(browser, service.url, user);
      await page.goto(`/${side}/dispatches/${over}${side === "operations" ? "?tab=result" : ""}`);
      await page.getByLabel("Intervals of").selectOption({ label: "30 min" });
      const file = await downloaded(fileLink(page, "CSV"));
      expect(file.name).toMatch(new RegExp(`^${over}-(v1|live)-1800s\\.csv$`));
      expect(file.text).toMatch(/^dispatch_id,version,site_id,site_name,/);
      expect(file.text).toContain("Riverside distribution centre");
      expect((await downloaded(fileLink(page, "Parquet"))).text.slice(0, 4)).toBe("PAR1");
    }
  });

  test("show all their columns without scrolling sideways, and so do past dispatches", async () => {
    const { page } = await signIn(browser, service.url, operator);
    await page.goto(`/operations/reports?${period()}&program=${stores.programId}&accuracy=yes`);
    await page.getByRole("columnheader", { name: "Baseline bias (%)" }).waitFor();
    await expectWholeTable(page, "Report");
    await page.goto("/operations/dispatches?state=past");
    await expectWholeTable(page, "Past dispatches");
  });

  test("are sound by day and by night, on a phone and on a wall", { timeout: 2 * LOOKS_MS }, async () => {
    for (const [user, side] of [
      [operator, "operations"],
      [participant, "dashboard"],
    ] as const) {
      await expectSoundInEachLook(
        (looks) => signIn(browser, service.url, user, looks),
        [{ address: `/${side}/reports?${period()}`, name: `${side}-reports`, ready }],
      );
    }
  });
});
