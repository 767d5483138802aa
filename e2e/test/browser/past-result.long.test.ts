import { EventEmitter, once } from "node:events";
import { operator as api } from "@curtail/contract";
import type { Page } from "playwright-core";
import { describe, expect, vi } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { callFor, newColdStores, runUsually } from "../support/cold-stores.js";
import { operate } from "../support/participant.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const FINAL_MS = 60_000;

describe.skipIf(!hasChromium)("a past dispatch", () => {
  test("is read once without a stream on both sides, and a new version is shown while the page is open", async ({
    browser,
  }) => {
    const { url } = await webService();
    const stores = await newColdStores(url);
    await runUsually(url, stores);
    const id = await callFor(url, stores.programId, [-300, -180]);
    await vi.waitUntil(
      async () => (await operate(url, api.listDispatchResults)).items.some(({ state }) => state === "final"),
      { timeout: FINAL_MS, interval: 500 },
    );
    const operator = await newUser(url, "operator-admin");
    const participant = await newUser(url, "participant-viewer", stores.accountId);
    const pages = [];
    for (const [user, path, base] of [
      [operator, `/operations/dispatches/${id}?tab=result`, "/operator/v1"],
      [participant, `/dashboard/dispatches/${id}`, "/console/v1"],
    ] as const) {
      const { page, faults } = await signIn(browser, url, user);
      const asked: string[] = [];
      page.on("request", (request) => {
        const { pathname } = new URL(request.url());
        if (pathname.startsWith(`${base}/dispatches/${id}/`))
          asked.push(pathname.slice(`${base}/dispatches/${id}/`.length));
      });
      const openStream = await heldStream(page);
      await page.clock.install();
      await page.goto(path);
      await page.locator("figure canvas").first().waitFor();
      await page.getByText("Version 1").first().waitFor();
      const before = asked.length;
      openStream();
      await expect.poll(() => asked.slice(before)).toContain("shared-energy");
      expect(asked.filter((each) => each.endsWith("/stream"))).toEqual([]);
      expect(asked.filter((each) => each === "performance")).toEqual(["performance"]);
      pages.push({ page, asked, faults });
    }
    await operate(url, api.approvePerformance, { params: { id }, body: { version: 1, note: "checked" } });
    for (const { page, asked, faults } of pages) {
      await page.clock.fastForward(11_000);
      await page.getByText("Version 2").first().waitFor();
      expect(asked.filter((each) => each.endsWith("/stream"))).toEqual([]);
      expect(faults).toEqual([]);
    }
  });
});

/** Keeps the stream of changes from opening, as on a slow line; what was read before that is asked for again. */
const heldStream = async (page: Page): Promise<() => void> => {
  const slow = new EventEmitter();
  const opened = once(slow, "opened");
  await page.route("**/changes/stream", async (route) => {
    await opened;
    await route.continue();
  });
  return () => void slow.emit("opened");
};
