import { operator } from "@curtail/contract";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound, takePicture } from "../support/looks.js";
import { operate } from "../support/participant.js";
import { newPortfolio, runningDispatch } from "../support/portfolio.js";
import type { ServiceProcess } from "../support/service-process.js";
import { live, newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const LONG_NAME = `Cold store ${"Northgate".repeat(20)}`.slice(0, 200);

describe.skipIf(!hasChromium)("the frame of the pages", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let user: string;
  let dispatch: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    dispatch = await runningDispatch(service.url, await newPortfolio(service.url));
    await operate(service.url, operator.createAccount, { body: { name: LONG_NAME } });
    user = await newUser(service.url, "operator-admin");
  });

  test("is a navigation, a rail with tooltips, or a bar at the top", async () => {
    const visited = await signIn(browser, service.url, user);
    const { page } = visited;
    const widthOf = async () => (await page.getByRole("navigation", { name: "Main" }).boundingBox())?.width;
    const sites = page.getByRole("link", { name: "Sites", exact: true });
    await page.goto("/operations/sites");
    await live(page).waitFor();
    expect(await widthOf()).toBe(224);
    for (const widthPx of [1279, 768]) {
      await page.setViewportSize({ width: widthPx, height: 900 });
      expect(await widthOf()).toBe(60);
      expect(await sites.getAttribute("title")).toBe("Sites");
      await expectSound(visited, `frame-${widthPx}`);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await expectSound(visited, "frame-390");
    expect(await sites.count()).toBe(0);
    await page
      .getByRole("banner")
      .getByRole("link", { name: /^Alarms/ })
      .waitFor();
    await page.getByRole("button", { name: "Menu" }).click();
    await sites.click();
    await expect.poll(() => sites.count()).toBe(0);
  });

  test("Back closes a dialog and returns to the tab before; the address opens both", async () => {
    const { page, faults } = await signIn(browser, service.url, user);
    await page.goto("/operations/accounts");
    const dialog = page.getByRole("dialog");
    const open = page.getByRole("button", { name: "New account" });
    const search = () => new URL(page.url()).search;
    await open.click();
    await dialog.waitFor();
    expect(search()).toBe("?do=new");
    await page.goBack();
    await dialog.waitFor({ state: "detached" });
    expect([new URL(page.url()).pathname, search()]).toEqual(["/operations/accounts", ""]);
    await page.goForward();
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(search).toBe("");
    await page.reload();
    await page.goto("/operations/accounts?do=new");
    await dialog.getByLabel("Name").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(search).toBe("");
    await page.goto("/operations/dispatches");
    await page.getByRole("tab", { name: "Past" }).click();
    await page.getByRole("tab", { name: "Past", selected: true }).waitFor();
    await page.goBack();
    await page.getByRole("tab", { name: "Past", selected: false }).waitFor();
    expect(faults).toEqual([]);
  });

  test("what opens another page leaves that page open, and Back closes the search", async () => {
    const { page } = await signIn(browser, service.url, user);
    await page.goto("/operations/accounts");
    await live(page).waitFor();
    const dialog = page.getByRole("dialog");
    await page.keyboard.press("Control+k");
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/operations/accounts");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("go to sites");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Sites" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  test("Back closes the drawer of a site, also after steps to others", async () => {
    const { page } = await signIn(browser, service.url, user);
    await page.goto(`/operations/dispatches/${dispatch}`);
    const table = page.getByRole("region", { name: "Sites of the dispatch" });
    const drawer = page.getByRole("dialog");
    await table.getByRole("button").or(table.getByRole("link")).getByText("Arc furnace").click();
    await drawer.waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("j");
    await expect.poll(() => new URL(page.url()).searchParams.get("site")).not.toBeNull();
    await page.goBack();
    await drawer.waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.get("site")).toBeNull();
    await page.goForward();
    await drawer.waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe(`/operations/dispatches/${dispatch}`);
  });

  test("a dispatch and the board are in the zone that a person chose", async () => {
    const { page } = await signIn(browser, service.url, await newUser(service.url, "operator"));
    await page.goto(`/operations/dispatches/${dispatch}`);
    const zone = page.getByLabel(/^Times in /).first();
    await page.getByText("Central time ▾").first().waitFor();
    await zone.selectOption({ label: "UTC" });
    await page.getByText("UTC ▾").first().waitFor();
    await expect
      .poll(() =>
        page
          .getByText(/America\/Chicago|Central time/)
          .filter({ visible: true })
          .count(),
      )
      .toBe(0);
    await page.getByRole("link", { name: "Board" }).first().click();
    await page.getByText("UTC ▾").first().waitFor();
    await zone.selectOption({ index: 0 });
    await page.getByText("Central time ▾").first().waitFor();
  });

  test("Back from what a dialog created leads to the list, not to the dialog", async () => {
    const { page } = await signIn(browser, service.url, user);
    await page.goto("/operations/accounts");
    await page.getByRole("button", { name: "New account" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Harbor Mills");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Harbor Mills" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
    expect(new URL(page.url()).search).toBe("");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("a form that is sent right after the last key sends what was written", async () => {
    const { page } = await signIn(browser, service.url, user);
    await page.goto("/operations/accounts");
    await page.getByRole("button", { name: "New account" }).click();
    await page.getByRole("dialog").getByLabel("Name").waitFor();
    await page.evaluate(`(() => {
      const input = document.querySelector("[role=dialog] input");
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, "Quick Mills");
      input.dispatchEvent(new Event("input", { bubbles: true }));
      setTimeout(() => input.form.requestSubmit());
    })()`);
    await page.getByRole("heading", { level: 1, name: "Quick Mills" }).waitFor();
  });

  test("a name of 200 characters wraps in its column, and the heads stay in view", async () => {
    const visited = await signIn(browser, service.url, user);
    const { page } = visited;
    for (const widthPx of [390, 1024, 1440]) {
      await page.setViewportSize({ width: widthPx, height: 500 });
      await page.goto("/operations/accounts");
      await page.getByRole("link", { name: LONG_NAME }).waitFor();
      const table = page.getByRole("region", { name: "Accounts" });
      expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      await expectSound(visited, `frame-long-name-${widthPx}`);
    }
    await page.mouse.wheel(0, 2000);
    const head = page.getByRole("columnheader", { name: "Name" });
    await expect.poll(async () => Math.round((await head.boundingBox())?.y ?? -1)).toBeGreaterThanOrEqual(0);
  });

  test("shows blocks while it loads, says so after ten seconds, and what failed with a way to try again", async () => {
    const visited = await signIn(browser, service.url, user);
    const { page } = visited;
    await page.clock.install();
    let answer: "never" | "fault" | "right" = "never";
    let requests = 0;
    await page.route(/\/operator\/v1\/accounts(\?|$)/, (route) => {
      requests++;
      if (answer === "never") return;
      if (answer === "right") return route.continue();
      return route.fulfill({ status: 500, json: { error: { message: "It failed.", type: "internal" } } });
    });
    await page.goto("/operations/accounts");
    await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
    expect(await page.getByText("Loading…").count()).toBeGreaterThan(0);
    expect(await animationsIn(page)).toBe(0);
    await takePicture(page, "frame-loading");
    await page.clock.fastForward(10_000);
    await page.getByText("Still loading.").waitFor();
    await expectSound(visited, "frame-still-loading");
    answer = "fault";
    await page.getByRole("button", { name: "Retry" }).click();
    const retry = page.getByRole("alert").first().getByRole("button", { name: "Retry" });
    await retry.waitFor();
    await takePicture(page, "frame-fault");
    const before = requests;
    await retry.click();
    await expect.poll(() => requests).toBeGreaterThan(before);
    answer = "right";
    await retry.click();
    await page.getByRole("link", { name: LONG_NAME }).waitFor();
  });

  test("an address without a page says so in the frame", async () => {
    const visited = await signIn(browser, service.url, user);
    const { page } = visited;
    await page.goto("/operations/nothing-here");
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    await expectSound(visited, "frame-not-found");
  });
});

const animationsIn = (page: Page): Promise<number> => page.evaluate("document.getAnimations().length");
