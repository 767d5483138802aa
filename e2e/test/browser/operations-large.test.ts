import { operator as api } from "@curtail/contract";
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound, lookAt } from "../support/looks.js";
import { operate } from "../support/participant.js";
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
  let participant: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    const program = { name: "Large", timezone: "UTC", market: "", program_type: "capacity" as const };
    const { id } = await operate(service.url, api.createProgram, { body: program });
    await operate(service.url, api.importSites, { body: { csv, dry_run: false } });
    const body = { program_id: id, start_time: new Date(Date.now() - 300_000).toISOString(), confirm_past: true };
    dispatch = (await operate(service.url, api.createDispatch, { body })).id;
    operator = await newUser(service.url, "operator-admin");
    const accounts = await operate(service.url, api.listAccounts);
    participant = await newUser(service.url, "participant-admin", accounts.items[0]?.id ?? "");
  });

  test("shows 200 rows at a time, and finds every site", async () => {
    const visited = await signIn(browser, service.url, operator);
    const { page } = visited;
    await page.goto(`/operations/dispatches/${dispatch}`);
    await page.getByText("200 of 1,000 are shown.").waitFor();
    const rows = page.getByRole("region", { name: "Sites of the dispatch" }).getByRole("row");
    expect(await rows.count()).toBe(201);
    await page.getByLabel("Search").fill("store 987");
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel("Search").fill("");
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByText("400 of 1,000 are shown.").waitFor();
    expect(visited.faults).toEqual([]);
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
    await page.getByText("0 of 10 accounts acknowledged").waitFor();
    await page.goto("/operations/dispatches/new");
    await page.getByText("1,000 sites, 54.0 MW committed").waitFor();
    await page.getByText("200 of 1,000 are shown.").waitFor();
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("button", { name: /^Dispatch 1,000 sites/ }).waitFor();
    await lookAt(visited, "/operations/telemetry", "operations-large-telemetry");
    await page.getByText("200 of 1,000 are shown.").waitFor();
  });
});
