import { operator as api } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import type { Browser, Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { dragFingers, dragOver, edgesOf, placeIn } from "../support/chart.js";
import { hasChromium, test } from "../support/chromium.js";
import { expectInsideWindow, expectSoundDialogs } from "../support/dialogs.js";
import { downloaded } from "../support/download.js";
import { expectSound, expectSoundInEachLook, LOOKS_MS, lookAt } from "../support/looks.js";
import { operate } from "../support/participant.js";
import { keepMeasured, newPortfolio, type Portfolio, runningDispatch } from "../support/portfolio.js";
import type { ServiceProcess } from "../support/service-process.js";
import { type Looks, newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";
import { registerWebhook } from "../support/webhooks.js";

const pageOf = (id: string): string => `/operations/dispatches/${id}`;
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

/** The sentence that the page begins with, once it has figures. */
const delivering = (page: Page): Locator =>
  page.getByRole("heading", { level: 1, name: /delivers [\d,]+ of [\d,]+ kW/ });

/** What a quiet menu of the chart offers. */
const choose = async (page: Page, item: string): Promise<void> => {
  await page.getByRole("button", { name: "Zoom, table and file of the chart" }).click();
  await page.getByRole("menuitem", { name: item }).click();
};

const measured = async (page: Page) => {
  await delivering(page).waitFor();
  await page.getByRole("img", { name: /^Delivered and committed/ }).waitFor();
};

describe.skipIf(!hasChromium)("the operators' pages of dispatches", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let operator: string;
  let auditor: string;
  let participant: string;
  let portfolio: Portfolio;
  let running: string;
  let useLess: () => Promise<void>;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    portfolio = await newPortfolio(service.url);
    const { url } = await receiver();
    await registerWebhook(service.url, { key: portfolio.members[0]?.key ?? "" }, url);
    running = await runningDispatch(service.url, portfolio);
    useLess = keepMeasured(service.url, portfolio);
    operator = await newUser(service.url, "operator-admin");
    auditor = await newUser(service.url, "auditor");
    participant = await newUser(service.url, "participant-viewer", portfolio.members[0]?.id);
  });

  const dispatches = () => operate(service.url, api.listAllDispatches, { query: { limit: 500 } });

  test("are sound by day and by night, on a phone and on a wall", { timeout: LOOKS_MS }, async () => {
    await expectSoundInEachLook(
      (looks) => signIn(browser, service.url, operator, looks),
      [
        { address: "/operations/dispatches", name: "operations-dispatches" },
        { address: pageOf(running), name: "operations-dispatch", ready: measured },
        ...["evidence", "deliveries", "about"].map((tab) => ({
          address: `${pageOf(running)}?tab=${tab}`,
          name: `operations-dispatch-${tab}`,
        })),
        { address: "/operations/dispatches/new", name: "operations-new-dispatch" },
      ],
    );
  });

  test("have dialogs that are sound on a phone", async () => {
    const visited = await signIn(browser, service.url, operator, { widthPx: 390 });
    const opened = await expectSoundDialogs(visited, [pageOf(running)]);
    expect(opened).toEqual(expect.arrayContaining(["Cancel dispatch", "Change times", "End now"]));
  }, 60_000);

  const openedChart = async (looks: Looks = {}) => {
    const visited = await signIn(browser, service.url, operator, looks);
    const { page } = visited;
    await page.goto(pageOf(running));
    const chart = page.getByRole("img", { name: /^Delivered and committed/ });
    await chart.waitFor();
    const figure = page.getByRole("figure").filter({ has: chart });
    const shown = figure.getByText(/\d\d:\d\d – \d\d:\d\d shown$/);
    const press = async (name: string) => {
      if (name === "Zoom in" && (await shown.count()) === 0) await choose(page, name);
      else await figure.getByRole("button", { name }).press("Enter");
    };
    return { visited, page, chart, shown, press };
  };

  /** Waits until new readings are drawn. */
  const newReadings = async (chart: Locator) => {
    const before = await chart.getAttribute("aria-label");
    await useLess();
    await expect.poll(() => chart.getAttribute("aria-label"), { timeout: 60_000 }).not.toBe(before);
  };

  test("sites stand in order of their shortfall, are found by name, and show their own curve", async () => {
    const visited = await signIn(browser, service.url, operator, { widthPx: 1920 });
    const { page } = visited;
    await page.goto(`/operations/dispatches/${running}`);
    const sites = page.getByRole("region", { name: "Sites of the dispatch" });
    // One without readings lacks all of its commitment.
    await expect.poll(() => sites.getByRole("row").nth(1).textContent()).toContain("Pumping station Oak Hill");
    await expect.poll(() => sites.getByRole("row").nth(2).textContent()).toContain("Rolling mill");
    await page.getByLabel("Search").fill("freezer");
    await expect.poll(() => sites.getByRole("row").count()).toBe(3);
    // The counts of all chips add up to the number of sites, whatever is searched.
    const chips = page.getByRole("group", { name: "Sites by state" }).getByRole("button");
    const counts = async () => (await chips.allTextContents()).map((each) => Number(/\d+$/.exec(each)?.[0]));
    await expect.poll(async () => (await counts()).slice(1).reduce((sum, each) => sum + each, 0)).toBe(5);
    expect((await counts())[0]).toBe(5);
    await chips.filter({ hasText: /^Not notified/ }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("status")).toBe("not_notified");
    await chips.first().click();
    await expect.poll(() => new URL(page.url()).searchParams.get("status")).toBeNull();
    await sites.getByRole("button", { name: "Freezer hall 2" }).click();
    await page.getByRole("img", { name: /^Load of Freezer hall 2 around the dispatch/ }).waitFor();
    await expectSound(visited, "operations-dispatch-site");
    // Taller than a small phone: its end can be scrolled to.
    await page.setViewportSize({ width: 390, height: 600 });
    const details = page.getByRole("dialog").getByRole("region", { name: "Details" });
    await details.evaluate("(details) => details.scrollTo(0, details.scrollHeight)");
    await expectInsideWindow(page, details, "details of a site");
    await expectSound(visited, "operations-dispatch-site-phone");
    await page.setViewportSize({ width: 1920, height: 900 });
    await page.getByRole("button", { name: "Close" }).click();
    await choose(page, "Load and baseline");
    await page.getByRole("img", { name: /^Load and baseline of all sites/ }).waitFor();
  });

  describe("a zoomed chart", () => {
    test("does not move while readings arrive, until it is reset", { timeout: 120_000 }, async () => {
      const { visited, page, chart, shown, press } = await openedChart();
      const whole = await edgesOf(page, chart);
      await dragOver(page, chart, [0.2, 0.4]);
      const zoomed = [await shown.textContent(), await edgesOf(page, chart)];
      expect(zoomed[1]).not.toEqual(whole);
      await newReadings(chart);
      expect([await shown.textContent(), await edgesOf(page, chart)]).toEqual(zoomed);
      await expectSound(visited, "operations-dispatch-zoomed");
      await press("Reset zoom");
      await expect.poll(() => shown.count()).toBe(0);
      expect((await edgesOf(page, chart))[0]).toBe(whole[0]);
    });

    test("is moved and widened with the keyboard", async () => {
      const { shown, press } = await openedChart();
      await press("Zoom in");
      const first = await shown.textContent();
      await press("Earlier");
      await expect.poll(() => shown.textContent()).not.toBe(first);
      await press("Zoom out");
      await expect.poll(() => shown.count()).toBe(0);
    });

    test("follows fingers, which still scroll the page", { timeout: 120_000 }, async () => {
      const { visited, page, chart, shown, press } = await openedChart({ widthPx: 390, hasTouch: true });
      await chart.scrollIntoViewIfNeeded();
      const at = await placeIn(chart);
      await dragFingers(page, [at(0.2, 0.4)], [at(0.6, 0.42)]);
      const dragged = await shown.textContent();
      await newReadings(chart);
      expect(await shown.textContent()).toBe(dragged);
      await dragFingers(page, [at(0.4, 0.5), at(0.6, 0.5)], [at(0.2, 0.5), at(0.8, 0.5)]);
      await expect.poll(() => shown.textContent()).not.toBe(dragged);
      await expectSound(visited, "operations-dispatch-touched");
      await press("Reset zoom");
      const scrolled = () => page.evaluate<number>("window.scrollY");
      const before = await scrolled();
      const now = await placeIn(chart);
      await dragFingers(page, [now(0.5, 0.8)], [now(0.52, 0.2)]);
      await expect.poll(scrolled).toBeGreaterThan(before);
      expect(await shown.count()).toBe(0);
    });
  });

  test("a link to a tab that is no more shows the first one", async () => {
    const { page } = await signIn(browser, service.url, operator);
    await page.goto(`${pageOf(running)}?tab=gone`);
    await page.getByRole("tab", { name: /^Sites/, selected: true }).waitFor();
    await page.getByRole("tabpanel").getByRole("table").waitFor();
  });

  test("the evidence shows who was notified and how, and a delivery is resent", async () => {
    const { page } = await signIn(browser, service.url, operator);
    await page.goto(`${pageOf(running)}?tab=evidence`);
    await page.getByText("1 of 3 accounts notified").waitFor();
    await page
      .getByText(/^Attempt 1 at http.*: answered 200 after \d+ ms$/)
      .first()
      .waitFor();
    await page
      .getByText(/^Delivered to http/)
      .first()
      .waitFor();
    await page.getByLabel("Only accounts that are not (2)").check();
    const evidence = page.getByRole("tabpanel");
    const file = await downloaded(evidence.getByRole("link", { name: "CSV", exact: true }));
    expect(file.name).toBe(`${running}-evidence.csv`);
    await evidence.getByText("City Water").waitFor();
    expect(await evidence.getByText("North Cold Storage").count()).toBe(0);
    await page.getByRole("tab", { name: "Deliveries" }).click();
    const deliveries = page.getByRole("region", { name: "Deliveries" });
    await deliveries.getByRole("columnheader", { name: "Account" }).waitFor();
    await deliveries.getByRole("cell", { name: "North Cold Storage" }).waitFor();
    await page.getByRole("button", { name: "Resend" }).click();
    await page.getByText("The delivery will be sent again.").waitFor();
    await deliveries.getByText("2 attempts").click({ timeout: 15_000 });
    expect(await deliveries.getByRole("listitem").filter({ hasText: "answered 200" }).count()).toBe(2);
  });

  test("a dispatch that starts now and whose answer is lost is created once, however often it is repeated", async () => {
    const { page } = await signIn(browser, service.url, operator);
    await page.goto("/operations/dispatches/new");
    await page.getByRole("button", { name: "Preview" }).click();
    const issue = page.getByRole("button", { name: /^Dispatch .* kW/ });
    await issue.waitFor();
    const before = (await dispatches()).items.length;
    let lost = 0;
    await page.route("**/operator/v1/dispatches", async (route) => {
      const response = await route.fetch();
      if (++lost > 2) return route.fulfill({ response });
      return route.abort("connectionreset");
    });
    const confirm = page.getByRole("button", { name: "Dispatch anyway" });
    for (const times of [1, 2]) {
      await issue.press("Enter");
      await confirm.press("Enter");
      await expect.poll(() => lost).toBe(times);
      await page.getByText("Not connected to the service").first().waitFor();
    }
    await issue.press("Enter");
    await confirm.press("Enter");
    await page.waitForURL(/\/operations\/dispatches\/dis_/);
    const { items } = await dispatches();
    expect(items.length).toBe(before + 1);
    expect(page.url()).toContain(items[0]?.id);
  });

  test("a dispatch group is dispatched, and an end before the start or an hour that does not exist is refused", async () => {
    const { page } = await signIn(browser, service.url, operator);
    await page.goto("/operations/dispatches/new");
    await page.getByLabel("Sites to dispatch").selectOption("A dispatch group");
    await page.getByLabel("Dispatch group").selectOption("north");
    await page.getByText("2 sites, 210 kW committed").waitFor();
    await page.getByLabel("Start", { exact: true }).selectOption("At a set time");
    await page.getByLabel("Start time").fill("2027-03-14T02:30");
    await page.getByText("because the clocks go forward").waitFor();
    await page.getByLabel("Start time").fill("2027-03-14T03:30");
    await page.getByLabel("End", { exact: true }).selectOption("At a set time");
    await page.getByLabel("End time").fill("2027-03-14T03:30");
    await page.getByText("The end must be after the start.").waitFor();
    await page.getByRole("button", { name: "Preview" }).click();
    expect(await page.getByText("Who will be notified, and how").count()).toBe(0);
    await page.getByLabel("End time").fill("2027-03-14T04:30");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("button", { name: "Dispatch 2 sites, 210 kW" }).waitFor();
  });

  test("times are changed, and a dispatch is cancelled after a question", async () => {
    const soon = { start_time: minutesAgo(-60), end_time: minutesAgo(-120) };
    const body = { program_id: portfolio.programId, ...soon };
    const { id } = await operate(service.url, api.createDispatch, { body });
    const visited = await signIn(browser, service.url, operator);
    const { page } = visited;
    await page.goto(pageOf(id));
    await page.getByRole("button", { name: "Change times" }).click();
    const later = new Date(Date.now() + 10_800_000).toLocaleString("sv-SE", { timeZone: "America/Chicago" });
    const end = page.getByLabel("End", { exact: true });
    await end.fill("2099-01-01T12:00");
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await expect.poll(() => end.getAttribute("aria-invalid")).toBe("true");
    expect(
      await page
        .getByRole("dialog")
        .getByText(/lasts at most \d+ days/)
        .count(),
    ).toBe(1);
    expect(await page.getByRole("alert").count()).toBe(0);
    // The browser's own message about the refusal.
    expect(visited.faults.splice(0)).toEqual([expect.stringContaining("400")]);
    await end.fill(later.replace(" ", "T").slice(0, 16));
    await expectSound(visited, "operations-change-times");
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await page.getByText("Dispatch updated. Participants are being notified.").waitFor();
    await page.getByRole("button", { name: "Cancel dispatch" }).click();
    await page.getByRole("button", { name: "Cancel it" }).click();
    await page.getByText("cancelled", { exact: true }).first().waitFor();
    expect(await page.getByRole("button", { name: "Change times" }).count()).toBe(0);
    await page.getByRole("tab", { name: "About and history" }).click();
    await expect
      .poll(() =>
        page
          .getByRole("region", { name: /^Revisions/ })
          .getByRole("row")
          .count(),
      )
      .toBe(4);
  });

  test("an end that has passed asks like ending now, and buttons lengthen the end", async () => {
    const end = new Date(Math.floor(Date.now() / 1000) * 1000 + 600_000);
    const past = { start_time: minutesAgo(30), confirm_past: true };
    const body = { program_id: portfolio.programId, ...past, end_time: end.toISOString() };
    const { id } = await operate(service.url, api.createDispatch, { body });
    const stored = () => operate(service.url, api.getAnyDispatch, { params: { id } });
    const visited = await signIn(browser, service.url, operator, { widthPx: 390 });
    const { page } = visited;
    await page.goto(pageOf(id));
    await page.getByRole("button", { name: "Change times" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "+15 min" }).click();
    await page.getByRole("button", { name: "+60 min" }).click();
    await expectSound(visited, "operations-change-times");
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await expect.poll(stored).toMatchObject({
      end_time: new Date(end.getTime() + 75 * 60_000).toISOString().replace(".000", ""),
      modification_number: 1,
    });
    await page.getByRole("button", { name: "Change times" }).click();
    const passed = new Date(minutesAgo(10)).toLocaleString("sv-SE", { timeZone: "America/Chicago" });
    await page.getByLabel("End", { exact: true }).fill(passed.replace(" ", "T").slice(0, 16));
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await page.getByText("End this dispatch now?").waitFor();
    await expectSound(visited, "operations-end-passed");
    expect(await stored()).toMatchObject({ modification_number: 1 });
    await page.getByRole("button", { name: "End dispatch" }).click();
    await page.getByText("over", { exact: true }).waitFor();
    expect(Date.parse((await stored()).end_time ?? "")).toBeLessThan(Date.parse(minutesAgo(9)));
  }, 90_000);

  test("a button sets the end of an open-ended dispatch, from now on", async () => {
    const past = { start_time: minutesAgo(5), confirm_past: true };
    const body = { program_id: portfolio.programId, ...past, end_time: null };
    const { id } = await operate(service.url, api.createDispatch, { body });
    const { page } = await signIn(browser, service.url, operator);
    await page.goto(pageOf(id));
    await page.getByRole("button", { name: "Change times" }).click();
    await page.getByRole("button", { name: "+30 min" }).click();
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await page.getByText(/ends in 0:(29|30):/).waitFor();
    await operate(service.url, api.changeDispatch, { params: { id }, body: { end_time: minutesAgo(0) } });
  });

  test("a dispatch that is over is voided for a reason, and its results are withdrawn", async () => {
    const sites = portfolio.members[0]?.sites.map(({ id }) => ({ site_id: id })) ?? [];
    const times = { start_time: minutesAgo(60), end_time: minutesAgo(50), confirm_past: true };
    const body = { program_id: portfolio.programId, ...times, sites };
    const { id } = await operate(service.url, api.createDispatch, { body });
    const visited = await signIn(browser, service.url, operator, { theme: "dark" });
    const { page } = visited;
    await page.goto(pageOf(id));
    await page.getByRole("button", { name: "Void…" }).click();
    await page.getByRole("button", { name: "Void it" }).click();
    await page.getByText("Give a reason.").waitFor();
    await page.getByLabel("Reason").fill("Issued by mistake");
    await expectSound(visited, "operations-void");
    await page.getByRole("button", { name: "Void it" }).click();
    await page.getByText("void", { exact: true }).waitFor();
    await page.getByText("The dispatch was voided and its results withdrawn.").waitFor();
    expect(await page.getByRole("button", { name: "Void…" }).count()).toBe(0);
    await page.getByRole("tab", { name: "About and history" }).click();
    await page.getByRole("tabpanel").getByText("Issued by mistake", { exact: true }).waitFor();
    await expectSound(visited, "operations-voided");
    const theirs = await signIn(browser, service.url, participant);
    await lookAt(theirs, `/dashboard/dispatches/${id}`, "dashboard-dispatch-voided");
    await theirs.page.getByText("The dispatch was voided and its results withdrawn.").waitFor();
  }, 90_000);

  test("a dispatch that was cancelled while it ran shows what was delivered and judges nobody", async () => {
    const past = { start_time: minutesAgo(15), confirm_past: true };
    const body = { program_id: portfolio.programId, ...past, end_time: minutesAgo(-30) };
    const { id } = await operate(service.url, api.createDispatch, { body });
    await operate(service.url, api.changeDispatch, { params: { id }, body: { authorized: false } });
    const judgement = /%|(below|on|above) commitment|not known|shortfall|time to full/i;
    const ours = await signIn(browser, service.url, operator);
    await ours.page.goto(`${pageOf(id)}?site=${portfolio.members[0]?.sites[0]?.id}`);
    const theirs = await signIn(browser, service.url, participant, { widthPx: 390 });
    await theirs.page.goto(`/dashboard/dispatches/${id}`);
    for (const [visited, name] of [
      [ours, "operations-dispatch-cancelled"],
      [theirs, "dashboard-dispatch-cancelled"],
    ] as const) {
      const { page } = visited;
      if (visited === ours)
        // Roles outside of the open drawer are hidden.
        await page.locator("h1", { hasText: /was cancelled\.$/ }).waitFor();
      else await page.getByText("Delivered until the cancellation").waitFor();
      await page.getByRole("img", { name: /^Load of Freezer hall 1 around the dispatch/ }).waitFor();
      expect(await page.locator("main").innerText()).not.toMatch(judgement);
      await expectSound(visited, name);
    }
  }, 90_000);

  test("a dispatch is ended now, and its page says that it is over", async () => {
    const body = { program_id: portfolio.programId, start_time: minutesAgo(1), end_time: null };
    const { id } = await operate(service.url, api.createDispatch, { body });
    const { page } = await signIn(browser, service.url, operator);
    await page.goto(pageOf(id));
    await page.getByText("no end set yet").first().waitFor();
    await page.getByRole("button", { name: "End now" }).click();
    await page.getByRole("button", { name: "End dispatch" }).click();
    await page.getByText("over", { exact: true }).waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Cancel dispatch" }).count()).toBe(0);
  });

  test("a dispatch whose inputs are all there has a final result, with its version", async () => {
    const sites = portfolio.members[0]?.sites.map(({ id }) => ({ site_id: id })) ?? [];
    const times = { start_time: minutesAgo(100), end_time: minutesAgo(80), confirm_past: true };
    const body = { program_id: portfolio.programId, ...times, sites };
    const { id } = await operate(service.url, api.createDispatch, { body });
    const visited = await signIn(browser, service.url, operator);
    const { page } = visited;
    await page.goto(`${pageOf(id)}?tab=result`);
    await page.getByText("This result is final.").waitFor({ timeout: 20_000 });
    await page.getByRole("link", { name: "Version 1" }).waitFor();
    await page.getByRole("button", { name: "Approve result" }).click();
    await page.getByLabel("Note").fill("agreed by phone");
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByText("approved by the operator (agreed by phone)").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Approve result" }).count()).toBe(0);
    const same = page.getByText("Nothing differs: every site has the same result in both versions.");
    // While the page takes over the new version, a dialog that has just been opened is closed with what it stood in.
    await expect
      .poll(async () => {
        if ((await page.getByRole("dialog").count()) === 0)
          await page.getByRole("button", { name: "What changed" }).click();
        return same.isVisible();
      })
      .toBe(true);
    await page.keyboard.press("Escape");
    // It steps back in the history as it closes, which would abort the way to another page.
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await page.goto(`${pageOf(id)}?tab=result&version=1`);
    await page.getByText("all readings were complete").waitFor();
    await page.getByRole("img", { name: /^Delivered and committed/ }).waitFor();
    await expectSound(visited, "operations-dispatch-final");
  });

  test("an auditor is offered no writes, and changes nothing by hand", async () => {
    const { page } = await signIn(browser, service.url, auditor);
    await page.goto(pageOf(running));
    await delivering(page).waitFor();
    for (const name of ["Change times", "End now", "Cancel dispatch"])
      expect(await page.getByRole("button", { name }).count()).toBe(0);
    await page.goto("/operations/dispatches/new");
    await page.getByText("Your role is read-only").waitFor();
    const send = (method: string, path: string, body: unknown): Promise<number> =>
      page.evaluate(
        async ([of, address, text]) =>
          (
            await fetch(address ?? "", {
              method: of ?? "",
              headers: { "content-type": "application/json" },
              body: text ?? "",
            })
          ).status,
        [method, `/operator/v1${path}`, JSON.stringify(body)],
      );
    const before = (await dispatches()).items.length;
    const start = new Date(Date.now() + 3_600_000).toISOString();
    expect([
      await send("PATCH", `/dispatches/${running}`, { authorized: false }),
      await send("PATCH", `/dispatches/${running}`, { end_time: new Date().toISOString() }),
      await send("POST", "/dispatches", { program_id: portfolio.programId, start_time: start }),
      await send("POST", "/deliveries/dlv_none/resend", {}),
    ]).toEqual([404, 404, 404, 404]);
    expect((await dispatches()).items.length).toBe(before);
    const after = await operate(service.url, api.getAnyDispatch, { params: { id: running } });
    expect(after).toMatchObject({ authorized: true, modification_number: 0 });
  });
});
