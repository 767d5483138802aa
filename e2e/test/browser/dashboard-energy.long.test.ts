import { participantClient } from "@curtail/client";
import { changeSchedule, operator } from "@curtail/contract";
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { type ColdStores, callFor, curtail, newColdStores, runUsually, usualKw } from "../support/cold-stores.js";
import { expectSound, expectSoundInEachLook, LOOKS_MS } from "../support/looks.js";
import { operate } from "../support/participant.js";
import { uploadLoad } from "../support/readings.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const HOUR_MS = 3_600_000;

describe.skipIf(!hasChromium)("the participants' sites", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let stores: ColdStores;
  let admin: string;
  let viewer: string;
  let solarId: string;
  let foreignSite: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    const { url } = service;
    stores = await newColdStores(url);
    [admin, viewer] = await Promise.all([
      newUser(url, "participant-admin", stores.accountId),
      newUser(url, "participant-viewer", stores.accountId),
    ]);
    await runUsually(url, stores, 8);
    solarId = await addSolar(url);
    await addHidden(url);
    await callFor(url, stores.programId, [-10, 110], { sites: [{ site_id: stores.sites[0]?.id, commitment: 150 }] });
    await callFor(url, stores.programId, [45, 165], { sites: [{ site_id: stores.sites[1]?.id, commitment: 220 }] });
    const [called] = stores.sites;
    if (called !== undefined) await curtail(url, stores.key, called, Date.now() - 600_000, 0.9);
    for (const days of [2, 40]) await block(url, days);
    foreignSite = (await newColdStores(url, "Competitor")).sites[0]?.id ?? "";
  }, 120_000);

  /** Makes the first site unavailable for four hours, days ahead. */
  const block = async (url: string, days: number): Promise<void> => {
    const at = (hours: number) => new Date(Date.now() + days * 24 * HOUR_MS + hours * HOUR_MS).toISOString();
    const body = { available: false, start_time: at(0), end_time: at(4) };
    const params = { site_id: stores.sites[0]?.id ?? "" };
    await participantClient({ url, key: stores.key }).call(changeSchedule, { params, body });
  };

  /** A second meter that exports during the day, and was silent for a while. */
  const addSolar = async (url: string): Promise<string> => {
    const [, , site] = stores.sites;
    if (site === undefined) throw new Error("there are no three sites");
    const body = { name: "Solar roof", asset_type: "generator" as const };
    const { id } = await operate(url, operator.createMeter, { params: { id: site.id }, body });
    const now = Date.now();
    const isSilent = (endMs: number) => endMs > now - 30 * HOUR_MS && endMs < now - 28 * HOUR_MS;
    const roof = (endMs: number) =>
      isSilent(endMs) ? null : Math.min(0, 2.4 * (2.06 * site.commitmentKw - usualKw(site, endMs)));
    await uploadLoad(url, stores.key, id, { fromMs: now - 8 * 24 * HOUR_MS, toMs: now, intervalSeconds: 300 }, roof);
    return site.id;
  };

  /** A site that is streaming and whose data is not visible yet. */
  const addHidden = async (url: string): Promise<void> => {
    const body = { name: "Harbour annex", timezone: "America/Chicago", meters: [{ name: "Main" }] };
    await operate(url, operator.createSite, { params: { id: stores.accountId }, body });
  };

  test("are sound by day and by night, on a phone and on a wall", { timeout: LOOKS_MS }, async () => {
    await expectSoundInEachLook(
      (looks) => signIn(browser, service.url, admin, looks),
      [
        { address: "/dashboard", name: "dashboard-now" },
        {
          address: `/dashboard/energy?site=${solarId}&period=7d`,
          name: "dashboard-energy",
          ready: (page) => page.getByRole("img", { name: /Power of Elm Street/ }).waitFor(),
        },
        {
          address: "/dashboard/energy?span=month&compare=before",
          name: "dashboard-energy-bars",
          ready: (page) => page.getByRole("slider", { name: /Energy by day/ }).waitFor(),
        },
        { address: "/dashboard/availability", name: "dashboard-availability" },
      ],
    );
  });

  test("stand now with load, age, availability and the dispatch that calls them", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto("/dashboard");
    const site = (name: string) => page.getByRole("article", { name });
    await expect
      .poll(() => site("Northgate cold store").textContent(), { timeout: 20_000 })
      .toMatch(/delivered now, \d+% of 150 kW.*Last five minutes/);
    expect(await site("Northgate cold store").textContent()).toMatch(
      /available.*kW.*Last reading .* ago.*1:\d\d:\d\d left/,
    );
    expect(await site("Riverside distribution centre").textContent()).toMatch(/in 0:\d\d:\d\d.*commitment 220 kW/);
    expect(await site("Harbour annex").textContent()).toContain("Data not visible yet");
    const banner = page.getByRole("region", { name: "Sites whose data is not visible yet" });
    expect(await banner.textContent()).toContain("no readings in the last 15 minutes: Harbour annex");
    await banner.getByText("What is missing").click();
    await banner.getByRole("heading", { name: "Harbour annex" }).waitFor();
    expect(await banner.textContent()).toContain("Data visibility is enabled by the operator (not yet)");
    await banner.getByRole("link", { name: "Get connected" }).click();
    await page.waitForURL("**/dashboard/connect");
  });

  test("show a period with its sums, and a part of it closer when it is dragged over", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto(`/dashboard/energy?view=power&site=${stores.sites[0]?.id}`);
    await page.getByRole("button", { name: "7 days" }).click();
    await page.getByText(/averages over 15 min/).waitFor();
    expect(page.url()).toContain("period=7d");
    await page.reload();
    await page.getByText(/averages over 15 min/).waitFor();
    const chart = page.getByRole("img", { name: /Power of Northgate cold store/ }).locator(".u-over");
    const box = await chart.boundingBox();
    if (box === null) throw new Error("there is no chart");
    await page.mouse.move(box.x + box.width * 0.5, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.55, box.y + 60, { steps: 5 });
    await page.mouse.up();
    await page.getByText(/averages over (30 s|1 min)/).waitFor();
    expect(page.url()).toContain("zoomFrom=");
    await page.getByRole("button", { name: "Show the whole period" }).click();
    await page.getByText(/averages over 15 min/).waitFor();
  });

  test("are downloaded as CSV and Parquet", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto(`/dashboard/energy?site=${solarId}&period=yesterday`);
    const contents: string[] = [];
    for (const name of ["CSV", "Parquet"]) {
      const download = page.waitForEvent("download");
      await page.getByRole("link", { name, exact: true }).click();
      const parts = await (await (await download).createReadStream()).toArray();
      contents.push(Buffer.concat(parts as Buffer[]).toString("latin1"));
    }
    expect(contents[0]).toMatch(/^timestamp,meter_id,meter_name,power_kw,energy_kwh,coverage,charge_kwh\r\n/);
    expect(contents[0]).toContain("Solar roof");
    expect(contents[1]?.slice(0, 4)).toBe("PAR1");
  });

  test("take a period from and to, on the clocks of the site", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto("/dashboard/energy?view=power");
    await page.getByRole("button", { name: "From – to" }).click();
    const day = new Date(Date.now() - 48 * HOUR_MS).toISOString().slice(0, 10);
    await page.getByRole("textbox", { name: "From" }).fill(`${day}T08:00`);
    await page.getByRole("textbox", { name: "To", exact: true }).fill(`${day}T10:00`);
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByText(/08:00 – .*10:00 \(America\/Chicago\)/).waitFor();
    expect(page.url()).toContain("period=custom");
  });

  test("are taken out of dispatching for a while, and given back", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto(`/dashboard/availability?site=${stores.sites[2]?.id}`);
    await page.getByText("Always available.").waitFor();
    await page.getByRole("button", { name: "Add block" }).click();
    const day = new Date(Date.now() + 72 * HOUR_MS).toISOString().slice(0, 10);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "From" }).fill(`${day}T08:00`);
    await dialog.getByLabel("To").fill(`${day}T07:00`);
    await dialog.getByRole("button", { name: "Add block" }).click();
    await expect.poll(() => dialog.getByLabel("To").getAttribute("aria-invalid")).toBe("true");
    await dialog.getByLabel("To").fill(`${day}T12:30`);
    await dialog.getByRole("button", { name: "Add block" }).click();
    await page.getByText("not available, 4 h 30 min").waitFor();
    const thisMonth = new Date().toLocaleDateString("en-CA", { timeZone: "America/Chicago" }).slice(0, 7);
    if (!day.startsWith(thisMonth)) await page.getByRole("button", { name: "Next month" }).click();
    await page.getByRole("button", { name: `${Number(day.slice(8))} not available for a part` }).click();
    await dialog.getByRole("button", { name: "Change" }).click();
    expect(await dialog.getByLabel("To").inputValue()).toBe("12:30");
    await dialog.getByLabel("The site is").selectOption("reduced");
    await dialog.getByLabel("Can reduce by (kW)").fill("20");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("at most 20.0 kW, 4 h 30 min").waitFor();
    await page.getByText(/08:00 – .*12:30/).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete block" }).click();
    await page.getByText("Always available.").waitFor();
  });

  test("are taken out of dispatching every week, several at once, by a click on a day", async () => {
    const visited = await signIn(browser, service.url, admin);
    const { page } = visited;
    await page.goto("/dashboard/availability");
    // No block of the scene is so far ahead.
    for (let months = 0; months < 3; months++) await page.getByRole("button", { name: "Next month" }).click();
    await page.getByRole("button", { name: /^1 available/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Changes must be made before the block starts.").waitFor();
    await expectSound(visited, "dashboard-availability-day");
    await dialog.getByLabel("Harbour annex").uncheck();
    await dialog.getByLabel("Repeat").selectOption("weekly");
    const until = await dialog.getByLabel("Until").inputValue();
    await dialog.getByLabel("Until").fill(`${until.slice(0, 8)}15`);
    await dialog.getByRole("button", { name: "Add 9 blocks" }).click();
    await page.getByRole("button", { name: /^15 3 of 4 sites not available/ }).waitFor();
    await page.getByRole("button", { name: /^8 3 of 4 sites not available/ }).click();
    await dialog.getByRole("button", { name: "Delete series" }).first().click();
    await page.getByRole("button", { name: "Delete 6 blocks" }).click();
    await dialog.getByText("All sites are available all day.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^15 available/ }).waitFor();
  });

  test("stand in bars by day, chosen by keyboard, and a bar opens its day", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto(`/dashboard/energy?span=month&site=${stores.sites[0]?.id}`);
    const bars = page.getByRole("slider", { name: /Energy by day/ });
    await bars.focus();
    await page.keyboard.press("Home");
    expect(await bars.getAttribute("aria-valuetext")).toMatch(/^\w{3},? 1 \w{3,4}: /);
    await page.keyboard.press("Enter");
    await page.getByRole("slider", { name: /Energy by hour/ }).waitFor();
    expect(page.url()).toMatch(/span=day.*at=|at=.*span=day/);
    await page.getByLabel("Compare with").selectOption("before");
    await page.getByText("Show as table").click();
    await page.getByRole("region", { name: "Energy as a table" }).getByRole("row").nth(23).waitFor();
    await page.getByRole("button", { name: "Previous day" }).click();
    expect(page.url()).toContain("compare=before");
  });

  test("a viewer is offered no block", async () => {
    const { page } = await signIn(browser, service.url, viewer);
    await page.goto("/dashboard/availability");
    await page.getByText("not available, 4 h 00 min").first().waitFor();
    expect(await page.getByRole("button", { name: /Add block|Delete/ }).count()).toBe(0);
  });

  test("another account's site is not there, by any address typed by hand", async () => {
    const { page } = await signIn(browser, service.url, admin);
    for (const path of ["energy", "availability"]) {
      await page.goto(`/dashboard/${path}?site=${foreignSite}`);
      await page.getByText("Your account has no site at this address.").waitFor();
      expect(await page.getByRole("img", { name: /Power of/ }).count()).toBe(0);
    }
    const answers = await page.evaluate(async (id) => {
      const paths = [`sites/${id}/energy`, `sites/${id}/energy/download`, `sites/${id}/schedule`];
      return Promise.all(paths.map(async (path) => (await fetch(`/console/v1/${path}`)).status));
    }, foreignSite);
    expect(answers).toEqual([404, 404, 404]);
  });
});
