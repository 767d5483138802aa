import { participantClient } from "@curtail/client";
import { operator as api, listDispatches } from "@curtail/contract";
import type { Browser, Page } from "playwright-core";
import { describe, expect, vi } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound } from "../support/looks.js";
import { operate } from "../support/participant.js";
import { keepMeasured, newPortfolio, type Portfolio, runningDispatch } from "../support/portfolio.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const handle = (page: Page) => page.getByRole("slider", { name: "Time shown" });
const momentIn = (page: Page) => new URL(page.url()).searchParams.get("at");
const band = (page: Page) => page.getByText(/^Replay, /);

const PATIENT = { timeout: 30_000 };

describe.skipIf(!hasChromium)("a replay of a dispatch", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let operator: string;
  let portfolio: Portfolio;
  let running: string;
  let issuedMs: number;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    portfolio = await newPortfolio(service.url);
    const [north, , water] = portfolio.members;
    const contact = { name: "Ana Lopez", email: "ana@water.example", phone: "+1 555 010 0200" };
    await operate(service.url, api.createContact, { params: { id: water?.id ?? "" }, body: contact });
    running = await runningDispatch(service.url, portfolio);
    issuedMs = Date.now();
    keepMeasured(service.url, portfolio);
    await participantClient({ url: service.url, key: north?.key ?? "" }).call(listDispatches);
    operator = await newUser(service.url, "operator-admin");
  });

  const opened = async (looks = {}, search = "") => {
    const visited = await signIn(browser, service.url, operator, looks);
    await visited.page.goto(`/operations/dispatches/${running}${search}`);
    await visited.page.getByRole("img", { name: /^Delivered and committed/ }).waitFor(PATIENT);
    return visited;
  };
  test("shows the page at another moment, with every action off, and Back leads out of it", async () => {
    const visited = await opened({ widthPx: 1440 });
    const { page, faults } = visited;
    await page.getByRole("heading", { level: 1, name: /^Capacity 2026 delivers .* kW short/ }).waitFor(PATIENT);
    await page.getByRole("heading", { name: "2 of 3 accounts not notified" }).waitFor();
    await expectSound(visited, "operations-dispatch-live");
    await handle(page).press("ArrowLeft");
    await handle(page).press("ArrowLeft");
    await band(page).waitFor();
    await expect.poll(() => momentIn(page)).toMatch(/^20/);
    // It was issued while it ran.
    await page.getByRole("heading", { level: 1, name: "Capacity 2026 was not issued yet." }).waitFor();
    for (const name of [/^\+15 min/, "End now", "Cancel dispatch", /^Record the call/])
      expect(await page.getByRole("button", { name }).count()).toBe(0);
    expect(await page.getByRole("tab").count()).toBe(1);
    await page.getByRole("columnheader", { name: /^State at/ }).waitFor();
    await expectSound(visited, "operations-dispatch-replay");
    await page.goBack();
    await expect.poll(() => band(page).count()).toBe(0);
    expect(momentIn(page)).toBeNull();
    await page.getByRole("button", { name: "End now" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("opens at the moment of its address, plays on, and returns to now", async () => {
    const at = new Date(Date.now() - 120_000).toISOString().replace(/\.\d+/, "");
    const { page } = await opened({}, `?at=${at}`);
    await band(page).waitFor();
    const before = Number(await handle(page).getAttribute("aria-valuenow"));
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => handle(page).getAttribute("aria-valuenow")).toBe(String(before - 60));
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await expect.poll(async () => Number(await handle(page).getAttribute("aria-valuenow"))).toBeGreaterThan(before);
    await page.keyboard.press("l");
    await expect.poll(() => band(page).count()).toBe(0);
    await expect.poll(() => momentIn(page)).toBeNull();
  });

  test("shows who was not notified then, and a call from when it was recorded", async () => {
    const visited = await opened({ widthPx: 1440 });
    const { page } = visited;
    const recorded = new Date();
    const water = portfolio.members[2]?.id ?? "";
    const body = { account_id: water, person: "Ana", note: "will stop two pumps" };
    await operate(service.url, api.recordPhoneCall, { params: { id: running }, body });
    await page.getByRole("heading", { name: "1 of 3 accounts not notified" }).waitFor(PATIENT);
    const moment = (ms: number) => new Date(recorded.getTime() + ms).toISOString().replace(/\.\d+/, "");
    await page.goto(`/operations/dispatches/${running}?at=${moment(-2000)}`);
    await page.getByRole("heading", { name: /2 of 3 accounts not notified at/ }).waitFor(PATIENT);
    await page.getByRole("heading", { level: 1, name: /^Capacity 2026 delivered .* kW short/ }).waitFor();
    await page.getByText("Actions are off in a replay.").waitFor();
    await expectSound(visited, "operations-dispatch-replay-missing");
    await page.goto(`/operations/dispatches/${running}?at=${moment(3000)}`);
    await page.getByRole("heading", { name: /1 of 3 accounts not notified at/ }).waitFor(PATIENT);
  });

  test("plays on the wall as a drill: the same numbers at the same moments, and nobody to call", async () => {
    const { page, faults } = await opened({ widthPx: 1440 });
    const shownAt = async (address: string) => {
      await page.goto(address);
      await handle(page).waitFor(PATIENT);
      await page.getByRole("img", { name: /^Delivered and committed/ }).waitFor(PATIENT);
      await expect
        .poll(() => page.getByText(/accounts not notified|was not issued yet/).count(), PATIENT)
        .toBeGreaterThan(0);
      const notNotified = page.getByText(/\d of \d accounts not notified/).first();
      return {
        headline: await page.getByRole("heading", { level: 1 }).textContent(),
        notNotified:
          (await notNotified.count()) === 0 ? null : (await notNotified.textContent())?.match(/\d of \d/)?.[0],
        moment: await handle(page).getAttribute("aria-valuetext"),
      };
    };
    const seen: Array<Awaited<ReturnType<typeof shownAt>>> = [];
    // Before it was issued, before the call of the test above, and after it.
    for (const ms of [issuedMs - 60_000, issuedMs + 2000, Date.now() - 1000]) {
      const at = new Date(ms).toISOString().replace(/\.\d+/, "");
      // What is read is what is known now: readings may arrive between the two.
      const onWall = await vi.waitFor(async () => {
        const onPage = await shownAt(`/operations/dispatches/${running}?at=${at}`);
        const shown = await shownAt(`/operations/wall?replay=${running}&at=${at}`);
        expect(shown).toEqual(onPage);
        return shown;
      }, PATIENT);
      seen.push(onWall);
    }
    expect(seen.map(({ notNotified }) => notNotified)).toEqual([null, "2 of 3", "1 of 3"]);
    expect(new Set(seen.map(({ headline }) => headline)).size).toBeGreaterThan(1);
    expect(await page.locator("a[href^='tel:']").count()).toBe(0);
    expect(await page.getByText("+1 555 010 0200").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("is shown on the wall from the page, with the same keys, and ends on the live wall", async () => {
    const visited = await opened({ widthPx: 1440 });
    const { page } = visited;
    await handle(page).press("Home");
    await page.getByRole("link", { name: "Show on the wall" }).click();
    await page.waitForURL(/\/operations\/wall\?.*replay=/);
    await page.getByText(/^DRILL: a past dispatch, not live/).waitFor(PATIENT);
    await handle(page).waitFor(PATIENT);
    const before = Number(await handle(page).getAttribute("aria-valuenow"));
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => handle(page).getAttribute("aria-valuenow")).toBe(String(before + 60));
    await page.getByRole("button", { name: /^Speed of the replay/ }).click();
    await page.getByRole("menuitem", { name: "600×" }).click();
    await page.keyboard.press("p");
    await expect
      .poll(async () => Number(await handle(page).getAttribute("aria-valuenow")))
      .toBeGreaterThan(before + 120);
    await page.keyboard.press("p");
    await expectSound(visited, "operations-wall-drill");
    await page.keyboard.press("l");
    await page.waitForURL((url) => url.pathname === "/operations/wall" && url.search === "");
    expect(await page.getByText(/^DRILL/).count()).toBe(0);
  });

  test.each([
    ["light", 390],
    ["dark", 1920],
  ] as const)("is sound on the wall in %s at %i px", async (theme, widthPx) => {
    const visited = await signIn(browser, service.url, operator, { theme, widthPx });
    const at = new Date(Date.now() - 60_000).toISOString().replace(/\.\d+/, "");
    await visited.page.goto(`/operations/wall?replay=${running}&at=${at}`);
    await visited.page.getByRole("img", { name: /^Delivered and committed/ }).waitFor(PATIENT);
    await expectSound(visited, `operations-wall-drill-${widthPx}`);
  });

  test.each([
    ["light", 390],
    ["dark", 1024],
  ] as const)("is sound in %s at %i px", async (theme, widthPx) => {
    const visited = await opened({ theme, widthPx });
    await visited.page.getByRole("region", { name: "Sites of the dispatch" }).waitFor(PATIENT);
    await expectSound(visited, `operations-dispatch-live-${widthPx}`);
    await handle(visited.page).press("Home");
    await band(visited.page).waitFor();
    await expectSound(visited, `operations-dispatch-replay-${widthPx}`);
  });
});
