import type { Browser, Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { type ColdStores, callFor, curtail, newColdStores, runUsually } from "../support/cold-stores.js";
import { overADay } from "../support/day-of-changes.js";
import { expectSound } from "../support/looks.js";
import { type ReturningService, returningService } from "../support/returning-service.js";
import { live, loadedAhead, newUser, signIn, signInByForm } from "../support/visit.js";

const MINUTE_MS = 60_000;
const LOST_SINCE = /No update since \d\d:\d\d/;
const LOST = /No update since/;
/** Longer than a page waits for an event. */
const SILENCE_MS = 16_000;
/** Beside other browsers a connection may take several attempts of 15 s. */
const CONNECTED = { timeout: 60_000 };

describe.skipIf(!hasChromium)("a page that is left open", () => {
  let service: ReturningService;
  let browser: Browser;
  let stores: ColdStores;
  let email: string;
  let operator: string;
  let dispatch: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await returningService();
    stores = await newColdStores(service.url);
    email = await newUser(service.url, "participant-viewer", stores.accountId);
    operator = await newUser(service.url, "operator-admin");
    await runUsually(service.url, stores);
    dispatch = await callFor(service.url, stores.programId, [-30, 90]);
  }, 120_000);

  test("says that its data is old while the service does not answer, and is live again by itself", async () => {
    const { page } = await signIn(browser, service.url, email);
    await page.clock.install();
    await page.goto("/dashboard/dispatches");
    await live(page).waitFor(CONNECTED);
    // The frozen service keeps the connection: only the silence shows it.
    await service.whileFrozen(async () => {
      await page.clock.fastForward(SILENCE_MS);
      await page
        .getByText(/No update for \d:\d\d, reconnecting/)
        .first()
        .waitFor();
    });
    await live(page).waitFor(CONNECTED);
    expect(await page.getByText(LOST).count()).toBe(0);
  }, 120_000);

  test("shows after a crash of the service what was changed meanwhile", async () => {
    const { page } = await signIn(browser, service.url, email);
    await page.goto("/dashboard/dispatches");
    await live(page).waitFor(CONNECTED);
    await service.whileAway(() => page.getByText(LOST).first().waitFor({ timeout: 40_000 }));
    await callFor(service.url, stores.programId, [400, 500], { test: true });
    await live(page).waitFor(CONNECTED);
    await page.getByRole("region", { name: "Upcoming" }).getByText("test").waitFor();
  }, 120_000);

  test("opens a page of the menu while the service is away, says so, and fills it once the service is back", async () => {
    // In a new browser, which has loaded nothing before.
    const { page, faults } = await signInByForm(browser, service.url, email);
    await live(page).waitFor(CONNECTED);
    await loadedAhead(page, "contacts");
    await service.whileAway(async () => {
      await page.getByRole("link", { name: "Contacts" }).click();
      await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
      await page.getByText("Not connected, retrying…").first().waitFor();
    });
    await page.getByText("No contacts yet").waitFor({ timeout: 40_000 });
    await live(page).waitFor(CONNECTED);
    expect(uncaught(faults)).toEqual([]);
  }, 120_000);

  test("keeps what it shows after a click on a page that cannot be loaded, which opens once it can", async () => {
    const { page, faults } = await signIn(browser, service.url, email);
    const file = /assets\/contacts-.*\.js/;
    await page.route(file, (route) => route.abort());
    await page.goto("/dashboard/dispatches");
    await page.getByRole("heading", { level: 1, name: "Dispatches" }).waitFor();
    await live(page).waitFor(CONNECTED);
    await service.whileAway(async () => {
      await page.getByRole("link", { name: "Contacts" }).click();
      await page.getByText("Not connected. Retrying: the page opens").waitFor();
      await page.getByRole("heading", { level: 1, name: "Dispatches" }).waitFor();
      await page.unroute(file);
    });
    await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor({ timeout: 40_000 });
    expect(uncaught(faults)).toEqual([]);
  }, 120_000);

  test("is reloaded by a click on a page whose file is gone since an upgrade, and only once", async () => {
    const { page, context, faults } = await signIn(browser, service.url, email);
    await page.goto("/dashboard/dispatches");
    let loads = 0;
    page.on("request", (request) => request.isNavigationRequest() && loads++);
    const file = /assets\/contacts-.*\.js/;
    // Before, its links are there twice: in the first frame, and in the page that is built below it.
    const isBuilt = () => page.locator("#first-frame").waitFor({ state: "detached" });
    const gone = (until: number) =>
      page.route(file, (route) => (loads >= until ? route.continue() : route.fulfill({ status: 404, body: "{}" })));
    await gone(1);
    await isBuilt();
    await page.getByRole("link", { name: "Contacts" }).click();
    await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
    expect(loads).toBe(1);

    // Gone for good: the page says what to do.
    await page.evaluate("sessionStorage.clear()");
    loads = 0;
    await page.goto("/dashboard/dispatches");
    await gone(Number.POSITIVE_INFINITY);
    await isBuilt();
    await page.getByRole("link", { name: "Contacts" }).click();
    await page.getByText("The service was upgraded. Reload this page.").waitFor();
    expect(loads).toBe(2);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectSound({ page, context, faults: uncaught(faults) }, "upgraded");
    await page.unrouteAll();
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByText("No contacts yet").waitFor();
    expect(uncaught(faults)).toEqual([]);
  }, 60_000);

  test("never sends a change later that it could not send", async () => {
    const { page, context } = await signIn(
      browser,
      service.url,
      await newUser(service.url, "participant-admin", stores.accountId),
    );
    await page.goto("/dashboard/contacts");
    await page.getByRole("button", { name: "Add contact" }).click();
    await page.getByLabel("Name").fill("Late Contact");
    await page.getByLabel("Email").fill("late@example.com");
    await context.setOffline(true);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Not connected to the service").first().waitFor();
    await context.setOffline(false);
    // The dialog hides the page from roles.
    await page.getByText("Live", { exact: true }).last().waitFor({ timeout: 40_000 });
    expect(await page.getByLabel("Name").inputValue()).toBe("Late Contact");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await expect.poll(() => page.getByRole("row", { name: /Late Contact/ }).count()).toBe(1);
  }, 60_000);

  test("has no connection while it is hidden, and catches up once it is visible", async () => {
    const { page } = await signIn(browser, service.url, email);
    await page.goto("/dashboard/dispatches");
    await live(page).waitFor(CONNECTED);
    const ended = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/changes/stream"));
    await show(page, false);
    await ended;
    await callFor(service.url, stores.programId, [600, 700], { test: true });
    await show(page, true);
    await live(page).waitFor({ timeout: 20_000 });
    await page.getByRole("region", { name: "Upcoming" }).getByText("starts in 9:").waitFor();
  }, 60_000);

  test("keeps what it shows while the service is frozen and while it is gone, and says since when", async () => {
    const sights = await openSights();
    const keepShowing = async (): Promise<void> => {
      const before = await figuresOf(sights);
      await Promise.all(sights.map(({ page }) => saySinceWhen(page)));
      expect(await figuresOf(sights)).toEqual(before);
    };
    const comeBack = () => Promise.all(sights.map(({ page }) => isLiveAgain(page)));
    const [wall] = sights;
    await service.whileFrozen(async () => {
      await keepShowing();
      await wall?.page.getByText(/^No new numbers for [1-9] min\. The numbers are from /).waitFor();
    });
    await comeBack();
    await service.whileAway(keepShowing);
    await comeBack();
  }, 120_000);

  test("keeps its memory over a day of changes: a dispatch, the board, the wall, a site's drawer", async () => {
    for (const site of stores.sites) await curtail(service.url, stores.key, site, Date.now() - 30 * MINUTE_MS, 1);
    const pages = [
      ["console", email, `/dashboard/dispatches/${dispatch}`],
      ["operator", operator, "/operations"],
      ["operator", operator, "/operations/wall"],
      ["operator", operator, `/operations/dispatches/${dispatch}?site=${stores.sites[0]?.id}`],
    ] as const;
    // Each mostly waits for its next connection.
    const look = async ([side, user, address]: (typeof pages)[number]): Promise<void> => {
      const visited = await signIn(browser, service.url, user);
      await visited.page.goto("/you");
      const performance = `/${side}/v1/dispatches/${dispatch}/performance`;
      const { before, after } = await overADay(visited, { address, performance, isBoard: address === "/operations" });
      expect(after.nodes, address).toBeLessThan(before.nodes * 1.5 + 500);
      expect(after.usedSize, address).toBeLessThan(before.usedSize * 1.5 + 2_000_000);
    };
    await Promise.all(pages.map(look));
  }, 180_000);

  /** Pages that are looked at all day; the wall first. A browser has six connections, and the board takes up to three of them. */
  const openSights = async (): Promise<readonly Sight[]> => {
    for (const site of stores.sites) await curtail(service.url, stores.key, site, Date.now() - 30 * MINUTE_MS, 1);
    const [auditor, other] = [await newUser(service.url, "auditor"), await newUser(service.url, "operator")];
    const open = async (user: string, address: string, figure: (page: Page) => Locator): Promise<Sight> => {
      const { page } = await signIn(browser, service.url, user);
      await page.clock.install();
      await page.goto(address);
      await live(page).waitFor(CONNECTED);
      await figure(page).first().waitFor();
      return { page, figure: figure(page) };
    };
    const site = stores.sites[0]?.id;
    return [
      await open(auditor, "/operations/wall", (page) => page.getByRole("strong")),
      await open(operator, "/operations", (page) => page.getByRole("heading", { level: 1 })),
      await open(other, `/operations/dispatches/${dispatch}?site=${site}`, (page) =>
        page.getByRole("dialog").getByRole("cell", { name: /kW$/ }),
      ),
      await open(email, "/dashboard", (page) => page.getByText(/^[\d,.]+ kW$/)),
      await open(email, "/dashboard/energy", (page) => page.getByRole("heading", { level: 2, name: /Wh by hour$/ })),
    ];
  };
});

interface Sight {
  readonly page: Page;
  /** What it must keep showing. */
  readonly figure: Locator;
}

/** Simulates the browser's event for a tab that goes to the background or foreground. */
const show = (page: Page, isShown: boolean): Promise<unknown> =>
  page.evaluate(
    `Object.defineProperty(document, "hidden", { configurable: true, get: () => ${!isShown} });
     document.dispatchEvent(new Event("visibilitychange"));`,
  );

/** Excludes the browser's own messages about addresses that do not answer. */
const uncaught = (faults: readonly string[]): string[] => faults.filter((fault) => fault.startsWith("uncaught"));

const figuresOf = (sights: readonly Sight[]) => Promise.all(sights.map(({ figure }) => figure.first().textContent()));

const saySinceWhen = async (page: Page): Promise<void> => {
  await page.clock.fastForward(SILENCE_MS);
  await page.getByText(LOST_SINCE).last().waitFor();
  await page.clock.fastForward(MINUTE_MS);
  await page
    .getByText(/No update for [1-9]:\d\d/)
    .last()
    .waitFor();
};

const isLiveAgain = async (page: Page): Promise<void> => {
  await page.clock.fastForward(SILENCE_MS);
  await expect.poll(() => page.getByText(LOST).count(), { timeout: 40_000 }).toBe(0);
};
