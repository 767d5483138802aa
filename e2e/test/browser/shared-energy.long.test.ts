import { operator as api } from "@curtail/contract";
import { describe, expect, vi } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { type ColdStores, callFor, newColdStores, runUsually } from "../support/cold-stores.js";
import { expectSound, expectWholeTable } from "../support/looks.js";
import { newProgram, operate } from "../support/participant.js";
import { newUser, signIn, type Visit } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const FINAL_MS = 60_000;
const MONTH = "2026-01";
const DAY_MS = 24 * 3_600_000;

/** A program that pays a dollar for each kWh. */
const paying = (url: string, id: string) =>
  operate(url, api.setTerms, {
    params: { id, from_month: MONTH },
    body: {
      currency: "USD",
      capacity: null,
      energy: { price_per_kwh: "1", counted: "net", highest_share: null },
      penalty: null,
    },
  });

/** A second program with the same sites. */
const secondProgram = async (url: string, { sites }: ColdStores): Promise<string> => {
  const id = await newProgram(url, { name: "Local flexibility", timezone: "America/Chicago", market: "MISO" });
  for (const site of sites)
    await operate(url, api.enrolSite, { params: { id, site_id: site.id }, body: { commitment: site.commitmentKw } });
  await paying(url, id);
  return id;
};

describe.skipIf(!hasChromium)("two programs that call the same sites over the same hour", () => {
  test("say on the page of either dispatch, on both sides, which of them is paid", async ({ browser }) => {
    const { url } = await webService();
    const stores = await newColdStores(url);
    await paying(url, stores.programId);
    const other = await secondProgram(url, stores);
    await runUsually(url, stores);
    const first = await callFor(url, stores.programId, [-360, -240]);
    const second = await callFor(url, other, [-300, -190]);
    const isFinal = async () => {
      const { items } = await operate(url, api.listDispatchResults);
      return items.length === 2 && items.every(({ state }) => state === "final");
    };
    await vi.waitUntil(isFinal, { timeout: FINAL_MS, interval: 500 });
    const sides = [
      [await newUser(url, "operator"), "/operations"],
      [await newUser(url, "participant-viewer", stores.accountId), "/dashboard"],
    ] as const;
    for (const [user, base] of sides) {
      const visit = await signIn(browser, url, user);
      await expectBoth(visit, base, { first, second });
      await expectReported(visit, base);
    }
  });
});

const dayAt = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Of two hours and 110 minutes, the hour in which the first dispatch is paid. */
const expectReported = async ({ page, faults }: Visit, base: string): Promise<void> => {
  await page.goto(`${base}/reports?period=custom&from=${dayAt(-2)}&to=${dayAt(1)}`);
  const report = page.getByRole("region", { name: "Report" });
  const rows = report.getByRole("row", { name: /Northgate|Riverside|Elm Street/ });
  await rows.first().waitFor();
  const heads = await report.getByRole("columnheader").allTextContents();
  const hoursIn = (row: readonly string[], head: string) => Number(row[heads.findIndex((each) => each.includes(head))]);
  expect(await rows.count()).toBe(3);
  for (const row of await rows.all()) {
    const cells = await row.getByRole("cell").allTextContents();
    expect(hoursIn(cells, "Length (h)")).toBeCloseTo(3.83, 1);
    expect(hoursIn(cells, "Paid elsewhere (h)")).toBeCloseTo(1, 1);
  }
  await expectWholeTable(page, "Report");
  expect(faults).toEqual([]);
};

const expectBoth = async (
  visit: Visit,
  base: string,
  { first, second }: { readonly first: string; readonly second: string },
): Promise<void> => {
  const { page, faults } = visit;
  // An hour of three sites: some 120 intervals of each.
  const hour = /^3[56]\d intervals of 3 sites from .+ to .+ /;
  const card = page.locator("section").filter({ has: page.getByRole("heading", { name: "Energy that is paid once" }) });
  const tab = base === "/operations" ? "?tab=result" : "";
  await page.goto(`${base}/dispatches/${first}${tab}`);
  const claimed = card.getByRole("listitem");
  expect(await claimed.textContent()).toMatch(hour);
  expect(await claimed.textContent()).toMatch(/that are claimed by Local flexibility, too, are paid here\.$/);
  await expectSound(visit, `shared-energy${base.replace("/", "-")}`);
  await claimed.getByRole("link", { name: "Local flexibility" }).click();
  await page.waitForURL(`**${base}/dispatches/${second}*`);
  await claimed.getByText("are paid in Summer capacity, which comes first.").waitFor();
  expect(await claimed.textContent()).toMatch(hour);
  expect(faults).toEqual([]);
};
