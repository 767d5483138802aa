import { operator } from "@curtail/contract";
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { type ColdStores, callFor, curtail, newColdStores, runUsually } from "../support/cold-stores.js";
import { operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const RUNNING_MINUTES = 40;

// Their looks, and what else they show, are in dashboard-*.long.test.ts.
describe.skipIf(!hasChromium)("the participants' dispatches", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let stores: ColdStores;
  let admin: string;
  let running: string;
  let startMs: number;

  /** Uploads what the sites of the running dispatch deliver of their commitments. */
  const reportUntilNow = async (): Promise<void> => {
    const shares = [1.02, 0.84, 0.4];
    for (const [index, site] of stores.sites.entries())
      await curtail(service.url, stores.key, site, startMs, shares[index] ?? 1);
  };

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    const { url } = service;
    stores = await newColdStores(url);
    admin = await newUser(url, "participant-admin", stores.accountId);
    await runUsually(url, stores);
    running = await callFor(url, stores.programId, [-RUNNING_MINUTES, 80]);
    startMs = Date.now() - RUNNING_MINUTES * 60_000;
    await reportUntilNow();
    await callFor(url, stores.programId, [95, 215], { test: true });
    const cancelled = await callFor(url, stores.programId, [300, 360]);
    await operate(url, operator.changeDispatch, { params: { id: cancelled }, body: { authorized: false } });
  }, 120_000);

  test("are listed as running, coming and past, tests and cancelled ones marked", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto("/dashboard/dispatches");
    const region = (name: string) => page.getByRole("region", { name });
    expect(await region("In progress").textContent()).toMatch(/Summer capacity.*in progress.*ends in 1:\d\d:\d\d/);
    expect(await region("In progress").textContent()).toContain("430 kW");
    expect(await region("Upcoming").textContent()).toMatch(/test.*starts in 1:\d\d:\d\d/);
    expect(await region("Past").textContent()).toContain("cancelled");
    await region("In progress").getByRole("link", { name: "Summer capacity" }).click();
    await page.waitForURL(`**/dashboard/dispatches/${running}`);
  });

  test("show the site that lacks most first, and the curve of the one that is chosen", async () => {
    await reportUntilNow();
    const { page } = await signIn(browser, service.url, admin);
    await page.goto(`/dashboard/dispatches/${running}`);
    const rows = page.getByRole("region", { name: "Sites of the dispatch" }).getByRole("row");
    await expect.poll(() => rows.nth(1).textContent()).toMatch(/Elm Street supermarket.*well below commitment/);
    await page.getByRole("button", { name: "Northgate cold store" }).click();
    await page.getByRole("img", { name: /Load of Northgate cold store around the dispatch.*Baseline/ }).waitFor();
    expect(page.url()).toContain(`site=${stores.sites[0]?.id}`);
    await page.reload();
    await page.getByRole("img", { name: /Load of Northgate cold store/ }).waitFor();
    expect(
      await page.getByRole("region", { name: "Comparable days" }).getByText("chosen", { exact: true }).count(),
    ).toBeGreaterThanOrEqual(2);
    expect(await page.getByRole("main").textContent()).toMatch(
      /\d days? before this \w+ (is|are) comparable\. \d of them were chosen.*the site used .* on average/,
    );
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download curve (CSV)" }).click();
    expect((await download).suggestedFilename()).toMatch(/^Northgate cold store \d{4}-\d\d-\d\d\.csv$/);
    const stream = await (await download).createReadStream();
    const text = (await stream.toArray()).join("");
    expect(text).toMatch(/^timestamp,baseline_kw,unadjusted_kw,load_kw,reduction_kw,target_kw\r\n/);
  });
});
