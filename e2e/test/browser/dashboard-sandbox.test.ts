import { setTimeout as sleep } from "node:timers/promises";
import { claimKey, participantClient } from "@curtail/client";
import { type Dispatch, listDispatches, operator, uploadTelemetry } from "@curtail/contract";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { type ColdStores, newColdStores } from "../support/cold-stores.js";
import { expectSound } from "../support/looks.js";
import { operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const EARLY_MS = 500;
const CERTIFIED_MS = 120_000;

const isCalled = ({ authorized, start_time, end_time }: Dispatch, nowMs: number): boolean =>
  authorized && Date.parse(start_time) - EARLY_MS <= nowMs && (end_time === null || nowMs <= Date.parse(end_time));

/** A site that draws 200 kW, and 100 kW less during a dispatch. */
const runSite = async (sandboxUrl: string, key: string, until: AbortSignal): Promise<void> => {
  const { call } = participantClient({ url: sandboxUrl, key });
  while (!until.aborted) {
    const { dispatches } = await call(listDispatches);
    const kW = dispatches.some((dispatch) => isCalled(dispatch, Date.now())) ? 100 : 200;
    const reading = { meter_id: "mtr_sandbox_lakeside", interval_seconds: 30, timestamp: new Date().toISOString(), kW };
    await call(uploadTelemetry, { body: { telemetry: [reading] } });
    await sleep(100);
  }
};

const start = async (page: Page, scenario: string): Promise<void> => {
  await page.getByLabel("Scenario").selectOption({ label: scenario });
  await page.getByLabel("Speed").selectOption({ label: "600 times faster" });
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByText("The scenario was started.").first().waitFor();
};

describe.skipIf(!hasChromium)("the page of the sandbox", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let stores: ColdStores;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    stores = await newColdStores(service.url);
  }, 120_000);

  test(
    "leads from a key to a certificate, which the operator sees, too",
    async () => {
      const admin = await newUser(service.url, "participant-admin", stores.accountId);
      const { page } = await signIn(browser, service.url, admin);
      await page.goto("/dashboard/sandbox");
      await page.getByText("Not yet").waitFor();
      await page.getByRole("button", { name: "New key" }).click();
      const dialog = page.getByRole("dialog", { name: "New key" });
      await dialog.getByRole("button", { name: "Create key" }).click();
      const link = await dialog.locator("code").first().textContent();
      const { api_key } = await claimKey((link ?? "").trim());
      await dialog.getByRole("button", { name: "Done" }).click();
      const done = new AbortController();
      const site = runSite(service.sandboxUrl, api_key, done.signal);
      for (const scenario of ["A dispatch that changes", "A dispatch that is cancelled"]) {
        await start(page, scenario);
        await page.getByText("Running", { exact: true }).waitFor();
        await page.getByText("Ready: every criterion passed.").first().waitFor({ timeout: 40_000 });
        await expect.poll(() => page.getByText("Running", { exact: true }).count(), { timeout: 20_000 }).toBe(0);
      }
      await page.getByText("Certified", { exact: true }).waitFor({ timeout: 20_000 });
      done.abort();
      await site;
      const { items } = await operate(service.url, operator.listAccountCertificates, {
        params: { id: stores.accountId },
      });
      expect(items).toMatchObject([
        { passes: [{ scenario_type: "update", channels: ["polling"] }, { scenario_type: "cancellation" }] },
      ]);
      for (const look of [{}, { widthPx: 390 }, { theme: "dark" as const }]) {
        const visited = await signIn(browser, service.url, admin, look);
        await visited.page.goto("/dashboard/sandbox");
        await visited.page.getByText("Certified", { exact: true }).waitFor();
        await expectSound(visited, "dashboard-sandbox-certified");
      }
      const operated = await signIn(browser, service.url, await newUser(service.url, "operator", null));
      await operated.page.goto(`/operations/accounts/${stores.accountId}?tab=sandbox`);
      await operated.page.getByText("Certified", { exact: true }).waitFor();
    },
    CERTIFIED_MS,
  );

  test("shows a viewer what was done, and nothing to change it with", async () => {
    const viewer = await newUser(service.url, "participant-viewer", stores.accountId);
    const { page } = await signIn(browser, service.url, viewer);
    await page.goto("/dashboard/sandbox");
    await page.getByRole("heading", { name: "Certificate" }).waitFor();
    await page.getByRole("heading", { name: "Sandbox webhooks" }).waitFor();
    for (const name of ["Start", "New key", "Add webhook"])
      expect(await page.getByRole("button", { name, exact: true }).count()).toBe(0);
  });
});
