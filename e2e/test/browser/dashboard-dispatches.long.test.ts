import { operator } from "@curtail/contract";
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { type ColdStores, callFor, curtail, newColdStores, runUsually } from "../support/cold-stores.js";
import { expectSound, expectSoundInEachLook, expectWholeTable, LOOKS_MS } from "../support/looks.js";
import { operate } from "../support/participant.js";
import { type PlainReceiver, plainReceiver } from "../support/plain-receiver.js";
import { uploadLoad } from "../support/readings.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";
import { registerWebhook } from "../support/webhooks.js";

const RUNNING_MINUTES = 40;
const LONG_MS = 60_000;

describe.skipIf(!hasChromium)("the participants' dispatches", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let stores: ColdStores;
  let admin: string;
  let viewer: string;
  let running: string;
  let startMs: number;
  let over: string;
  let receiver: PlainReceiver;
  let foreign: { readonly dispatch: string; readonly site: string };

  /** Uploads what the sites of the running dispatch deliver of their commitments. */
  const reportUntilNow = async (): Promise<void> => {
    const shares = [1.02, 0.84, 0.4];
    for (const [index, site] of stores.sites.entries())
      await curtail(service.url, stores.key, site, startMs, shares[index] ?? 1);
  };

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    [service, receiver] = await Promise.all([webService(), plainReceiver()]);
    const { url } = service;
    stores = await newColdStores(url);
    admin = await newUser(url, "participant-admin", stores.accountId);
    viewer = await newUser(url, "participant-viewer", stores.accountId);
    await runUsually(url, stores);
    await registerWebhook(url, stores, receiver.url);
    running = await callFor(url, stores.programId, [-RUNNING_MINUTES, 80]);
    startMs = Date.now() - RUNNING_MINUTES * 60_000;
    await reportUntilNow();
    await callFor(url, stores.programId, [95, 215], { test: true });
    const cancelled = await callFor(url, stores.programId, [300, 360]);
    await operate(url, operator.changeDispatch, { params: { id: cancelled }, body: { authorized: false } });
    over = await callFor(url, stores.programId, [-300, -180]);
    const others = await newColdStores(url, "Competitor");
    foreign = { dispatch: await callFor(url, others.programId, [-5, 60]), site: others.sites[0]?.id ?? "" };
  }, 120_000);

  test("are sound by day and by night, on a phone and on a wall", { timeout: LOOKS_MS }, async () => {
    await expectSoundInEachLook(
      (looks) => signIn(browser, service.url, admin, looks),
      [
        { address: "/dashboard/dispatches", name: "dashboard-dispatches" },
        {
          address: `/dashboard/dispatches/${running}`,
          name: "dashboard-dispatch",
          ready: (page) => page.getByRole("heading", { name: "How the baseline was calculated" }).waitFor(),
        },
      ],
    );
  });

  test("show all columns of their sites and of past dispatches without scrolling sideways", async () => {
    const { page } = await signIn(browser, service.url, viewer);
    await page.goto(`/dashboard/dispatches/${running}`);
    await expectWholeTable(page, "Sites of the dispatch");
    await page.goto("/dashboard/dispatches");
    await expectWholeTable(page, "Past dispatches");
  });

  test("show a new reading without a reload", async () => {
    const { page } = await signIn(browser, service.url, admin);
    const [site] = stores.sites;
    if (site === undefined) throw new Error("there are no sites");
    await page.goto(`/dashboard/dispatches/${running}?site=${site.id}`);
    const row = page.getByRole("row", { name: /Northgate cold store/ });
    await row.waitFor();
    const curve = page.getByRole("img", { name: /Load of Northgate cold store/ });
    const before = await curve.getAttribute("aria-label");
    // The whole site is switched off: the delivered energy keeps growing.
    await curtail(service.url, stores.key, site, Date.now() - 1_200_000, 2);
    await expect.poll(() => row.textContent(), { timeout: 15_000 }).toContain("well above commitment");
    await expect.poll(() => curve.getAttribute("aria-label")).not.toBe(before);
  });

  test(
    "keep each final result, and a reading that is corrected makes another",
    async () => {
      const { page } = await signIn(browser, service.url, admin);
      await page.goto(`/dashboard/dispatches/${over}`);
      await page.getByText("This result is final.").waitFor();
      const versions = page.getByRole("list", { name: "Versions of the final result" });
      expect(await versions.textContent()).toMatch(/Version 1.*shown/);
      const [site] = stores.sites;
      const span = { fromMs: Date.now() - 14_400_000, toMs: Date.now() - 13_200_000, intervalSeconds: 300 };
      await uploadLoad(service.url, stores.key, site?.meterId ?? "", span, () => 120);
      await expect.poll(() => versions.textContent(), { timeout: 30_000 }).toMatch(/Version 2.*were corrected.*shown/);
      await page.getByRole("link", { name: "Version 1" }).click();
      await page.waitForURL(/version=1/);
      await expect.poll(() => versions.textContent()).toMatch(/Version 2.*Version 1.*shown/);
    },
    LONG_MS,
  );

  test("show how the account was notified, and resend a delivery", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto(`/dashboard/dispatches/${running}`);
    await page.getByRole("tab", { name: "How you were notified" }).click();
    const happened = page.getByRole("region", { name: "Notification history" });
    await expect.poll(() => happened.textContent(), { timeout: 15_000 }).toMatch(/Webhook.*delivered/);
    const deliveries = page.getByRole("region", { name: "Deliveries" });
    await expect.poll(() => deliveries.textContent()).toContain("1 attempt");
    const before = receiver.bodies.length;
    await deliveries.getByRole("button", { name: "Resend" }).click();
    await expect.poll(() => receiver.bodies.length).toBe(before + 1);
    await expect.poll(() => deliveries.textContent()).toContain("2 attempts");
    await expectSound({ page, context: page.context(), faults: [] }, "dashboard-dispatch-told");
  });

  test("a test dispatch is made on the page, and is there at once", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto("/dashboard/dispatches");
    await page.getByRole("button", { name: "Create a test dispatch" }).click();
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.waitForURL(/dispatches\/dis_/);
    await expect.poll(() => page.getByRole("main").textContent()).toMatch(/upcoming.*test/);
  });

  test("times are the sites' wherever the browser is, with years over a year's end, as is a file's day", async () => {
    const [site] = stores.sites;
    const [start_time, end_time] = ["2025-12-31T03:00:00Z", "2026-01-02T06:30:00Z"];
    const sites = [{ site_id: site?.id ?? "" }];
    const body = { program_id: stores.programId, start_time, end_time, confirm_past: true, sites };
    const { id } = await operate(service.url, operator.createDispatch, { body });
    const { page } = await signIn(browser, service.url, admin, { timezoneId: "Asia/Tokyo" });
    await page.goto("/dashboard/dispatches");
    const when = "Tue 30 Dec 2025, 21:00 – Fri 2 Jan 2026, 00:30";
    await page.getByRole("region", { name: "Past" }).getByText(when).waitFor();
    const foot = (whose: string) => page.getByText(new RegExp(`^Times on this page are in Central time .*${whose}`));
    await foot("your sites").waitFor();
    await page.goto(`/dashboard/dispatches/${id}`);
    await page.getByText(`${when} Central time`).waitFor();
    await foot("Summer capacity").waitFor();
    const zone = page.getByLabel(/^Times in /).first();
    await zone.selectOption({ label: "Japan standard time, yours" });
    const inTokyo = page.getByText("Wed 31 Dec 2025, 12:00 – Fri 2 Jan 2026, 15:30 Japan standard time");
    await inTokyo.waitFor();
    await page.reload();
    await inTokyo.waitFor();
    await page.getByTitle("30 Dec 2025, 21:00:00 Central time").first().waitFor();
    await zone.selectOption({ label: "Central time, of Summer capacity" });
    await page.getByText(when).waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download curve (CSV)" }).click();
    expect((await download).suggestedFilename()).toBe("Northgate cold store 2025-12-30.csv");
    await page.goto("/dashboard/keys");
    await page.getByText(/^Times on this page are in Japan standard time .*your time zone/).waitFor();
  });

  test("a test's times are typed on the sites' clocks, also on the days that they change", async () => {
    const { page } = await signIn(browser, service.url, admin, { timezoneId: "Asia/Tokyo" });
    await page.goto("/dashboard/dispatches");
    await page.getByRole("button", { name: "Create a test dispatch" }).click();
    const form = page.getByRole("dialog");
    await expect.poll(() => form.getByText("In America/Chicago").count()).toBe(2);
    await form.getByLabel("Start").fill("2027-03-14T02:30");
    await form
      .getByText("This time does not exist on that day, because the clocks go forward. Choose another.")
      .waitFor();
    await form.getByLabel("Start").fill("2027-11-07T01:30");
    await form.getByText("this time occurs twice, the first one applies").waitFor();
  });

  test("a viewer is offered no test dispatch", async () => {
    const { page } = await signIn(browser, service.url, viewer);
    await page.goto("/dashboard/dispatches");
    await page.getByRole("region", { name: "In progress" }).waitFor();
    expect(await page.getByRole("button", { name: "Create a test dispatch" }).count()).toBe(0);
  });

  test("another account's dispatch and site are not there, by any address typed by hand", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto(`/dashboard/dispatches/${foreign.dispatch}`);
    await page.getByRole("heading", { name: "There is no such dispatch" }).waitFor();
    expect(await page.getByRole("main").textContent()).not.toContain("kW");
    await page.goto(`/dashboard/dispatches/${running}?site=${foreign.site}`);
    // For this account, another's site is not part of the dispatch, so one of its own is shown.
    await page.getByRole("img", { name: /Load of Northgate cold store/ }).waitFor();
    const answers = await page.evaluate(async ({ dispatch, site }) => {
      const of = `dispatches/${dispatch}`;
      const paths = ["", "/performance", `/sites/${site}/performance`, "/evidence", "/deliveries"];
      return Promise.all(paths.map(async (path) => (await fetch(`/console/v1/${of}${path}`)).status));
    }, foreign);
    expect(answers).toEqual([404, 404, 404, 404, 404]);
  });
});
