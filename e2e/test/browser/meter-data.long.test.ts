import { readFileSync } from "node:fs";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { operator } from "@curtail/contract";
import { MAX_METER_DATA_BYTES } from "@curtail/contract/constants";
import type { Browser, Locator, Page, Route } from "playwright-core";
import { describe, expect, onTestFinished } from "vitest";
import { axeViolations } from "../support/axe.js";
import { hasChromium, test } from "../support/chromium.js";
import { type ColdStore, newColdStores } from "../support/cold-stores.js";
import { expectInsideWindow } from "../support/dialogs.js";
import { expectNoneSerious, expectSound, takePicture } from "../support/looks.js";
import { operate } from "../support/participant.js";
import { type ServiceProcess, temporaryFolder } from "../support/service-process.js";
import { type Looks, newUser, signIn, type Visit } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const example = (name: string): string =>
  readFileSync(new URL(`../../../examples/meter-data/${name}`, import.meta.url), "utf8");

const choose = (page: Page, name: string, content: string): Promise<void> =>
  page.getByLabel("Choose a file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(content) });

/** The path of a file of this size: a content of 40 MB takes a browser half a minute. */
const fileOf = async (name: string, bytes: number): Promise<string> => {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  await writeFile(join(path, name), "");
  await truncate(join(path, name), bytes);
  return join(path, name);
};

const importButton = (page: Page) => page.getByRole("button", { name: /^Import( \d+ intervals)?$/ });
const ready = (page: Page) => page.getByText("The file can be imported.").waitFor();
const head = (page: Page, column: number) => page.getByRole("button", { name: new RegExp(`^Column ${column}:`) });

const isFocused = async (page: Page, element: Locator): Promise<boolean> =>
  (await element.and(page.locator(":focus")).count()) === 1;

const say = async (page: Page, column: number, role: string): Promise<void> => {
  await head(page, column).click();
  await page.getByRole("menuitemradio", { name: role, exact: true }).click();
};

/** The day or the month may be first, and times may mark either end. */
const ambiguous = [
  "Report of the meter;;",
  "Time;Usage (kWh);Peak",
  ...["06/07/2026 10:00", "06/07/2026 10:15", "06/07/2026 10:30", "06/07/2026 10:45"].map(
    (time, at) => `${time};${at + 1},5;${at}`,
  ),
].join("\n");

describe.skipIf(!hasChromium)("meter data from a file", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let stores: Awaited<ReturnType<typeof newColdStores>>;
  let next = 0;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    stores = await newColdStores(service.url);
  });

  const energyOf = async (siteId: string, start_time: string, end_time: string) => {
    const query = { start_time, end_time };
    return (await operate(service.url, operator.getAnySiteEnergy, { params: { id: siteId }, query })).site.energy_kwh;
  };

  /** The page of a site of its own, for an operator. */
  const opened = async (looks: Looks = {}): Promise<Visit & { readonly site: Pick<ColdStore, "id"> }> => {
    const body = { name: `Store ${next++}`, timezone: "Europe/Berlin", meters: [{ name: "Main incomer" }] };
    const site = await operate(service.url, operator.createSite, { params: { id: stores.accountId }, body });
    const visited = await signIn(browser, service.url, await newUser(service.url, "operator"), looks);
    await visited.page.goto(`/operations/sites/${site.id}/meter-data`);
    return { ...visited, site };
  };

  test("is tried by an operator with a fault, corrected, mapped to a meter and imported", async () => {
    const visited = await signIn(browser, service.url, await newUser(service.url, "operator"));
    const { page } = visited;
    const [site] = stores.sites;
    await page.goto(`/operations/sites/${site?.id}`);
    await page.getByRole("link", { name: "Import meter data" }).click();
    const good = example("nem12.csv");
    await choose(page, "bad.csv", good.replace("300,20260601,", "300,20260601,1,"));
    await page.getByRole("cell", { name: "the day has 49 values; a day of 30-minute intervals has 48" }).waitFor();
    await page.getByText("NEM12: the format says what each value is").waitFor();
    expect(await importButton(page).isEnabled()).toBe(false);

    await choose(page, "good.csv", good);
    await page
      .getByRole("cell", { name: /the site has no meter of this name/ })
      .first()
      .waitFor();
    await page.getByLabel("Meter of NMI0000001:E1").selectOption({ index: 1 });
    await page.getByLabel("Meter of NMI0000001:B1").selectOption("none");
    await ready(page);
    await page.getByText(/NMI0000001:Q1 is not imported/).waitFor();
    await expectSound(visited, "import-meter-data-nem12");
    await page.getByRole("button", { name: "Import 92 intervals" }).click();
    await page.getByText("92 intervals imported.").waitFor();
    await page.getByRole("heading", { name: site?.name ?? "" }).waitFor();
    const energy = await energyOf(site?.id ?? "", "2026-05-31T14:00:00Z", "2026-06-02T14:00:00Z");
    expect(energy).toBeCloseTo(962.916, 2);
  });

  test("is imported by a participant for an own site, and not offered to those who only read", async () => {
    const admin = await newUser(service.url, "participant-admin", stores.accountId);
    const { page, faults } = await signIn(browser, service.url, admin);
    const site = stores.sites[1];
    await page.goto(`/dashboard/energy?view=power&site=${site?.id}`);
    await page.getByRole("link", { name: "Import meter data" }).click();
    await choose(page, "ambiguous.csv", ambiguous);
    await expect.poll(() => page.getByLabel("Read as").locator("option").count()).toBeGreaterThan(10);
    await choose(page, "green-button.xml", example("green-button.xml"));
    await page.getByText("Green Button: the format says what each value is").waitFor();
    await page.getByRole("button", { name: "Import 24 intervals" }).click();
    await page.getByText("24 intervals imported.").waitFor();
    await page.getByLabel("Site", { exact: true }).waitFor();
    expect(await energyOf(site?.id ?? "", "2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z")).toBeCloseTo(486.518, 2);
    expect(faults).toEqual([]);

    const viewer = await signIn(
      browser,
      service.url,
      await newUser(service.url, "participant-viewer", stores.accountId),
    );
    await viewer.page.goto(`/dashboard/energy?view=power&site=${site?.id}`);
    await viewer.page.getByLabel("Site", { exact: true }).waitFor();
    expect(await viewer.page.getByRole("link", { name: "Import meter data" }).count()).toBe(0);
    await viewer.page.goto(`/dashboard/energy/import?site=${site?.id}`);
    await viewer.page.getByText("Your role is read-only.").waitFor();
  });

  test("with titles, semicolons and a decimal comma shows what each column is, and asks for the zone alone", async () => {
    const visited = await opened();
    const { page, site } = visited;
    const text = example("layouts/date-and-clock-until-24.csv");
    await choose(page, "load.csv", text);
    await page.getByText("In which time zone are the times?").waitFor();
    await page.getByText("The file leaves 1 question open.").waitFor();
    expect(await head(page, 1).innerText()).toMatch(/Date[^]*day first/);
    expect(await head(page, 2).innerText()).toMatch(/Clock time[^]*end of the interval/);
    expect(await head(page, 3).innerText()).toMatch(/Values[^]*kWh, energy of the interval/);
    expect(await head(page, 4).innerText()).toMatch(/Not used|Measured or estimated/);
    const isDimmed = async (cell: string) =>
      (await page.getByRole("cell", { name: cell, exact: true }).first().getAttribute("class"))?.includes("italic");
    expect(await Promise.all(["Lastgang", "Zählpunkt", "Datum", "13.06.2026"].map(isDimmed))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    await expectSound(visited, "import-meter-data-asked");
    await page.getByRole("button", { name: "Europe/Berlin, as the site" }).click();
    await ready(page);
    await expectSound(visited, "import-meter-data-read");

    const rows = text.split("\n").filter((line) => /^\d\d\.\d\d\.\d{4};/.test(line));
    const expected = rows.reduce((sum, line) => sum + Number(line.split(";")[2]?.replace(",", ".")), 0);
    await importButton(page).click();
    await page.getByText(`${rows.length} intervals imported.`).waitFor();
    expect(await energyOf(site.id, "2026-06-12T00:00:00Z", "2026-06-16T00:00:00Z")).toBeCloseTo(expected, 3);
  });

  test("with dates that may be read in two ways is asked, answered and imported, by the keyboard alone", async () => {
    const { page, site } = await opened();
    await choose(page, "ambiguous.csv", ambiguous);
    await page.getByText('"06/07/2026 10:00": is the day or the month first?').waitFor();
    expect(await importButton(page).isEnabled()).toBe(false);
    const press = async (name: string) => {
      const button = page.getByRole("button", { name, exact: true });
      for (let tabs = 0; tabs < 20; tabs++) {
        await page.keyboard.press("Tab");
        if (await isFocused(page, button)) break;
      }
      await page.keyboard.press("Enter");
      await button.waitFor({ state: "detached" });
    };
    await page.getByLabel("Choose a file").focus();
    await press("the day is first");
    await press("the end");
    await press("Europe/Berlin, as the site");
    await ready(page);
    await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('role')")).toBe("status");
    await page.getByText("from 6 Jul 2026, 09:45:00").waitFor();
    await importButton(page).focus();
    await page.keyboard.press("Enter");
    await page.getByText("4 intervals imported.").waitFor();
    expect(await energyOf(site.id, "2026-07-06T07:45:00Z", "2026-07-06T08:45:00Z")).toBeCloseTo(12, 6);
  });

  test("changes when the head of a column is used to say what it is", async () => {
    const { page, site } = await opened();
    await choose(page, "registers.csv", example("layouts/cumulative-registers.csv"));
    await page.getByRole("button", { name: "Europe/Berlin, as the site" }).click();
    await page.getByLabel("Meter of Export T1").waitFor();
    await say(page, 4, "Not used");
    await page.getByLabel("Meter of Export T1").waitFor({ state: "detached" });
    expect(await head(page, 4).innerText()).toContain("Not used");

    // From head to head by arrows; the menu opens by Enter, and closes by Escape to where it was.
    await head(page, 2).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByRole("menuitemradio", { name: "Values", exact: true }).waitFor();
    expectNoneSerious(await axeViolations(page, undefined, '[role="menu"]'));
    await page.keyboard.press("Escape");
    await expect.poll(() => isFocused(page, head(page, 3))).toBe(true);
    await page.keyboard.press("Enter");
    await page.getByRole("menuitemradio", { name: "Not used", exact: true }).press("Enter");
    await page.getByLabel("Meter of Import T2").waitFor({ state: "detached" });
    await expect.poll(() => head(page, 3).innerText()).toContain("Not used");

    await page.getByLabel("Kind of column 2").selectOption("energy");
    await expect.poll(() => head(page, 2).innerText()).toContain("energy of the interval");
    await page.getByRole("button", { name: "Guess all of it again" }).click();
    await page.getByText("In which time zone are the times?").waitFor();
    await page.getByRole("button", { name: "Europe/Berlin, as the site" }).click();
    for (const register of ["Import T1", "Import T2", "Export T1"])
      await page.getByLabel(`Meter of ${register}`).selectOption({ label: "Main incomer" });
    await ready(page);
    await importButton(page).click();
    await page.getByText(/intervals imported\./).waitFor();
    expect(await energyOf(site.id, "2026-06-12T00:00:00Z", "2026-06-16T00:00:00Z")).not.toBe(0);
  });

  test("of a day a line has one head over all columns of the day", async () => {
    const visited = await opened();
    const { page } = visited;
    await choose(page, "matrix.csv", example("layouts/matrix-of-quarters.csv"));
    await page.getByText("96 intervals of a day").waitFor();
    await page.getByRole("button", { name: "Europe/Berlin, as the site" }).click();
    await page.getByLabel("Meter of MP-0001").selectOption({ label: "Main incomer" });
    await ready(page);
    expect(await page.locator("thead th[colspan='96']").count()).toBe(1);
    await expectSound(visited, "import-meter-data-matrix");
    await page.getByLabel("Sign of column 3").selectOption("export");
    await page.getByText(/^−\d/).first().waitFor();
  });

  test("is read by the profile that was kept for its header, unless that is not wanted", async () => {
    const visited = await opened();
    const { page } = visited;
    await choose(page, "june.csv", ambiguous);
    await page.getByRole("button", { name: "the day is first" }).click();
    await page.getByRole("button", { name: "the end", exact: true }).click();
    await page.getByRole("button", { name: "Europe/Berlin, as the site" }).click();
    await ready(page);
    await page.getByLabel("Use next time for files with this header").fill("Utility portal");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Kept as “Utility portal”.").waitFor();

    await choose(page, "july.csv", ambiguous.replace("Report", "Another report").replaceAll("06/07", "06/08"));
    await page.getByText("Taken as “Utility portal”, because the header is the same.").waitFor();
    await ready(page);
    await page.getByText("from 6 Aug 2026, 09:45:00").waitFor();
    await expectSound(visited, "import-meter-data-profile");
    await page.getByLabel("Sign of column 2").selectOption("export");
    await page.getByText("−12.0 kWh").first().waitFor();
    await page.getByText(/^Taken as “Utility portal”\.$/).waitFor();
    expect(await page.getByLabel("Times mark").inputValue()).toBe("end");

    await page.getByRole("button", { name: "Do not use it" }).click();
    await page.getByText("is the day or the month first?").first().waitFor();
    await page.getByLabel("Read as").selectOption("Utility portal");
    await ready(page);
    await page.getByText("Kept profiles").click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("“Utility portal” deleted.").waitFor();
    await choose(page, "august.csv", ambiguous);
    await page.getByText("is the day or the month first?").first().waitFor();
    expect(await page.getByText("Taken as").count()).toBe(0);
  });

  test("is gone once another one cannot be imported, and can be chosen again after it was corrected", async () => {
    const { page } = await opened();
    await choose(page, "ambiguous.csv", ambiguous);
    await page.getByText("is the day or the month first?").first().waitFor();
    await page.getByText("ambiguous.csv", { exact: true }).waitFor();
    // A browser reports no choice of the file that its input has already.
    expect(await page.getByLabel("Choose a file").inputValue()).toBe("");
    await page.getByLabel("Choose a file").setInputFiles(await fileOf("large.csv", MAX_METER_DATA_BYTES + 1));
    await page.getByText("large.csv has more than 40 MB; split it into several files.").first().waitFor();
    await page.getByText("No file chosen", { exact: true }).waitFor();
    expect(await importButton(page).count()).toBe(0);
  });

  test("that is still being imported keeps its page, and takes nobody back who has left it", async () => {
    const { page, site } = await opened();
    const held: Route[] = [];
    await page.route(/\/meter-data\?.*dry_run=false/, (route) => void held.push(route));
    await choose(page, "green-button.xml", example("green-button.xml"));
    await page.getByRole("button", { name: "Import 24 intervals" }).click();
    await expect.poll(() => held.length).toBe(1);
    expect(new URL(held[0]?.request().url() ?? "").searchParams.get("mapping_profile")).toBe("none");
    await expect.poll(() => page.getByLabel("Choose a file").isDisabled()).toBe(true);
    await page.getByRole("link", { name: "Accounts" }).first().click();
    await page.getByRole("heading", { name: "Accounts" }).first().waitFor();
    const there = page.url();
    await held[0]?.continue();
    await page.getByText("24 intervals imported.").waitFor();
    expect(page.url()).toBe(there);
    expect(await energyOf(site.id, "2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z")).toBeCloseTo(486.518, 2);
  });

  test("takes what is said of two columns before the first answer is there", async () => {
    const { page } = await opened();
    await choose(page, "registers.csv", example("layouts/cumulative-registers.csv"));
    await page.getByRole("button", { name: "Europe/Berlin, as the site" }).click();
    await page.getByLabel("Meter of Export T1").waitFor();
    const held: Route[] = [];
    await page.route("**/meter-data?*", (route) => void held.push(route), { times: 1 });
    await say(page, 4, "Not used");
    await expect.poll(() => held.length).toBe(1);
    expect(await head(page, 4).innerText()).toContain("Not used");
    expect(await page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
    await say(page, 3, "Not used");
    await held[0]?.continue();
    await page.getByLabel("Meter of Import T2").waitFor({ state: "detached" });
    await page.getByLabel("Meter of Import T1").waitFor();
    expect(await page.getByLabel("Meter of Export T1").count()).toBe(0);
  });

  test("is read on a phone, in light and dark", async () => {
    const visited = await opened({ widthPx: 390, heightPx: 844 });
    const { page } = visited;
    await choose(page, "ambiguous.csv", ambiguous);
    await page.getByText("is the day or the month first?").first().waitFor();
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await expectSound(visited, "import-meter-data-phone");
      await head(page, 2).click();
      const menu = page.getByRole("menu");
      await menu.waitFor();
      await takePicture(page, `import-meter-data-menu-${theme}`);
      await expectInsideWindow(page, menu, "the menu of a column");
      await page.keyboard.press("Escape");
      await menu.waitFor({ state: "detached" });
    }
  });

  test("that is no table, or cannot be sent, says so", async () => {
    const { page, faults } = await opened();
    await choose(page, "letter.txt", "Dear customer,\nplease find enclosed your bill.\n");
    await page.getByText("No table of times and values was found in this file.").waitFor();
    await page
      .getByText(/nothing will be imported/)
      .first()
      .waitFor();
    await page.route("**/meter-data?*", (route) => route.abort());
    await choose(page, "ambiguous.csv", ambiguous);
    await page.getByRole("alert").waitFor();
    await page.unroute("**/meter-data?*");
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByText("is the day or the month first?").first().waitFor();
    expect(faults.filter((fault) => !fault.includes("ERR_FAILED"))).toEqual([]);
  });
});
