import { operator as api } from "@curtail/contract";
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound, lookAt } from "../support/looks.js";
import { newProgram, operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const SITES = 1000;
const header = "account,site,customer_location_id,dispatch_group,timezone,meter,asset_type,program,commitment_kw";

/** Ten accounts with a hundred sites each. */
const csv = [
  header,
  ...Array.from(
    { length: SITES },
    (_, n) => `Chain ${n % 10},Store ${n},${n},group ${n % 7},UTC,main,load,Large,${50 + (n % 9)}`,
  ),
].join("\n");

describe.skipIf(!hasChromium)("a dispatch of a thousand sites", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let operator: string;
  let dispatch: string;
  let smaller: string;
  let participant: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    const id = await newProgram(service.url, { name: "Large" });
    await operate(service.url, api.importSites, { body: { csv, dry_run: false } });
    const body = { program_id: id, start_time: new Date(Date.now() - 300_000).toISOString(), confirm_past: true };
    dispatch = (await operate(service.url, api.createDispatch, { body })).id;
    operator = await newUser(service.url, "operator-admin");
    const accounts = await operate(service.url, api.listAccounts);
    const params = { id: accounts.items[0]?.id ?? "" };
    const { items } = await operate(service.url, api.listAccountSites, { params, query: { limit: 100 } });
    const sites = items.map((site) => ({ site_id: site.id, commitment: 50 }));
    smaller = (await operate(service.url, api.createDispatch, { body: { ...body, sites } })).id;
    participant = await newUser(service.url, "participant-admin", accounts.items[0]?.id ?? "");
  });

  /** The page of a dispatch once all of it is drawn. */
  const opened = async (id: string, sites: string) => {
    const visited = await signIn(browser, service.url, operator);
    const { page } = visited;
    const requests: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/operator/")) requests.push(pathname);
    });
    await page.goto(`/operations/dispatches/${id}`);
    const table = page.getByRole("region", { name: "Sites of the dispatch" }).getByRole("table");
    await table.waitFor();
    await page.getByRole("heading", { name: `Sites (${sites})` }).waitFor();
    await page.locator("figure canvas").first().waitFor();
    return { ...visited, table, requests };
  };

  test("has a page as large as that of a hundred sites, with as many requests", async () => {
    const sizes = [];
    for (const [id, sites] of [
      [smaller, "100"],
      [dispatch, "1,000"],
    ] as const) {
      const { page, table, requests, faults } = await opened(id, sites);
      // How many rows are in view depends on where the table begins, to a step of ten.
      const nodes = await page.evaluate<number>("document.querySelectorAll('*:not(tbody *)').length");
      const rows = await table.getByRole("row").count();
      // What changes is asked for again, at most every three seconds.
      const asked = [...new Set(requests)];
      sizes.push({ nodes, rows, asked: asked.length });
      expect(asked.filter((path) => path.includes("/sites"))).toEqual([]);
      expect(faults).toEqual([]);
      await page.close();
    }
    const [few, many] = sizes;
    expect(many?.asked).toBe(few?.asked);
    expect(many?.asked).toBeLessThanOrEqual(12);
    // Two digits more or less of a figure are no elements; the timeline may have a line more.
    expect(Math.abs((many?.nodes ?? 0) - (few?.nodes ?? 0))).toBeLessThan(60);
    expect(many?.nodes).toBeLessThan(1500);
    for (const { rows } of sizes) expect(rows).toBeLessThan(80);
  });

  test("has the rows in view, says which of how many they are, and finds every site", async () => {
    const { page, table, faults } = await opened(dispatch, "1,000");
    expect(await table.getAttribute("aria-rowcount")).toBe("1001");
    const rows = table.getByRole("row");
    const indices = () => rows.evaluateAll((each) => each.map((row) => Number(row.ariaRowIndex)));
    expect((await indices()).slice(0, 3)).toEqual([1, 2, 3]);
    expect(await rows.count()).toBeLessThan(80);
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await expect.poll(async () => (await indices()).at(-1)).toBe(1001);
    expect(await rows.count()).toBeLessThan(80);
    // The browser's own search cannot find a row that is not in the page.
    await page.getByText("The browser’s Find (Ctrl+F) sees only the rows in view.").waitFor();
    await page.getByLabel("Search").fill("store 987");
    await expect.poll(() => rows.count()).toBe(2);
    expect(await table.getAttribute("aria-rowcount")).toBe("2");
    await page.getByLabel("Search").fill("");
    await expect.poll(() => table.getAttribute("aria-rowcount")).toBe("1001");
    expect(faults).toEqual([]);
  });

  test("keeps the row of the keyboard, which goes on from there", async () => {
    const { page, table } = await opened(dispatch, "1,000");
    const focused = () => page.evaluate<string>("document.activeElement?.textContent ?? ''");
    // Rows are drawn around the focus with the next frames: nobody presses Tab again before that.
    const tab = async () => {
      await page.keyboard.press("Tab");
      await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    };
    await table.getByRole("row").nth(1).getByRole("button").focus();
    const first = await focused();
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await expect.poll(() => table.getByRole("row").last().getAttribute("aria-rowindex")).toBe("1001");
    expect(await focused()).toBe(first);
    await page.keyboard.press("Shift+Tab");
    await tab();
    expect(await focused()).toBe(first);
    // However long the focus was elsewhere.
    await page.keyboard.press("Shift+Tab");
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await expect.poll(() => table.getByRole("row").last().getAttribute("aria-rowindex")).toBe("1001");
    await tab();
    expect(await focused()).toBe(first);
    const seen = new Set<string>();
    for (let step = 0; step < 70; step++) {
      seen.add(await focused());
      await tab();
    }
    // Row after row, none left out: farther than the rows that were in the page at first.
    expect(seen.size).toBe(70);
    expect([...seen].every((name) => /^Store \d+/.test(name))).toBe(true);
  });

  test("shows what is measured so far, and of how many sites, while readings are loaded", async () => {
    const [params, query] = [{ id: dispatch }, {}];
    const whole = await operate(service.url, api.getAnyDispatchPerformance, { params });
    const { curve } = await operate(service.url, api.getDispatchCurve, { params, query });
    const totals = { ...whole.totals, sites: 400, now: { ...whole.totals.now, sites: 400, reduction_kw: 21_000 } };
    const performance = { ...whole, totals, sites: whole.sites.slice(0, 400) };
    const part = { measured_sites: 400, sites: SITES, performance, curve };
    const { page, faults } = await signIn(browser, service.url, operator);
    await page.route("**/performance/stream", (route) =>
      route.fulfill({ contentType: "text/event-stream", body: `event: preparing\ndata: ${JSON.stringify(part)}\n\n` }),
    );
    await page.goto(`/operations/dispatches/${dispatch}`);
    await page.getByText("Measured for 400 of 1,000 sites so far.").waitFor();
    await page.getByRole("heading", { level: 1, name: /delivers 21,000 of / }).waitFor();
    await page.getByRole("heading", { name: "Sites (400 of 1,000)" }).waitFor();
    await page.locator("figure canvas").first().waitFor();
    expect(faults).toEqual([]);
  });

  test("prints all sites", async () => {
    const { page, table } = await opened(dispatch, "1,000");
    await page.emulateMedia({ media: "print" });
    await expect.poll(() => table.getByRole("row").count()).toBe(1001);
    await page.emulateMedia({ media: "screen" });
    await expect.poll(() => table.getByRole("row").count()).toBeLessThan(80);
  });

  test.each([
    ["light", 390],
    ["dark", 1440],
  ] as const)("has sound lists of sites in %s at %i px", { timeout: 240_000 }, async (theme, widthPx) => {
    const visited = await signIn(browser, service.url, operator, { theme, widthPx });
    await lookAt(visited, "/operations/sites", "operations-large-sites");
    await visited.page.goto("/operations/dispatches/new");
    await visited.page.getByText(/^200 of/).waitFor();
    await expectSound(visited, "operations-large-choice");
    const theirs = await signIn(browser, service.url, participant, { theme, widthPx });
    await lookAt(theirs, "/dashboard", "dashboard-large");
  });

  test("lists every account in its evidence, and every site in the form of a new one", async () => {
    const visited = await signIn(browser, service.url, operator);
    const { page } = visited;
    await lookAt(visited, `/operations/dispatches/${dispatch}?tab=evidence`, "operations-large-evidence");
    await page.getByText("0 of 10 accounts notified").waitFor();
    await page.goto("/operations/dispatches/new");
    await page.getByText("1,000 sites, 54.0 MW committed").waitFor();
    await page.getByText("200 of 1,000 are shown.").waitFor();
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("button", { name: /^Dispatch 1,000 sites/ }).waitFor();
    await lookAt(visited, "/operations/telemetry", "operations-large-telemetry");
    const health = page.getByRole("region", { name: "Telemetry health of sites" }).getByRole("table");
    expect(await health.getAttribute("aria-rowcount")).toBe("1001");
    expect(await health.getByRole("row").count()).toBeLessThan(80);
  });
});
