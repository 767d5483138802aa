import { beforeAll, describe, expect, test } from "vitest";
import { hasChromium, startBrowser } from "../support/chromium.js";
import { type ColdStores, callFor, curtail, newColdStores, runUsually } from "../support/cold-stores.js";
import { operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { lookAt, newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const RUNNING_MINUTES = 40;

describe.skipIf(!hasChromium)("the participants' dispatches", () => {
  let service: ServiceProcess;
  let browser: Awaited<ReturnType<typeof startBrowser>>;
  let stores: ColdStores;
  let admin: string;
  let viewer: string;
  let running: string;
  let foreign: { readonly dispatch: string; readonly site: string };

  beforeAll(async () => {
    [service, browser] = await Promise.all([webService(), startBrowser()]);
    const { url } = service;
    stores = await newColdStores(url);
    admin = await newUser(url, "participant-admin", stores.accountId);
    viewer = await newUser(url, "participant-viewer", stores.accountId);
    await runUsually(url, stores);
    running = await callFor(url, stores.programId, [-RUNNING_MINUTES, 80]);
    const shares = [1.02, 0.84, 0.4];
    for (const [index, site] of stores.sites.entries())
      await curtail(url, stores.key, site, Date.now() - RUNNING_MINUTES * 60_000, shares[index] ?? 1);
    await callFor(url, stores.programId, [95, 215], { test: true });
    const cancelled = await callFor(url, stores.programId, [300, 360]);
    await operate(url, "PATCH", `/dispatches/${cancelled}`, { authorized: false });
    await callFor(url, stores.programId, [-300, -180]);
    const others = await newColdStores(url, "Competitor");
    foreign = { dispatch: await callFor(url, others.programId, [-5, 60]), site: others.sites[0]?.id ?? "" };
  }, 120_000);

  test.each(["light", "dark"] as const)("are sound in %s, on a phone and on a wall", async (theme) => {
    for (const widthPx of [390, 1920]) {
      const visited = await signIn(browser, service.url, admin, { theme, widthPx });
      await lookAt(visited, "/dashboard/dispatches", "dashboard-dispatches");
      await visited.page.goto(`/dashboard/dispatches/${running}`);
      await visited.page.getByRole("heading", { name: "How the baseline came about" }).waitFor();
      await lookAt(visited, `/dashboard/dispatches/${running}`, "dashboard-dispatch");
      await visited.context.close();
    }
  });

  test("are listed as running, coming and past, tests and cancelled ones marked", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto("/dashboard/dispatches");
    const region = (name: string) => page.getByRole("region", { name });
    expect(await region("In progress").textContent()).toMatch(/Summer capacity.*in progress.*ends in 1:\d\d:\d\d/);
    expect(await region("In progress").textContent()).toContain("430 kW");
    expect(await region("Coming").textContent()).toMatch(/test.*starts in 1:\d\d:\d\d/);
    expect(await region("Past").textContent()).toContain("cancelled");
    await region("In progress").getByRole("link", { name: "Summer capacity" }).click();
    await page.waitForURL(`**/dashboard/dispatches/${running}`);
  });

  test("show the site that lacks most first, and the curve of the one that is chosen", async () => {
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
    ).toBe(4);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download curve (CSV)" }).click();
    const stream = await (await download).createReadStream();
    const text = (await stream.toArray()).join("");
    expect(text).toMatch(/^timestamp,baseline_kw,unadjusted_kw,load_kw,reduction_kw,target_kw\r\n/);
  });

  test("show a reading that comes in without being asked", async () => {
    const { page } = await signIn(browser, service.url, admin);
    const [site] = stores.sites;
    if (site === undefined) throw new Error("there are no sites");
    await page.goto(`/dashboard/dispatches/${running}?site=${site.id}`);
    const row = page.getByRole("row", { name: /Northgate cold store/ });
    await row.waitFor();
    // The whole site goes off: ever more is delivered.
    await curtail(service.url, stores.key, site, Date.now() - 1_200_000, 2);
    await expect.poll(() => row.textContent(), { timeout: 15_000 }).toContain("well above commitment");
    await page.getByRole("img", { name: /Load of Northgate cold store/ }).waitFor();
  });

  test("a test dispatch is made on the page, and is there at once", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto("/dashboard/dispatches");
    await page.getByRole("button", { name: "Make a test dispatch" }).click();
    await page.getByRole("button", { name: "Make it" }).click();
    await page.waitForURL(/dispatches\/dis_/);
    await expect.poll(() => page.getByRole("main").textContent()).toMatch(/upcoming.*test/);
  });

  test("a viewer is offered no test dispatch", async () => {
    const { page } = await signIn(browser, service.url, viewer);
    await page.goto("/dashboard/dispatches");
    await page.getByRole("region", { name: "In progress" }).waitFor();
    expect(await page.getByRole("button", { name: "Make a test dispatch" }).count()).toBe(0);
  });

  test("another account's dispatch and site are not there, by any address typed by hand", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto(`/dashboard/dispatches/${foreign.dispatch}`);
    await page.getByRole("heading", { name: "There is no such dispatch" }).waitFor();
    expect(await page.getByRole("main").textContent()).not.toContain("kW");
    await page.goto(`/dashboard/dispatches/${running}?site=${foreign.site}`);
    // Another's site is none of the dispatch's for this account: one of its own is shown.
    await page.getByRole("img", { name: /Load of Northgate cold store/ }).waitFor();
  });
});
