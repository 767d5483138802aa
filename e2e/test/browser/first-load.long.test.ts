import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { newParticipant } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

/** Each costs a round trip. */
const MAX_SCRIPTS = 8;
/** The other pages are loaded once this one is idle for longer. */
const QUIET_MS = 1000;

describe.skipIf(!hasChromium)("a first load", () => {
  let service: ServiceProcess;
  let browser: Browser;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
  });

  test.each([
    ["/operations", "operator-admin", 200],
    ["/dashboard", "participant-admin", 200],
    ["/dashboard/energy", "participant-admin", 250],
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

  test("files whose names change with their content are kept by the browser for good", async () => {
    const html = await (await fetch(`${service.url}/sign-in`)).text();
    const script = /src="(\/assets\/[^"]+)"/.exec(html)?.[1] ?? "";
    const answer = await fetch(service.url + script, { headers: { "accept-encoding": "br" } });
    expect(answer.headers.get("content-encoding")).toBe("br");
    expect(answer.headers.get("cache-control")).toContain("immutable");
  });
});
