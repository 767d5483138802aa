import { operator } from "@curtail/contract";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { operate } from "../support/participant.js";
import { keepMeasured, newPortfolio, type Portfolio, runningDispatch } from "../support/portfolio.js";
import { type ReturningService, returningService } from "../support/returning-service.js";
import { live, loadedAhead, newUser, signIn } from "../support/visit.js";

const PATIENT = { timeout: 40_000 };

const pageOf = (id: string): string => `/operations/dispatches/${id}`;

/** One operator acts, while another has the same service open in a separate window. */
describe.skipIf(!hasChromium)("an operator's peak day", () => {
  let service: ReturningService;
  let portfolio: Portfolio;
  let running: string;
  let acting: Page;
  let watching: Page;
  let useLess: () => Promise<void>;

  test.beforeAll(async ({ browser }) => {
    service = await returningService();
    portfolio = await newPortfolio(service.url);
    running = await runningDispatch(service.url, portfolio);
    useLess = keepMeasured(service.url, portfolio);
    const [ours, theirs] = [await newUser(service.url, "operator-admin"), await newUser(service.url, "operator")];
    acting = (await signIn(browser, service.url, ours)).page;
    watching = (await signIn(browser, service.url, theirs)).page;
  }, 120_000);

  const stored = (id = running) => operate(service.url, operator.getAnyDispatch, { params: { id } });
  const button = (name: string | RegExp) => acting.getByRole("button", { name, exact: typeof name === "string" });

  test("an end that has passed by mistake is asked about, and the right one is seen by both", async () => {
    for (const page of [acting, watching]) {
      await page.goto(pageOf(running));
      await page.getByRole("heading", { level: 1, name: /delivers [\d,]+ of/ }).waitFor();
    }
    await button("Change times").click();
    const passed = new Date(Date.now() - 600_000).toLocaleString("sv-SE", { timeZone: "America/Chicago" });
    await acting.getByLabel("End", { exact: true }).fill(passed.replace(" ", "T").slice(0, 16));
    await button("Change").click();
    await acting.getByText("End this dispatch now?").waitFor();
    await button("Back").last().click();
    expect(await stored()).toMatchObject({ modification_number: 0 });
    await acting.goto(pageOf(running));
    await button("Change times").click();
    // The page has such a button, too.
    await acting.getByRole("dialog").waitFor();
    await button("+60 min").click();
    await button("Change").click();
    for (const page of [acting, watching])
      await page
        .getByText(/ends in 1:[34]\d:/)
        .first()
        .waitFor(PATIENT);
  }, 120_000);

  test("sites that are dispatched already are dispatched again after a second question, and both see it", async () => {
    await watching.goto("/operations/dispatches?state=upcoming");
    await acting.goto("/operations/dispatches/new");
    await button("Start in 10 min").click();
    await acting.getByLabel("Sites to dispatch").selectOption("A dispatch group");
    await acting.getByLabel("Dispatch group").selectOption("north");
    await button("Preview").click();
    await acting.getByRole("region", { name: "Sites already dispatched" }).waitFor();
    await button("Dispatch 2 sites, 210 kW").click();
    await button("Dispatch anyway").click();
    await acting.waitForURL(/\/operations\/dispatches\/dis_/);
    const id = acting.url().replace(/^.*\//, "");
    expect(await stored(id)).toMatchObject({ authorized: true });
    await watching.locator(`a[href$="${id}"]`).first().waitFor(PATIENT);
  }, 120_000);

  test("a click while the connection is lost opens its page, which both fill once the service is back", async () => {
    await watching.goto("/operations");
    await acting.goto(pageOf(running));
    for (const page of [acting, watching]) await live(page).waitFor(PATIENT);
    await loadedAhead(acting, "alarms");
    await service.whileAway(async () => {
      await acting.getByRole("link", { name: "Alarms" }).first().click();
      await acting.getByRole("heading", { level: 1, name: "Alarms" }).waitFor();
      await acting
        .getByText(/Not connected, retrying…|No update (since|for)/)
        .first()
        .waitFor(PATIENT);
      await watching
        .getByText(/No update since/)
        .first()
        .waitFor(PATIENT);
    });
    for (const page of [acting, watching]) await live(page).waitFor(PATIENT);
    await expect.poll(() => acting.getByText("Not connected").count(), PATIENT).toBe(0);
    await watching.getByText("Capacity 2026").first().waitFor();
  }, 180_000);

  test("a zoomed curve stays while readings come in, and the other window sees all of it", async () => {
    for (const page of [acting, watching]) await page.goto(pageOf(running));
    const [ours, theirs] = [curveOf(acting), curveOf(watching)];
    await ours.getByRole("img").waitFor(PATIENT);
    await theirs.getByRole("img").waitFor(PATIENT);
    await ours.getByRole("button", { name: "Zoom, table and file of the chart" }).click();
    await acting.getByRole("menuitem", { name: "Zoom in" }).click();
    const shown = await ours.getByText(/ shown$/).textContent();
    const before = await ours.getByRole("img").getAttribute("aria-label");
    await useLess();
    await expect.poll(() => ours.getByRole("img").getAttribute("aria-label"), { timeout: 60_000 }).not.toBe(before);
    expect(await ours.getByText(/ shown$/).textContent()).toBe(shown);
    expect(await theirs.getByText(/ shown$/).count()).toBe(0);
  }, 120_000);

  test("a cancelled dispatch is judged in neither window", async () => {
    await button("Cancel dispatch").click();
    await button("Cancel it").click();
    for (const page of [acting, watching]) {
      await page.getByText("cancelled", { exact: true }).first().waitFor(PATIENT);
      await page.getByRole("heading", { level: 1, name: /was cancelled\.$/ }).waitFor(PATIENT);
      expect(await page.locator("main").innerText()).not.toMatch(/(below|on|above) commitment|shortfall/i);
    }
    expect(await stored()).toMatchObject({ authorized: false });
  }, 120_000);
});

const curveOf = (page: Page) =>
  page.getByRole("figure").filter({ has: page.getByRole("img", { name: /^Delivered and committed/ }) });
