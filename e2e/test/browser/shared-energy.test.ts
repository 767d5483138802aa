import { operator as api } from "@curtail/contract";
import { describe, expect, vi } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { type ColdStores, callFor, newColdStores, runUsually } from "../support/cold-stores.js";
import { expectSound } from "../support/looks.js";
import { operate } from "../support/participant.js";
import { newUser, signIn, type Visit } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const FINAL_MS = 60_000;
const MONTH = "2026-01";

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
  const { id } = await operate(url, api.createProgram, {
    body: { name: "Local flexibility", timezone: "America/Chicago", market: "MISO", program_type: "capacity" },
  });
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
    for (const [user, base] of sides) await expectBoth(await signIn(browser, url, user), base, { first, second });
  });
});

const expectBoth = async (
  visit: Visit,
  base: string,
  { first, second }: { readonly first: string; readonly second: string },
): Promise<void> => {
  const { page, faults } = visit;
  // An hour of three sites: some 120 intervals of each.
  const hour = /^3[56]\d intervals of 3 sites from .+ to .+ /;
  const card = page.locator("section").filter({ has: page.getByRole("heading", { name: "Energy that is paid once" }) });
  await page.goto(`${base}/dispatches/${first}`);
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
