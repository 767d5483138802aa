import { setTimeout as sleep } from "node:timers/promises";
import { claimKey, participantClient } from "@curtail/client";
import { type Dispatch, listDispatches, operator, uploadTelemetry } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { type ColdStores, newColdStores } from "../support/cold-stores.js";
import { expectSound, expectWholeTable } from "../support/looks.js";
import { operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const EARLY_MS = 500;
const CERTIFIED_MS = 120_000;
const HOSTILE = `</pre><img src=x onerror="document.title='taken over'"><script>alert(1)</script> "&amp;'`;

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
  await page.getByLabel("Scenario", { exact: true }).selectOption({ label: scenario });
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
    // However long the pages take, a run goes on; its key may send 300 requests a minute otherwise.
    service = await webService({ CURTAIL_RATE_LIMIT: "100000", CURTAIL_RATE_LIMIT_DISPATCHES: "100000" });
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
      const certified = /Integration certified on .*update and cancellation, by polling or stream/;
      await operated.page.getByRole("tab", { name: "Overview" }).click();
      await operated.page.getByText(certified).waitFor();
      await operated.page.goto("/operations/onboarding?show=all");
      await operated.page.getByRole("cell", { name: certified }).first().waitFor();
      await expectSound(operated, "onboarding-certified");
      await operated.page.goto(`/operations/sites/${stores.sites[0]?.id}`);
      await operated.page.getByText(/Integration certified on/).waitFor();
    },
    CERTIFIED_MS,
  );

  test(
    "starts a custom scenario from edited JSON, and shows what its webhook was sent and responded",
    async () => {
      const hook = await receiver();
      const admin = await newUser(service.url, "participant-admin", stores.accountId);
      const visited = await signIn(browser, service.url, admin, { widthPx: 390 });
      const { page } = visited;
      await page.goto("/dashboard/sandbox");
      hook.answer = 200;
      await page.getByRole("button", { name: "Add webhook" }).click();
      await page.getByLabel("Address", { exact: true }).fill(hook.url);
      await page.getByRole("button", { name: "Test and add" }).click();
      await page.getByText(hook.url).waitFor();
      hook.answer = (response) => void response.writeHead(500, { "content-type": "text/html" }).end(HOSTILE);

      await page.getByRole("button", { name: "Custom scenario" }).click();
      const dialog = page.getByRole("dialog", { name: "Custom scenario" });
      const text = dialog.getByLabel("Scenario as JSON");
      const example = await text.inputValue();
      await expectSound(visited, "dashboard-sandbox-custom");
      const started = page.getByText("The scenario was started.");
      await text.fill(example.replace('"custom",', '"custom"'));
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await dialog.getByText("This is not valid JSON").waitFor();
      expect(await dialog.locator("textarea:focus").count()).toBe(1);
      await text.fill(example.replace("2026", "soon"));
      await dialog.getByRole("button", { name: "Start", exact: true }).click();
      await dialog.getByText(/states\[0\]: published_time is "soon/).waitFor();
      expect(visited.faults.splice(0)).toEqual([expect.stringContaining("400")]);
      await expectSound(visited, "dashboard-sandbox-custom-fault");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Custom scenario" }).click();
      expect(await text.inputValue()).toContain("soon");
      await dialog.getByRole("button", { name: "New example" }).click();
      // Published at once.
      const edited = JSON.parse(await text.inputValue());
      edited.speed = 600;
      await text.fill(JSON.stringify(edited));
      await dialog.getByRole("button", { name: "Start", exact: true }).click();
      await started.waitFor();

      await hook.notices(1);
      await page.getByRole("button", { name: "Show the deliveries to webhooks" }).first().click();
      await page.getByText("1 attempt").first().click();
      await expectWholeTable(page, "Deliveries");
      await page.setViewportSize({ width: 390, height: 844 });
      await page
        .getByRole("button", { name: /Details of the attempt/ })
        .first()
        .click();
      const shown = page.getByRole("dialog", { name: /Attempt of/ });
      const [arrived] = await hook.notices(1);
      await shown.getByText(arrived?.text ?? "").waitFor();
      await shown.getByText(`webhook-id: ${String(arrived?.headers["webhook-id"])}`).waitFor();
      await shown.getByText("webhook-signature: (sent, but not kept)").waitFor();
      await shown.getByText("content-type: text/html").waitFor();
      expect(await shown.getByRole("region", { name: "Body of the response" }).textContent()).toBe(HOSTILE);
      expect(await shown.locator("img").count()).toBe(0);
      await expectSound(visited, "dashboard-sandbox-attempt");
      await shown.getByRole("button", { name: "Close" }).click();
      for (const look of [{ widthPx: 1440 }, { widthPx: 1440, theme: "dark" as const }]) {
        await page.setViewportSize({ width: look.widthPx, height: 900 });
        await page.emulateMedia({ colorScheme: look.theme ?? "light" });
        await expectSound(visited, "dashboard-sandbox-deliveries");
      }
      const operated = await signIn(browser, service.url, await newUser(service.url, "operator", null));
      await operated.page.goto(`/operations/accounts/${stores.accountId}?tab=sandbox`);
      await operated.page.getByRole("button", { name: "Show the deliveries to webhooks" }).first().click();
      await operated.page
        .getByText(/[1-9] attempts?/)
        .first()
        .click();
      await operated.page
        .getByRole("button", { name: /Details of the attempt/ })
        .first()
        .click();
      await operated.page.getByText("Attempt of").waitFor();
      expect(await operated.page.getByRole("region", { name: "Body of the response" }).textContent()).toBe(HOSTILE);
      await expectSound(operated, "account-sandbox-attempt");
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
