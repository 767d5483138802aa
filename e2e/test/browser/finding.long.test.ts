import type { Browser, Page, Route } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound } from "../support/looks.js";
import { newPortfolio, type Portfolio } from "../support/portfolio.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const field = (page: Page) => page.getByRole("combobox", { name: /^Search for/ });
const options = (page: Page) => page.getByRole("option");

describe.skipIf(!hasChromium)("the search", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let portfolio: Portfolio;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    portfolio = await newPortfolio(service.url);
  });

  const opened = async (role: Parameters<typeof newUser>[1], looks = {}) => {
    const account = role.startsWith("participant-") ? portfolio.members[0]?.id : null;
    const visited = await signIn(browser, service.url, await newUser(service.url, role, account), looks);
    await visited.page.goto("/");
    await visited.page.getByRole("heading", { level: 1 }).waitFor();
    return visited;
  };
  test("finds a site by the keyboard alone, and shows it as seen the next time", async () => {
    const visited = await opened("operator-admin");
    const { page } = visited;
    await page.keyboard.press("Control+k");
    await field(page).fill("mill");
    await expect.poll(() => options(page).first().textContent()).toContain("Rolling mill");
    await expectSound(visited, "search-results");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Rolling mill" }).waitFor();
    await expect.poll(() => page.title()).toContain("Rolling mill · Site · Curtail");
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.getByRole("heading", { level: 1, name: "Alarms" }).waitFor();
    await page.keyboard.press("/");
    await expect.poll(() => options(page).first().textContent()).toContain("Rolling mill");
    await expectSound(visited, "search-recent");
    await field(page).fill("zzzz");
    await page.getByText(/^No results\. Search by name/).waitFor();
    await expectSound(visited, "search-nothing");
    await page.keyboard.press("Escape");
    await field(page).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/sign-in");
    expect(
      await page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('recently-seen')).length"),
    ).toBe(0);
  });

  test("opens by Enter what is found for the text that stands there, not for the one before", async () => {
    const { page } = await opened("operator-admin");
    const held: Route[] = [];
    await page.route(/\/search\?q=Freezer/, (route) => void held.push(route));
    await page.keyboard.press("Control+k");
    await field(page).fill("mill");
    await expect.poll(() => options(page).first().textContent()).toContain("Rolling mill");
    await field(page).press("Control+a");
    await page.keyboard.type("Freezer hall 2");
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("Searching…").waitFor({ state: "attached" });
    expect(await field(page).isVisible()).toBe(true);
    await expect.poll(() => held.length).toBeGreaterThan(0);
    for (const route of held) await route.continue();
    await page.getByRole("heading", { level: 1, name: "Freezer hall 2" }).waitFor();
  });

  test("a filter applies before a button acts on its list", async () => {
    const { page } = await opened("operator-admin");
    await page.goto("/operations/sites");
    await page.getByRole("button", { name: /^Select all/ }).waitFor();
    const filter = page.getByLabel("Search", { exact: true }).last();
    await filter.fill("mill");
    await filter.blur();
    expect(new URL(page.url()).searchParams.get("search")).toBe("mill");
    await filter.fill("hall");
    await filter.press("Enter");
    expect(new URL(page.url()).searchParams.get("search")).toBe("hall");
  });

  test("lists the shortcuts, which can be switched off and never act while somebody types", async () => {
    const visited = await opened("operator");
    const { page } = visited;
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.getByText("New dispatch").waitFor();
    await expectSound(visited, "search-shortcuts");
    await help.getByLabel(/^Shortcuts of single keys/).uncheck();
    await help.getByRole("button", { name: "Close" }).click();
    await page.keyboard.press("n");
    await page.keyboard.press("/");
    await page.keyboard.press("Control+k");
    await field(page).fill("shortcuts");
    expect(new URL(page.url()).pathname).toBe("/operations");
    await options(page).filter({ hasText: "Keyboard shortcuts" }).click();
    await help.getByLabel(/^Shortcuts of single keys/).check();
    await page.keyboard.press("Escape");
    // Its entry in the history is gone a moment later.
    await expect.poll(() => page.evaluate("history.state?.open?.length ?? 0")).toBe(0);
    await page.goto("/operations/sites");
    await page.getByLabel("Search", { exact: true }).last().fill("");
    await page.keyboard.type("n?");
    expect(new URL(page.url()).pathname).toBe("/operations/sites");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("offers an auditor no changes, and a participant its own sites only, on a phone", async () => {
    const auditor = await opened("auditor");
    await auditor.page.keyboard.press("Control+k");
    await field(auditor.page).fill("new dispatch");
    await auditor.page.getByText(/^No results/).waitFor();
    const phone = { widthPx: 390, heightPx: 844, hasTouch: true };
    const participant = await opened("participant-viewer", phone);
    const { page } = participant;
    await page.getByRole("banner").getByRole("button", { name: "Search" }).tap();
    await field(page).fill("mill");
    await page.getByText(/^No results/).waitFor();
    await field(page).fill("hall");
    await expect.poll(() => options(page).count()).toBe(2);
    await expectSound(participant, "search-phone");
    await options(page).first().tap();
    await page.waitForURL(/\/dashboard\/energy\?site=/);
  });
});
