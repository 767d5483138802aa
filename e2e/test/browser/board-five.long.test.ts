import { operator as api } from "@curtail/contract";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound } from "../support/looks.js";
import { newProgram, operate } from "../support/participant.js";
import { keepMeasured, newPortfolio, type Portfolio, runningDispatch } from "../support/portfolio.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const LONG_NAME = `Irrigation pause ${"of the valley ".repeat(13)}`.slice(0, 200);
const NAMES = ["Fast reserve", "Harbor feeder", "Cold storage", LONG_NAME];

/** One program and one dispatch for each of four sites; the third has a ramp-up time that is not over. */
const dispatchEach = async (url: string, { members }: Portfolio): Promise<void> => {
  const sites = members.flatMap((member) => member.sites);
  for (const [index, name] of NAMES.entries()) {
    const { id = "", commitment = 1 } = sites[index] ?? {};
    const program = await newProgram(url, {
      name,
      timezone: "America/Chicago",
      market: "ERCOT",
      baseline: { method: { kind: "meter_before", seconds: 900, anchor: "start" } },
      ...(name === "Cold storage" ? { openadr: { level: 1, ramp_up_seconds: 3000 } } : {}),
    });
    await operate(url, api.enrolSite, { params: { id: program, site_id: id }, body: { commitment } });
    await runningDispatch(url, { programId: program, members: [] }, { minutesAgo: 20, minutesLeft: 30 + index });
  }
};

const rowsOf = (page: Page) => page.getByRole("region", { name: "Dispatches in progress" }).locator("tbody tr");
/** Where the rows end on the page, however it is scrolled. */
const bottomOf = (page: Page): Promise<number> =>
  page.evaluate("document.querySelector('tfoot').getBoundingClientRect().bottom + scrollY");

/** A font that is much wider than those of most systems. */
const WIDE = "*{font-family:'DejaVu Sans',Verdana,sans-serif!important}";

describe.skipIf(!hasChromium)("the board with five dispatches", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let operator: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    const portfolio = await newPortfolio(service.url, "Peak relief");
    await runningDispatch(service.url, portfolio);
    keepMeasured(service.url, portfolio);
    await dispatchEach(service.url, portfolio);
    operator = await newUser(service.url, "operator-admin");
    const { page } = await signIn(browser, service.url, operator);
    await page.goto("/operations");
    await page.getByRole("button", { name: "Not now" }).click();
    await page.getByRole("button", { name: "Put away" }).click();
    await page.close();
  });

  const board = async (looks: { readonly widthPx?: number; readonly theme?: "light" | "dark" } = {}) => {
    const visited = await signIn(browser, service.url, operator, looks);
    await visited.page.goto("/operations");
    await expect
      .poll(() => visited.page.locator("tfoot").textContent(), { timeout: 30_000 })
      .toMatch(/All 5 dispatches[\d,]+ \/ 6,620/);
    return visited;
  };

  test.each(["", WIDE])("fits one screen with a row open, and is sound: %s", { timeout: 120_000 }, async (style) => {
    const visited = await board({ widthPx: 1440 });
    const { page } = visited;
    await page.setViewportSize({ width: 1440, height: 900 });
    if (style !== "") await page.addStyleTag({ content: style });
    await page.getByRole("button", { name: "Peak relief", exact: true }).press("Space");
    await page.getByRole("list", { name: "Accounts that are not notified" }).waitFor();
    await page.getByRole("heading", { name: /^Why [\d,]+ kW are short$/ }).waitFor();
    expect(await bottomOf(page)).toBeLessThanOrEqual(900);
    await expectSound(visited, style === "" ? "operations-board-five" : "operations-board-five-wide");
  });

  test.each([
    [390, "light"],
    [1024, "dark"],
    [1920, "light"],
  ] as const)(
    "is sound at %i px, %s, and two screens of a phone hold it",
    { timeout: 120_000 },
    async (widthPx, theme) => {
      const visited = await board({ widthPx, theme });
      const table = await visited.page.getByRole("region", { name: "Dispatches in progress" }).boundingBox();
      expect(table?.height ?? 0).toBeLessThanOrEqual(widthPx === 390 ? 560 : 400);
      await expectSound(visited, `operations-board-five-${widthPx}`);
    },
  );

  test("has the worst first, and shows no ramp as failure", async () => {
    const { page } = await board({ widthPx: 1440 });
    const texts = await rowsOf(page).allTextContents();
    const placeOf = (name: string) => texts.findIndex((text) => text.includes(name));
    expect(placeOf("Harbor feeder")).toBeLessThan(placeOf("Peak relief"));
    expect(placeOf("Fast reserve")).toBeGreaterThan(placeOf("Peak relief"));
    expect(texts.find((text) => text.includes("Cold storage"))).toMatch(/ramp to \d/);
    // Whatever its name, the figures of the last program are in the window.
    const long = page.getByRole("row", { name: new RegExp(LONG_NAME.slice(0, 40)) });
    const box = await long.locator("td").last().boundingBox();
    expect((box?.x ?? 1440) + (box?.width ?? 0)).toBeLessThanOrEqual(1440);
  });

  test("is gone through by keyboard: arrows, Space and Enter", async () => {
    const { page } = await board({ widthPx: 1440 });
    const names = await page
      .locator("[data-row]")
      .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
    const focused = () => page.evaluate("document.activeElement?.getAttribute('aria-label')");
    await page.locator("[data-row]").first().focus();
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe(names[1]);
    await page.keyboard.press("ArrowUp");
    expect(await focused()).toBe(names[0]);
    await page.keyboard.press("Space");
    await expect.poll(() => page.locator("[data-row][aria-expanded=true]").count()).toBe(1);
    await page.keyboard.press("Space");
    await expect.poll(() => page.locator("[data-row][aria-expanded=true]").count()).toBe(0);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/operations\/dispatches\/dis_/);
  });

  test("is acted on by the search, with the confirmation of the button", async () => {
    const { page } = await board({ widthPx: 1440 });
    await page.keyboard.press("Control+K");
    await page.getByRole("dialog", { name: "Search" }).getByRole("combobox").fill("extend Peak relief by 45");
    await page.getByRole("option", { name: "Extend Peak relief by 45 min…" }).click();
    const dialog = page.getByRole("dialog", { name: /^Extend to / });
    await dialog.getByText("3 accounts with 5 sites will be notified immediately").waitFor();
    await dialog.getByRole("button", { name: "Back" }).click();
    await page.waitForURL((url) => !url.searchParams.has("do"));
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await page.keyboard.press("Control+K");
    await page.getByRole("dialog", { name: "Search" }).getByRole("combobox").fill("end Peak relief");
    await page.getByRole("option", { name: "End Peak relief…" }).click();
    await page.getByRole("dialog", { name: "End this dispatch now?" }).waitFor();
  });
});
