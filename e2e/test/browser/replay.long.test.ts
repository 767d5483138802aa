import { participantClient } from "@curtail/client";
import { operator as api, listDispatches } from "@curtail/contract";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
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

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    portfolio = await newPortfolio(service.url);
    const [north, , water] = portfolio.members;
    const contact = { name: "Ana Lopez", email: "ana@water.example", phone: "+1 555 010 0200" };
    await operate(service.url, api.createContact, { params: { id: water?.id ?? "" }, body: contact });
    running = await runningDispatch(service.url, portfolio);
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
