import { operator as api } from "@curtail/contract";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { operate } from "../support/participant.js";
import { type Member, newPortfolio, uploadLoad } from "../support/portfolio.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";
import { registerWebhook } from "../support/webhooks.js";

const MINUTE_MS = 60_000;
const ZONE = "America/Chicago";

/** In the format of a datetime field. */
const local = (at: Date): string => at.toLocaleString("sv-SE", { timeZone: ZONE }).replace(" ", "T").slice(0, 16);

// The purpose of Curtail, as users on both sides see it: dispatched, notified, measured, cancelled.
describe.skipIf(!hasChromium)("a dispatch from the call to its cancellation", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let hook: Receiver;
  let storage: Member;
  let operator: string;
  let participant: string;

  const start = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 5 * MINUTE_MS);

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    const { members } = await newPortfolio(service.url);
    const [first] = members;
    if (first === undefined) throw new Error("the portfolio has no account");
    storage = first;
    hook = await receiver();
    await registerWebhook(service.url, first, hook.url);
    for (const { meterId, beforeKw } of first.sites)
      await uploadLoad(service.url, first.key, meterId, {
        from: new Date(start.getTime() - 60 * MINUTE_MS),
        to: start,
        kw: beforeKw,
      });
    operator = await newUser(service.url, "operator-admin");
    participant = await newUser(service.url, "participant-viewer", first.id);
  });

  /** Dispatches the first account's sites in the form: from five minutes ago, so that some cells are over. */
  const call = async (page: Page): Promise<void> => {
    await page.getByRole("link", { name: "New dispatch" }).click();
    await page.getByLabel("Start", { exact: true }).selectOption("At a set time");
    await page.getByLabel("Start time").fill(local(start));
    await page.getByLabel("Sites to dispatch").selectOption("A dispatch group");
    await page.getByLabel("Dispatch group").selectOption("north");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText(`Webhook ${hook.url}`).waitFor();
    await page.getByRole("button", { name: "Dispatch 2 sites, 210 kW" }).click();
    // Its start is five minutes ago, and some seconds.
    await page.getByRole("button", { name: "Dispatch anyway" }).click();
    await page.waitForURL(/\/operations\/dispatches\/dis_/);
  };

  test("both sides see it live, and the operator can prove who was notified", async () => {
    const { page: theirs, faults: theirFaults } = await signIn(browser, service.url, participant);
    await theirs.goto("/dashboard/dispatches");
    await theirs.getByText("No dispatches in progress.").waitFor();
    // Lost if the page is reloaded.
    await theirs.evaluate("window.isTheSamePage = true");
    const { page, faults } = await signIn(browser, service.url, operator);
    await page.goto("/operations");

    await call(page);
    await theirs.getByText("in progress", { exact: true }).waitFor({ timeout: 30_000 });
    await theirs.getByRole("link", { name: "Capacity 2026" }).click();
    expect((await hook.notices(1)).map(({ event }) => event)).toEqual(["dispatch.create"]);

    await page.getByRole("heading", { level: 1, name: /^Capacity 2026 has to deliver/ }).waitFor();
    for (const { meterId, beforeKw } of storage.sites)
      await uploadLoad(service.url, storage.key, meterId, { from: start, to: new Date(), kw: beforeKw - 110 });
    const delivered = /Delivered now2\d\d kW/;
    await page
      .getByRole("heading", { level: 1, name: /^Capacity 2026 delivers 2\d\d of/ })
      .waitFor({ timeout: 15_000 });
    await expect.poll(() => theirs.locator("main").textContent(), { timeout: 15_000 }).toMatch(delivered);
    const curve = page.getByRole("img", { name: /^Delivered and committed/ });
    await expect
      .poll(() => curve.getAttribute("aria-label"), { timeout: 15_000 })
      .toMatch(/Delivered: .* last 2\d\d\.\d;/);

    await page.getByRole("tab", { name: /^Accounts/ }).click();
    await page.getByText("1 of 1 account notified").waitFor();
    await page.getByText(`Delivered to ${hook.url}`).waitFor();

    await page.getByRole("button", { name: "Cancel dispatch" }).click();
    await page.getByRole("button", { name: "Cancel it" }).click();
    await theirs.getByText("cancelled", { exact: true }).first().waitFor({ timeout: 30_000 });
    expect((await hook.notices(2)).map(({ event }) => event)).toEqual(["dispatch.create", "dispatch.update"]);
    expect(await theirs.evaluate("window.isTheSamePage")).toBe(true);
    expect([...faults, ...theirFaults]).toEqual([]);
  });

  test("an auditor reads the same and changes nothing, not even by hand", async () => {
    const { page } = await signIn(browser, service.url, await newUser(service.url, "auditor"));
    const { items } = await operate(service.url, api.listAllDispatches);
    const id = items[0]?.id ?? "";
    await page.goto(`/operations/dispatches/${id}?tab=evidence`);
    await page.getByText(`Delivered to ${hook.url}`).first().waitFor();
    expect(await page.getByRole("button", { name: /Resend|Cancel|End|Change/ }).count()).toBe(0);
    const status = await page.evaluate(
      async (path) =>
        (
          await fetch(path, {
            method: "PATCH",
            headers: { "content-type": "application/json" },
            body: '{"authorized":false}',
          })
        ).status,
      `/operator/v1/dispatches/${id}`,
    );
    expect(status).toBe(404);
  });
});
