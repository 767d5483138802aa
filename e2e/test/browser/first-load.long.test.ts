import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { noteShifts, shiftsOf } from "../support/layout-shift.js";
import { newParticipant } from "../support/participant.js";
import { newPortfolio, type Portfolio, runningDispatch } from "../support/portfolio.js";
import type { ServiceProcess } from "../support/service-process.js";
import { live, newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

/** Each costs a round trip. */
const MAX_SCRIPTS = 8;
/** The other pages are loaded once this one is idle for longer. */
const QUIET_MS = 1000;
/** Longer than a page waits until it loads others. */
const CALM_MS = 4000;
const SERVICE = /^\/(auth|operator|console)\//;
/** Changes, and what is asked about a dispatch once it is known. */
const LATER = /\/stream$|\/dis_/;
/** A phone at the edge of its network. */
const SLOW_NETWORK = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const MAX_SHIFT = 0.02;

describe.skipIf(!hasChromium)("a first load", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let portfolio: Portfolio;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    portfolio = await newPortfolio(service.url);
    await runningDispatch(service.url, portfolio);
  });

  test.each([
    ["/operations", "operator-admin", 190],
    ["/dashboard", "participant-admin", 150],
    // With its charts.
    ["/dashboard/energy", "participant-admin", 230],
  ] as const)("of %s as %s takes less than %i kB compressed", async (address, role, mostKb) => {
    const accountId = role.startsWith("participant") ? (await newParticipant(service.url, 1)).accountId : null;
    const { page, context } = await signIn(browser, service.url, await newUser(service.url, role, accountId));
    const client = await context.newCDPSession(page);
    let bytes = 0;
    client.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
    await client.send("Network.enable");
    await client.send("Network.setCacheDisabled", { cacheDisabled: true });
    await page.goto(address);
    await page.locator("h1").waitFor();
    await expect.poll(() => page.getByText("Loading…").count()).toBe(0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes / 1000).toBeLessThan(mostKb);
  });

  test.each([
    ["/operations", "operator-admin", "Board"],
    ["/dashboard", "participant-admin", "Availability"],
  ] as const)(
    "of %s shows its frame at once, and needs eight scripts at most, which its HTML names",
    async (address, role, word) => {
      const accountId = role.startsWith("participant") ? (await newParticipant(service.url, 1)).accountId : null;
      const { page } = await signIn(browser, service.url, await newUser(service.url, role, accountId));
      const scripts: string[] = [];
      page.on("request", (request) => {
        if (request.resourceType() === "script") scripts.push(new URL(request.url()).pathname);
      });
      const html = (await (await page.goto(address, { waitUntil: "commit" }))?.text()) ?? "";
      await page.locator("h1").waitFor();
      expect(/<div id="first-frame">(.*)<\/div>/.exec(html)?.[1]).toMatch(
        new RegExp(`</svg> <span[^>]*>${word}</span></a>`),
      );
      await page.waitForTimeout(QUIET_MS);
      expect(scripts.filter((script) => !html.includes(`"${script}"`))).toEqual([]);
      expect(scripts.length).toBeLessThanOrEqual(MAX_SCRIPTS);
      await expect.poll(() => page.locator("#first-frame").count()).toBe(0);
    },
  );

  test.each([
    ["/operations", "operator-admin"],
    ["/dashboard", "participant-admin"],
  ] as const)("of %s as %s asks for nothing that its HTML does not name before it is in use", async (address, role) => {
    const accountId = role === "participant-admin" ? (portfolio.members[0]?.id ?? null) : null;
    const { page } = await signIn(browser, service.url, await newUser(service.url, role, accountId));
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (SERVICE.test(pathname) && !LATER.test(pathname)) asked.push(pathname + search);
    });
    const html = (await (await page.goto(address, { waitUntil: "commit" }))?.text()) ?? "";
    await page.locator("h1").waitFor();
    await expect.poll(() => page.getByText("Loading…").count()).toBe(0);
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.filter((each) => !html.includes(`"${each}"`))).toEqual([]);
  });

  test.each([
    ["/operations", "operator-admin"],
    ["/operations/dispatches", "operator-admin"],
    ["/dashboard", "participant-admin"],
    ["/dashboard/dispatches", "participant-admin"],
  ] as const)(
    "of %s as %s moves nothing that is read, on a slow network",
    async (address, role) => {
      const accountId = role === "participant-admin" ? (portfolio.members[0]?.id ?? null) : null;
      const { page, context } = await signIn(browser, service.url, await newUser(service.url, role, accountId));
      const client = await context.newCDPSession(page);
      await client.send("Network.enable");
      await client.send("Network.setCacheDisabled", { cacheDisabled: true });
      await client.send("Network.emulateNetworkConditions", SLOW_NETWORK);
      await noteShifts(page);
      await page.goto(address, { waitUntil: "commit" });
      await page.locator("h1").waitFor();
      await expect.poll(() => page.getByText("Loading…").count(), { timeout: 20_000 }).toBe(0);
      await page.waitForTimeout(QUIET_MS);
      const shifts = await shiftsOf(page);
      const sum = shifts.reduce((all, { value }) => all + value, 0);
      expect(sum, JSON.stringify(shifts, null, 1)).toBeLessThanOrEqual(MAX_SHIFT);
    },
    60_000,
  );

  test("is all that comes where the browser is to save data", async () => {
    const { page } = await signIn(browser, service.url, await newUser(service.url, "operator-admin"));
    await page.addInitScript(`Object.defineProperty(navigator, "connection", { value: { saveData: true } })`);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto("/operations");
    await live(page).waitFor();
    await page.waitForTimeout(CALM_MS);
    expect(asked).toContainEqual(expect.stringMatching(/\/assets\/board-/));
    expect(asked).not.toContainEqual(expect.stringMatching(/\/assets\/audit-/));
  });

  test("files whose names change with their content are kept by the browser for good", async () => {
    const html = await (await fetch(`${service.url}/sign-in`)).text();
    const script = /src="(\/assets\/[^"]+)"/.exec(html)?.[1] ?? "";
    const answer = await fetch(service.url + script, { headers: { "accept-encoding": "br" } });
    expect(answer.headers.get("content-encoding")).toBe("br");
    expect(answer.headers.get("cache-control")).toContain("immutable");
  });
});
