import { readFileSync } from "node:fs";
import { operator } from "@curtail/contract";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { newColdStores } from "../support/cold-stores.js";
import { expectSound } from "../support/looks.js";
import { operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const example = (name: string): string =>
  readFileSync(new URL(`../../../examples/meter-data/${name}`, import.meta.url), "utf8");

const choose = (page: Page, name: string, content: string): Promise<void> =>
  page.getByLabel("Choose a file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(content) });

describe.skipIf(!hasChromium)("meter data from a file", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let stores: Awaited<ReturnType<typeof newColdStores>>;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    stores = await newColdStores(service.url);
  });

  const energyOf = async (siteId: string, start_time: string, end_time: string) => {
    const query = { start_time, end_time };
    return (await operate(service.url, operator.getAnySiteEnergy, { params: { id: siteId }, query })).site.energy_kwh;
  };

  test("is tried by an operator with a fault, corrected, mapped to a meter and imported", async () => {
    const visited = await signIn(browser, service.url, await newUser(service.url, "operator"));
    const { page } = visited;
    const [site] = stores.sites;
    await page.goto(`/operations/sites/${site?.id}`);
    await page.getByRole("button", { name: "Import meter data" }).click();
    const good = example("nem12.csv");
    await choose(page, "bad.csv", good.replace("300,20260601,", "300,20260601,1,"));
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByRole("cell", { name: "the day has 49 values; a day of 30-minute intervals has 48" }).waitFor();
    expect(await page.getByRole("button", { name: /^Import \d/ }).count()).toBe(0);

    await choose(page, "good.csv", good);
    await page.getByRole("button", { name: "Dry run" }).click();
    await page
      .getByRole("cell", { name: /the site has no meter of this name/ })
      .first()
      .waitFor();
    await page.getByLabel("Meter of NMI0000001:E1").selectOption({ index: 1 });
    await page.getByLabel("Meter of NMI0000001:B1").selectOption("none");
    await page.getByText("Your choice has changed since the dry run.").waitFor();
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByText(/NMI0000001:Q1 is not imported/).waitFor();
    await expectSound(visited, "import-meter-data");
    await page.getByRole("button", { name: "Import 92 intervals" }).click();
    await page.getByText("92 intervals imported.").waitFor();
    const energy = await energyOf(site?.id ?? "", "2026-05-31T14:00:00Z", "2026-06-02T14:00:00Z");
    expect(energy).toBeCloseTo(962.916, 2);
  });

  test("is imported by a participant for an own site, and not offered to those who only read", async () => {
    const admin = await newUser(service.url, "participant-admin", stores.accountId);
    const { page } = await signIn(browser, service.url, admin);
    const site = stores.sites[1];
    await page.goto(`/dashboard/energy?view=power&site=${site?.id}`);
    await page.getByRole("button", { name: "Import meter data" }).click();
    await choose(page, "green-button.xml", example("green-button.xml"));
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByRole("button", { name: "Import 24 intervals" }).click();
    await page.getByText("24 intervals imported.").waitFor();
    expect(await energyOf(site?.id ?? "", "2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z")).toBeCloseTo(486.518, 2);

    const viewer = await signIn(
      browser,
      service.url,
      await newUser(service.url, "participant-viewer", stores.accountId),
    );
    await viewer.page.goto(`/dashboard/energy?view=power&site=${site?.id}`);
    await viewer.page.getByLabel("Site", { exact: true }).waitFor();
    expect(await viewer.page.getByRole("button", { name: "Import meter data" }).count()).toBe(0);
  });
});
