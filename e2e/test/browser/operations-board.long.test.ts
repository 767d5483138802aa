import { participantClient } from "@curtail/client";
import { operator as api, listDispatches } from "@curtail/contract";
import type { Browser, Page } from "playwright-core";
import { describe, expect, vi } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound, expectSoundBut404, expectSoundInEachLook, LOOKS_MS } from "../support/looks.js";
import { operate } from "../support/participant.js";
import { keepMeasured, newPortfolio, type Portfolio, runningDispatch } from "../support/portfolio.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const hours = (count: number): string => new Date(Date.now() + count * 3_600_000).toISOString();

const unreached = (page: Page) =>
  page
    .getByRole("list", { name: "Alarms", exact: true })
    .getByRole("listitem")
    .filter({ hasText: "Account not notified: North Cold Storage" });

describe.skipIf(!hasChromium)("the operators' board, alarms and telemetry health", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let operator: string;
  let auditor: string;
  let portfolio: Portfolio;
  let running: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    portfolio = await newPortfolio(service.url);
    running = await runningDispatch(service.url, portfolio);
    keepMeasured(service.url, portfolio);
    const body = { program_id: portfolio.programId, start_time: hours(3), end_time: hours(5), test: true };
    await operate(service.url, api.createDispatch, { body });
    operator = await newUser(service.url, "operator-admin");
    auditor = await newUser(service.url, "auditor");
    // A site of the dispatch is silent, so the watch raises an alarm.
    await vi.waitUntil(async () => (await operate(service.url, api.listAlarms)).items.length > 0, {
      timeout: 20_000,
    });
  });

  const site = () => portfolio.members[0]?.sites[0]?.id ?? "";

  test("are sound by day and by night, on a phone and on a wall", { timeout: LOOKS_MS }, async () => {
    await expectSoundInEachLook(
      (looks) => signIn(browser, service.url, operator, looks),
      [
        {
          address: "/operations",
          name: "operations-board",
          ready: (page) => page.getByText("ends ").first().waitFor(),
        },
        { address: "/operations/alarms", name: "operations-alarms" },
        { address: "/operations/telemetry", name: "operations-telemetry" },
        { address: `/operations/telemetry/${site()}`, name: "operations-site-telemetry" },
      ],
    );
  });

  test("the board shows the delivered share of the commitment, live", async () => {
    const { page } = await signIn(browser, service.url, operator);
    await page.goto("/operations");
    const row = page.getByRole("row", { name: /Capacity 2026/ });
    // The silent site's commitment is in the denominator of the board, and of the dispatch's page.
    await expect.poll(() => row.textContent(), { timeout: 15_000 }).toMatch(/[23],\d\d\d \/ 3,410.*\d\d%/);
    await row.getByText(/^4 of 5 sites measured, since/).waitFor();
    await page.getByRole("heading", { level: 1, name: /of 3,410 kW.* delivered by 1 dispatch, \d\d%/ }).waitFor();
    await page.getByRole("region", { name: "Next dispatches" }).getByText("3,410 kW, 5 sites").waitFor();
    await page.getByRole("button", { name: "Capacity 2026", exact: true }).press("Space");
    await page.getByText("up to").first().waitFor();
    await page.getByRole("link", { name: "Capacity 2026", exact: true }).first().click();
    await page.getByRole("heading", { level: 1, name: /delivers [23],\d\d\d of 3,410 kW, \d\d%/ }).waitFor();
    await page.getByText("4 of 5 sites measured").waitFor();
    for (const head of ["State, last 5 minutes", "Delivered / committed, kW", "Short, kW", "Last reading"])
      await page.getByRole("columnheader", { name: head, exact: true }).waitFor();
    await page.getByRole("tab", { name: "Result" }).click();
    const shares = page.getByText(/\d\d% of 3,410 kW, 4 of 5 sites measured/);
    await expect.poll(() => shares.count()).toBe(2);
  });

  test("each tab is named after its page", async () => {
    const { page } = await signIn(browser, service.url, operator);
    const member = portfolio.members[0];
    const titles = [
      ["/operations", /^(\(\d+\+?\) )?Board · Curtail$/],
      ["/operations/alarms", /^(\(\d+\+?\) )?Alarms · Curtail$/],
      ["/operations/dispatches/new", /^(\(\d+\+?\) )?New dispatch · Curtail$/],
      [`/operations/dispatches/${running}`, /^(\(\d+\+?\) )?Dispatch Capacity 2026 \d\d:\d\d · Curtail$/],
      [`/operations/accounts/${member?.id}`, /^(\(\d+\+?\) )?North Cold Storage · Account · Curtail$/],
      [`/operations/sites/${site()}`, /^(\(\d+\+?\) )?Freezer hall 1 · Site · Curtail$/],
      [`/operations/programs/${portfolio.programId}`, /^(\(\d+\+?\) )?Capacity 2026 · Program · Curtail$/],
      ["/you", /^(\(\d+\+?\) )?You · Curtail$/],
    ] as const;
    for (const [address, title] of titles) {
      await page.goto(address);
      await expect.poll(() => page.title(), { message: address }).toMatch(title);
    }
    await page.getByRole("link", { name: "Sites" }).click();
    await expect.poll(() => page.title()).toMatch(/^(\(\d+\+?\) )?Sites · Curtail$/);
  }, 60_000);

  test.each([
    ["dispatches/dis_none", "dispatch", "Show all dispatches"],
    ["sites/site_none", "site", "Show all sites"],
    ["telemetry/site_none", "site", "Show all sites"],
    ["accounts/acc_none", "account", "Show all accounts"],
    ["programs/prg_none", "program", "Show all programs"],
    ["vens/ven_none", "VEN", "Show all accounts"],
    ["dispatches/%22%3E%20x", "dispatch", "Show all dispatches"],
  ])(
    "an unknown id is said in words, with a way back: %s",
    async (address, what, back) => {
      const visited = await signIn(browser, service.url, operator, { widthPx: 390 });
      const { page } = visited;
      await page.goto(`/operations/${address}`);
      await page.getByRole("heading", { level: 1, name: `There is no such ${what}` }).waitFor();
      await page.getByText(`There is no ${what} at this address.`).waitFor();
      await expect
        .poll(async () => (await page.title()).replace(/^\(\d+\+?\) /, ""))
        .toBe(`There is no such ${what} · Curtail`);
      await expectSoundBut404(visited, "operations-unknown");
      await page.getByRole("link", { name: back }).click();
      await page.waitForURL((url) => !url.pathname.includes(address));
    },
    60_000,
  );

  test("telemetry health shows silent sites first, and what a site lacks", async () => {
    const { page } = await signIn(browser, service.url, operator);
    await page.goto("/operations/telemetry");
    const first = page.getByRole("row").nth(1);
    await first.getByText("silent").waitFor();
    await first.getByRole("link", { name: "Pumping station Oak Hill" }).click();
    await page.getByRole("heading", { level: 1, name: "Pumping station Oak Hill" }).waitFor();
    await page.getByRole("region", { name: "Gaps" }).waitFor();
  });

  test("an alarm names its account, leads to it, and goes from every window once the account is reached", async () => {
    const member = portfolio.members[0];
    const windows = [await signIn(browser, service.url, operator), await signIn(browser, service.url, auditor)];
    for (const { page } of windows) {
      await page.goto("/operations/alarms");
      await page
        .getByText(/^Capacity 2026: \d accounts? not notified, /)
        .first()
        .waitFor({ timeout: 20_000 });
      await page.goto(`/operations/alarms?group=not_notified.${running}`);
      await unreached(page).first().waitFor();
      expect(await unreached(page).first().textContent()).not.toContain(member?.id);
    }
    await participantClient({ url: service.url, key: member?.key ?? "" }).call(listDispatches);
    for (const { page } of windows) await expect.poll(() => unreached(page).count(), { timeout: 20_000 }).toBe(0);
    const page = windows[0]?.page as Page;
    await page.getByRole("tab", { name: "Cleared" }).click();
    await unreached(page).first().getByRole("link", { name: "North Cold Storage" }).click();
    await page.getByRole("heading", { level: 1, name: "North Cold Storage" }).waitFor();
  }, 60_000);

  test("an auditor sees alarms and is offered no acknowledgement; an operator acknowledges", async () => {
    const looked = await signIn(browser, service.url, auditor);
    await looked.page.goto("/operations");
    await looked.page.getByText(/^Capacity 2026: 1 site without readings/).waitFor();
    expect(await looked.page.getByRole("button", { name: /Acknowledge/ }).count()).toBe(0);
    expect(await looked.page.getByRole("link", { name: "New dispatch" }).count()).toBe(0);
    const visited = await signIn(browser, service.url, operator);
    const { page } = visited;
    await page.goto("/operations");
    await page.getByRole("button", { name: /^More: Capacity 2026: 1 site without readings/ }).click();
    await page.getByRole("menuitem", { name: "Show the alarm" }).click();
    await page.getByRole("button", { name: "Acknowledge… Telemetry is stale" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Acknowledge: Telemetry is stale" });
    await expectSound(visited, "operations-acknowledge");
    await dialog.getByLabel("Note").fill("the gateway is being replaced");
    await dialog.getByRole("button", { name: "Acknowledge" }).click();
    await page.getByText("Alarm acknowledged.").waitFor();
    await page.goto("/operations/alarms?state=acknowledged");
    await page.getByText("Note: the gateway is being replaced").first().waitFor();
    await page.getByRole("link", { name: "Show the dispatch" }).first().click();
    await page.waitForURL(`**/operations/dispatches/${running}`);
  });
});
