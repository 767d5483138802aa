import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operator as api } from "@curtail/contract";
import type { Browser, Page } from "playwright-core";
import { describe, expect, vi } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { type ColdStores, callFor, newColdStores, runUsually } from "../support/cold-stores.js";
import { downloaded } from "../support/download.js";
import { expectSound, expectSoundInEachLook, LOOKS_MS } from "../support/looks.js";
import { operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const FINAL_MS = 60_000;

const results = (page: Page) => page.getByRole("region", { name: "Past dispatches" });
const ready = (page: Page) => results(page).waitFor();
const firstCsv = (page: Page) => page.getByRole("link", { name: "CSV", exact: true }).first();

/** The text of a PDF by pages; null, loudly, without poppler-utils. */
const pagesOf = (pdf: Buffer): string[] | null => {
  const folder = mkdtempSync(join(tmpdir(), "curtail-pdf-"));
  try {
    const file = join(folder, "report.pdf");
    writeFileSync(file, pdf);
    return execFileSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" }).split("\f").slice(0, -1);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    process.stderr.write("SKIPPED: pdftotext was not found; install poppler-utils to test the text of reports\n");
    return null;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

describe.skipIf(!hasChromium)("after the day", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let stores: ColdStores;
  let operator: string;
  let participant: string;
  let over: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    const { url } = service;
    stores = await newColdStores(url);
    operator = await newUser(url, "operator-admin");
    participant = await newUser(url, "participant-viewer", stores.accountId);
    await runUsually(url, stores);
    over = await callFor(url, stores.programId, [-300, -180]);
    await vi.waitUntil(
      async () => (await operate(url, api.listDispatchResults)).items.some(({ state }) => state === "final"),
      { timeout: FINAL_MS, interval: 500 },
    );
  }, 180_000);

  test("operators find past dispatches with their results, by account, site and program, and as a file", async () => {
    const { page } = await signIn(browser, service.url, operator);
    await page.goto("/operations/dispatches?state=past");
    const row = results(page).getByRole("row").nth(1);
    expect(await row.textContent()).toContain("430");
    await page.getByLabel("Account").selectOption({ label: "Northgate Foods" });
    await page.getByLabel("Site").selectOption({ label: "Elm Street supermarket" });
    await expect.poll(() => row.textContent()).toContain("60.0");
    expect(new URL(page.url()).searchParams.get("site")).toBe(stores.sites[2]?.id);
    const file = await downloaded(firstCsv(page));
    expect(file.name).toBe("dispatch-results.csv");
    expect(file.text.split("\r\n")[1]).toContain(over);
    await page.getByLabel("Test dispatches").selectOption("only");
    await page.getByText("No past dispatches match.").waitFor();

    await page.goto(`/operations/sites/${stores.sites[0]?.id}`);
    // Called for after its end, as the fixture does: nobody was to be reached.
    await results(page).getByRole("link", { name: "Recorded" }).click();
    await page.getByText("Nobody was notified: the dispatch was recorded after its end.").waitFor();
    await page.goto(`/operations/programs/${stores.programId}`);
    await page.getByRole("link", { name: "Compare its dispatches" }).click();
    await page.getByRole("region", { name: "Dispatches compared" }).getByRole("row").nth(1).waitFor();
    await page.getByRole("link", { name: /of 430 kW/ }).click();
    await expect.poll(() => page.url()).toContain(`/operations/dispatches/${over}`);
  });

  test("both sides print a report in which no row is cut, on A4 and on Letter", { timeout: LOOKS_MS }, async () => {
    for (const [user, side] of [
      [operator, "operations"],
      [participant, "dashboard"],
    ] as const) {
      const visited = await signIn(browser, service.url, user);
      const { page } = visited;
      await page.goto(`/${side}/dispatches/${over}`);
      await page.getByRole("link", { name: "Report", exact: true }).click();
      await page.getByRole("heading", { name: "How this is measured" }).waitFor();
      for (const format of ["A4", "Letter"]) {
        const pages = pagesOf(await page.pdf({ format }));
        if (pages === null) continue;
        for (const text of pages) expect(text).toMatch(new RegExp(`Dispatch ${over}\\s+Page \\d+ of ${pages.length}`));
        for (const { name, commitmentKw } of stores.sites)
          expect(pages.some((text) => text.split("\n").some((line) => rowOf(name, commitmentKw).test(line)))).toBe(
            true,
          );
      }
      // What paper shows: nothing around the document, and nothing wider than the sheet.
      await page.setViewportSize({ width: 680, height: 960 });
      await page.emulateMedia({ media: "print" });
      expect(await page.getByRole("navigation").count()).toBe(0);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(680);
      expect(await page.evaluate(UNKEPT_ROWS)).toEqual([]);
    }
  });

  test("are sound by day and by night, on a phone and on a wall", { timeout: 2 * LOOKS_MS }, async () => {
    const { sites, accountId } = stores;
    await expectSoundInEachLook(
      (looks) => signIn(browser, service.url, operator, looks),
      [
        { address: `/operations/dispatches?state=past&account=${accountId}&period=custom`, name: "past", ready },
        { address: `/operations/accounts/${accountId}?tab=dispatches`, name: "account-dispatches", ready },
        { address: `/operations/sites/${sites[0]?.id}`, name: "site-dispatches", ready },
        { address: "/operations/reports?by=dispatch&period=year", name: "comparison" },
        { address: `/operations/dispatches/${over}/report`, name: "dispatch-report" },
      ],
    );
    const empty = await signIn(browser, service.url, operator);
    await empty.page.goto("/operations/dispatches?state=past&tests=only");
    await empty.page.getByText("No past dispatches match.").waitFor();
    await expectSound(empty, "past-empty");
    const own = await signIn(browser, service.url, participant, { widthPx: 1280 });
    await own.page.goto(`/dashboard/dispatches/${over}`);
    const table = own.page.getByRole("region", { name: "Sites of the dispatch" });
    await table.waitFor();
    expect(await table.evaluate(IS_CUT_OFF)).toBe(false);
    const wall = await signIn(browser, service.url, operator, { widthPx: 1920 });
    await wall.page.goto("/operations/reports?period=year");
    const report = wall.page.getByRole("region", { name: "Report" });
    await report.waitFor();
    expect(await report.evaluate(IS_CUT_OFF)).toBe(false);
  });
});

/** A row of the table of sites on one line of a page. */
const rowOf = (name: string, commitmentKw: number): RegExp =>
  new RegExp(`${name.split(" ")[0] ?? ""}.*\\b${commitmentKw}(\\.0)?\\b`);

/** Rows that a page may cut, and tables whose head is not repeated. */
const UNKEPT_ROWS = `[
  ...[...document.querySelectorAll("article tbody tr")].filter((row) => getComputedStyle(row).breakInside !== "avoid"),
  ...[...document.querySelectorAll("article thead")].filter((head) => getComputedStyle(head).display !== "table-header-group"),
].map((each) => each.textContent)`;

const IS_CUT_OFF = (element: { readonly scrollWidth: number; readonly clientWidth: number }): boolean =>
  element.scrollWidth > element.clientWidth;
