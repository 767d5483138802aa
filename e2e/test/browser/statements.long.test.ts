import { operator } from "@curtail/contract";
import { clonedDatabase, type OwnDatabase } from "@curtail/testing/database";
import type { Browser } from "playwright-core";
import { describe, expect, vi } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { type ColdStores, callFor, curtail, newColdStores, runUsually } from "../support/cold-stores.js";
import { expectSound, expectSoundInEachLook, LOOKS_MS } from "../support/looks.js";
import { operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const MINUTE_MS = 60_000;
const START_MINUTES = -100;
const DAYS_BEFORE = 40;

/** The month of a moment in the program's time zone, `YYYY-MM`. */
const monthOf = (ms: number): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Chicago", year: "numeric", month: "2-digit" }).format(ms);

describe.skipIf(!hasChromium)("statements", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let database: OwnDatabase;
  let stores: ColdStores;
  let dispatch: string;
  let month: string;
  let monthBefore: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    database = await clonedDatabase();
    service = await webService({}, database);
    const { url } = service;
    stores = await newColdStores(url);
    await runUsually(url, stores);
    const startMs = Date.now() + START_MINUTES * MINUTE_MS;
    for (const [index, site] of stores.sites.entries()) {
      await curtail(url, stores.key, site, startMs, [1.02, 0.84, 0.4][index] ?? 1, startMs + 20 * MINUTE_MS);
    }
    dispatch = await callFor(url, stores.programId, [START_MINUTES, START_MINUTES + 20]);
    const before = -DAYS_BEFORE * 24 * 60;
    await callFor(url, stores.programId, [before, before + 60]);
    [month, monthBefore] = [monthOf(startMs), monthOf(Date.now() + before * MINUTE_MS)];
    const versions = async () =>
      (await operate(url, operator.getAnyDispatchPerformance, { params: { id: dispatch } })).versions;
    await vi.waitUntil(async () => (await versions()).length === 1, { timeout: 30_000, interval: 200 });
  }, 120_000);

  const made = async (of: string): Promise<string> => {
    const body = { month: of, account_id: stores.accountId };
    return (await operate(service.url, operator.makeStatements, { body })).items[0]?.id ?? "";
  };

  test("an operator sets terms, makes the statements of a month, prints one and approves one", async () => {
    const visited = await signIn(browser, service.url, await newUser(service.url, "operator"));
    const { page, context } = visited;
    await page.goto(`/operations/programs/${stores.programId}`);
    await page.getByText("No terms. Statements leave this program out.").waitFor();
    await page.getByRole("button", { name: "Set terms" }).click();
    await page.getByLabel("From month").fill(monthBefore);
    await page.getByLabel("Currency").fill("XQX");
    await page.getByLabel("Capacity: price per kW and month").fill("4.5");
    await page.getByLabel("Energy: price per kWh delivered").fill("0.1");
    await page.getByLabel("Penalty: price per kWh of shortfall").fill("0.5");
    await page.getByLabel("Missing to (% of the commitment)").fill("80");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/give an ISO 4217 code such as USD/).waitFor();
    expect(visited.faults.splice(0)).toEqual([expect.stringContaining("400 (Bad Request)")]);
    await page.getByLabel("Currency").fill("USD");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("0.5 USD per kWh missing to 80 % of the commitment").waitFor();
    await expectSound(visited, "operations-program-terms");

    await page.goto("/operations/statements");
    await page.getByRole("button", { name: "Make statements" }).click();
    await page.getByRole("dialog").getByLabel("Month").fill(month);
    await page.getByRole("button", { name: "Make", exact: true }).click();
    const row = page.getByRole("row", { name: /Northgate Foods/ });
    await row.getByText("Provisional").waitFor();
    await row.getByRole("link", { name: month }).click();
    await page.getByRole("heading", { level: 1, name: `Northgate Foods, ${month}` }).waitFor();
    const lines = page.getByRole("region", { name: "Lines of Elm Street supermarket" });
    await lines.getByRole("row", { name: /Penalty.*missing to 80 % of the commitment.*-\d/ }).waitFor();
    await expectSound(visited, "operations-statement");
    const link = lines.getByRole("row", { name: /Energy/ }).getByRole("link");
    expect(await link.getAttribute("href")).toBe(`/operations/dispatches/${dispatch}?tab=performance&version=1`);
    const [printed] = await Promise.all([
      context.waitForEvent("page"),
      page.getByRole("link", { name: "Print" }).click(),
    ]);
    await printed.getByRole("heading", { level: 1, name: `Statement ${month} · Northgate Foods` }).waitFor();
    expect(await printed.getByRole("table").count()).toBe(1 + stores.sites.length);
    // The style that the document's policy allows is its own.
    expect(await printed.evaluate("getComputedStyle(document.querySelector('table')).borderCollapse")).toBe("collapse");
    expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);

    await page.goto(`/operations/statements/${await made(monthBefore)}`);
    await page.getByText(/Waiting for the result of/).waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByLabel("Note").fill("books closed");
    await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
    await page.getByText("approved by the operator (books closed)").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Approve" }).count()).toBe(0);
  }, 120_000);

  test("a participant sees its own statement with its lines, by day and by night", { timeout: LOOKS_MS }, async () => {
    const statement = await made(month);
    const viewer = await newUser(service.url, "participant-viewer", stores.accountId);
    await expectSoundInEachLook(
      (looks) => signIn(browser, service.url, viewer, looks),
      [
        {
          address: "/dashboard/statements",
          name: "dashboard-statements",
          ready: (page) => page.getByRole("link", { name: month }).waitFor(),
        },
        {
          address: `/dashboard/statements/${statement}`,
          name: "dashboard-statement",
          ready: (page) => page.getByRole("region", { name: "Lines of Elm Street supermarket" }).waitFor(),
        },
      ],
    );
    const { page } = await signIn(browser, service.url, viewer);
    await page.goto(`/dashboard/statements/${statement}`);
    await page.getByText("It changes until the month is over").waitFor();
    const total = await page.getByRole("region", { name: "Totals" }).getByRole("row").nth(1).innerText();
    expect(total).toMatch(/^USD.*USD$/s);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Results (CSV)" }).click();
    expect((await download).suggestedFilename()).toBe(`statement-${month}-${statement}-version-1-results.csv`);
  });

  test("an operator looks at what newer rules change, and adopts them for a month", async () => {
    await made(month);
    const visited = await signIn(browser, service.url, await newUser(service.url, "operator"));
    const { page } = visited;
    const dialog = page.getByRole("dialog");
    await page.goto("/operations/statements");
    await page.getByRole("button", { name: "Rules" }).click();
    await dialog.getByText("Version 2 holds in all months.").waitFor();
    await database.run("update rules_adoptions set from_month = '2099-01'");
    // The address opens the dialog again.
    await page.reload();
    await dialog.getByText("Version 2 holds from 2099-01 on.").waitFor();
    await dialog.getByLabel("From month").fill(month);
    await dialog.getByRole("button", { name: "Preview" }).click();
    await dialog.getByRole("row", { name: new RegExp(`${month}.*Northgate Foods.*USD`) }).waitFor();
    await expectSound(visited, "operations-rules");
    await dialog.getByLabel("Reason").fill("agreed with all");
    await dialog.getByRole("button", { name: "Adopt" }).click();
    await page.getByText("The rules apply from then on.").waitFor();
    await page.getByRole("button", { name: "Rules" }).click();
    await dialog.getByText(`Version 2 holds from ${month} on, adopted by`).waitFor();
  });
});
