import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { dragOver, edgesOf, placeIn } from "../support/chart.js";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound } from "../support/looks.js";
import { keepMeasured, newPortfolio, type Portfolio, runningDispatch } from "../support/portfolio.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const PATIENT = { timeout: 60_000 };

describe.skipIf(!hasChromium)("charts", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let operator: string;
  let portfolio: Portfolio;
  let running: string;
  let useLess: () => Promise<void>;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    portfolio = await newPortfolio(service.url);
    running = await runningDispatch(service.url, portfolio);
    useLess = keepMeasured(service.url, portfolio);
    operator = await newUser(service.url, "operator-admin");
  });

  const site = () => portfolio.members[0]?.sites[0]?.id ?? "";

  test("show values at the pointer and by keys, and lead to the dispatch that they mark", async () => {
    const visited = await signIn(browser, service.url, operator);
    const { page } = visited;
    await page.goto(`/operations/sites/${site()}`);
    const figure = page.getByRole("figure");
    const chart = figure.getByRole("img");
    await chart.waitFor();
    const at = await placeIn(chart);
    await page.mouse.move(...at(0.97, 0.4));
    await expect.poll(() => figure.innerText()).toMatch(/\d\d:\d\d.*Site\s+\d+\.\d kW/s);
    await page.mouse.move(0, 0);
    await expect.poll(() => figure.locator("[data-chart-time]").count()).toBe(0);
    const slider = figure.getByRole("slider");
    await slider.press("End");
    const last = await slider.getAttribute("aria-valuetext");
    await slider.press("ArrowLeft");
    expect(await slider.getAttribute("aria-valuetext")).not.toBe(last);
    expect(await figure.locator("[aria-live=polite]").textContent()).toMatch(/^Site \d+\.\d kW/);
    await expectSound(visited, "chart-values");
    const download = page.waitForEvent("download");
    await figure.getByRole("button", { name: "Download CSV" }).click();
    expect((await download).suggestedFilename()).toMatch(/^freezer-hall-1-\d{4}-\d\d-\d\d\.csv$/);
    await page.keyboard.press("[");
    await page.waitForURL(/day=\d{4}-\d\d-\d\d/);
    await page.getByRole("button", { name: "Next day" }).click();
    await page.waitForURL((url) => !url.searchParams.has("day"));
    await figure.getByRole("link", { name: "Dispatch Capacity 2026" }).click();
    await page.waitForURL(`**/operations/dispatches/${running}`);
  });

  test("keep their zoom through new readings and a reload, and have a way back", { timeout: 180_000 }, async () => {
    const { page } = await signIn(browser, service.url, operator);
    await page.goto(`/operations/dispatches/${running}`);
    const chart = page.getByRole("img", { name: /^Delivered and committed/ });
    await chart.waitFor();
    await dragOver(page, chart, [0.2, 0.4]);
    await page.waitForURL(/zoom=\d+\.\.\d+/);
    const edges = await edgesOf(page, chart);
    const before = await chart.getAttribute("aria-label");
    await useLess();
    await expect.poll(() => chart.getAttribute("aria-label"), PATIENT).not.toBe(before);
    expect(await edgesOf(page, chart)).toEqual(edges);
    await page.reload();
    await chart.waitFor();
    await expect.poll(() => edgesOf(page, chart)).toEqual(edges);
    await page.getByRole("slider").first().press("Escape");
    await page.waitForURL((url) => !url.searchParams.has("zoom"));
    await page.goBack();
    await page.goForward();
    await chart.waitFor();
    await page.mouse.move(...(await placeIn(chart))(0.5, 0.5));
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -300);
    await page.keyboard.up("Control");
    await page.waitForURL(/zoom=\d+\.\.\d+/);
    await page.getByRole("button", { name: "Reset zoom" }).click();
    await page.waitForURL((url) => !url.searchParams.has("zoom"));
  });

  test("hang on a wall, with all dispatches at once, and say when nobody is signed in", async () => {
    const second = await runningDispatch(service.url, portfolio, { minutesAgo: 5, minutesLeft: 30 });
    const own = await newUser(service.url, "auditor");
    const visited = await signIn(browser, service.url, own, { widthPx: 1920, heightPx: 1080 });
    const { page } = visited;
    await page.goto("/operations/wall");
    const rows = page.getByRole("list", { name: "Dispatches in progress" }).getByRole("listitem");
    await expect.poll(() => rows.count()).toBe(2);
    const figure = await page.evaluate<string>(
      "getComputedStyle(document.querySelector('[aria-label=\"Dispatches in progress\"] li > div:nth-child(2) > div')).fontSize",
    );
    // 20 minutes of arc at 5 m, on a screen of 1920 px that is 1.2 m wide, are 46 px.
    expect(Number.parseFloat(figure)).toBeGreaterThanOrEqual(46);
    await page.getByRole("button", { name: "Dark" }).click();
    await page.waitForURL(/theme=dark/);
    await expectSound(visited, "operations-wall");
    expect(second).not.toBe(running);
    await page.request.post("/auth/sign-out", { data: {} });
    await page.getByText(/This display is signed out\. The numbers are from/).waitFor(PATIENT);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("by 2 dispatches");
  });
});
