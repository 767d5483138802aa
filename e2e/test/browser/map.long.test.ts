import { createServer } from "node:http";
import { operator as api } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { serveLocally } from "../support/local-server.js";
import { expectSound } from "../support/looks.js";
import { operate } from "../support/participant.js";
import { keepMeasured, newPortfolio, type Portfolio, runningDispatch } from "../support/portfolio.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

/** In and around Chicago; the last site has no coordinates yet, and one more is in no dispatch. */
const PLACES: Readonly<Record<string, readonly [number, number]>> = {
  "Freezer hall 1": [41.95, -87.75],
  "Freezer hall 2": [41.94, -87.74],
  "Arc furnace": [41.61, -87.34],
  "Rolling mill": [41.62, -87.12],
};

const locate = async (url: string, { members }: Portfolio): Promise<void> => {
  for (const { id, name } of members.flatMap(({ sites }) => sites)) {
    const [latitude, longitude] = PLACES[name] ?? [];
    if (latitude === undefined || longitude === undefined) continue;
    await operate(url, api.changeSite, { params: { id }, body: { latitude, longitude } });
  }
  const body = { name: "Idle depot", latitude: 41.77, longitude: -87.55, meters: [{ name: "main" }] };
  await operate(url, api.createSite, { params: { id: members[0]?.id ?? "" }, body });
};

const mapOf = (page: Page) => page.locator("[data-map=ready]");

/** A search moves the map to what it finds: one site is in its middle. */
const find = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel("Find a site").fill(name);
  await expect.poll(() => page.getByRole("region", { name: "Sites on the map" }).locator("tbody tr").count()).toBe(1);
};

/** Moves the pointer about a place of the map until the map says what is there: once it has moved. */
const pointAt = async (page: Page, hint: RegExp, { right = 0, down = 0 } = {}): Promise<void> => {
  const { x, y, width, height } = await sizeOf(page);
  let step = 0;
  await expect
    .poll(async () => {
      step = (step + 1) % 3;
      await page.mouse.move(x + width / 2 + right + step, y + height / 2 + down);
      return page.locator("[data-map] ~ [aria-hidden=true]").allTextContents();
    })
    .toEqual([expect.stringMatching(hint)]);
};

/** Presses the middle of the map as soon as several sites are there. */
const pressSeveral = async (page: Page): Promise<void> => {
  const { x, y, width, height } = await sizeOf(page);
  const cursor = () => page.locator("[data-map] canvas").evaluate((canvas) => canvas.style.cursor);
  let step = 0;
  await expect
    .poll(async () => {
      step = (step + 1) % 3;
      await page.mouse.move(x + width / 2 + step, y + height / 2);
      return cursor();
    })
    .toBe("pointer");
  await page.mouse.click(x + width / 2, y + height / 2);
};

const sizeOf = async (page: Page) => {
  const box = await mapOf(page).boundingBox();
  if (box === null) throw new Error("the map is not in the page");
  return box;
};

describe.skipIf(!hasChromium)("the map of sites", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let operator: string;
  let portfolio: Portfolio;
  let dispatchId: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    portfolio = await newPortfolio(service.url, "Peak relief");
    operator = await newUser(service.url, "operator-admin");
  });

  const opened = async (path = "/operations/map", looks: Parameters<typeof signIn>[3] = { widthPx: 1440 }) => {
    const visited = await signIn(browser, service.url, operator, looks);
    await visited.page.goto(path);
    return visited;
  };

  test("says how sites get there, while none has coordinates", async () => {
    const { page } = await opened();
    await page.getByText("No site has coordinates yet.").waitFor();
    await page.getByRole("link", { name: "a site", exact: true }).click();
    await page.getByRole("link", { name: "Arc furnace" }).waitFor();
    expect(await page.getByLabel("Coordinates").inputValue()).toBe("no");
  });

  test("shows the sites, and whose coordinates are missing", { timeout: 60_000 }, async () => {
    await locate(service.url, portfolio);
    dispatchId = await runningDispatch(service.url, portfolio);
    keepMeasured(service.url, portfolio);
    const visited = await opened();
    const { page } = visited;
    await mapOf(page).waitFor();
    await page.getByText("1 site has no coordinates; 1 of them is 200 kW short.").waitFor();
    await page.getByText(/kW short in 1 dispatch in progress: \d sites deliver less than committed/).waitFor();
    await expectSound(visited, "operations-map");
  });

  test("opens a site that is pressed, in the dispatch that it is short in, and Back closes it", async () => {
    const { page } = await opened();
    await mapOf(page).waitFor();
    await find(page, "Rolling mill");
    await pointAt(page, /^Rolling mill[\d.]+ kW short$/);
    await mapOf(page).click();
    const drawer = page.getByRole("dialog", { name: "Rolling mill" });
    await drawer.getByRole("list", { name: "Notifications" }).waitFor();
    await page.goBack();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);

    await find(page, "Idle depot");
    await pointAt(page, /^Idle depot$/);
    await mapOf(page).click();
    const depot = page.getByRole("dialog", { name: "Idle depot" });
    await depot.getByText("41.77, -87.55").waitFor();
    await depot.getByRole("link", { name: "Page of the site" }).waitFor();
  });

  test("closes in on sites that are too close to tell apart", async () => {
    const { page } = await opened();
    await mapOf(page).waitFor();
    await page.getByLabel("Find a site").fill("Freezer hall");
    await page.getByRole("heading", { name: "2 sites" }).waitFor();
    // Then they fill its height, one in the north west, the other in the south east.
    const half = (await sizeOf(page)).height / 2 - 48;
    const east = half * Math.cos((41.945 * Math.PI) / 180);
    await pressSeveral(page);
    await pointAt(page, /^Freezer hall 1/, { right: -east, down: -half });
    await pointAt(page, /^Freezer hall 2/, { right: east, down: half });
  });

  test.each([
    [390, "light"],
    [1440, "dark"],
  ] as const)("shows one dispatch with its sentence at %i px, %s", async (widthPx, theme) => {
    const visited = await opened("/operations", { widthPx, theme });
    const { page } = visited;
    await page.goto(`/operations/dispatches/${dispatchId}`);
    await page.getByRole("main").getByRole("link", { name: "Map", exact: true }).click();
    await mapOf(page).waitFor();
    await page.getByText(/^Peak relief delivers/).waitFor();
    await page.getByText("Dispatched", { exact: true }).waitFor();
    const rows = page.getByRole("region", { name: "Sites on the map" }).locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(4);
    expect(await rows.first().textContent()).toMatch(/^Rolling mill/);
    await expectSound(visited, "operations-map-dispatch");
    await page.getByRole("button", { name: "Rolling mill" }).click();
    await page.getByRole("dialog", { name: "Rolling mill" }).getByText("1 of 4", { exact: true }).waitFor();
  });

  test("asks no other host for anything", async () => {
    const { page } = await opened("/operations");
    const hosts = new Set<string>();
    page.on("request", (request) => hosts.add(new URL(request.url()).host));
    await page.goto("/operations/map");
    await mapOf(page).waitFor();
    await page.getByRole("button", { name: "Zoom in" }).click();
    await find(page, "Rolling mill");
    expect([...hosts]).toEqual([new URL(service.url).host]);
  });

  test("leaves the list to a browser that draws no maps, and says so", async () => {
    const { page } = await opened("/operations");
    await page.addInitScript(
      "const own = HTMLCanvasElement.prototype.getContext;" +
        "HTMLCanvasElement.prototype.getContext = function (kind, ...more) {" +
        "return /webgl/.test(kind) ? null : own.call(this, kind, ...more); };",
    );
    await page.goto("/operations/map");
    await page.getByText("This browser cannot draw the map: it has no WebGL 2.").waitFor();
    await page.getByRole("button", { name: "Idle depot" }).click();
    await page.getByRole("dialog", { name: "Idle depot" }).waitFor();
  });
});

/** One pixel. */
const TILE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe.skipIf(!hasChromium)("a map with tiles", () => {
  test("has the background and the name of its source, and says if it does not answer", async ({ browser }) => {
    const asked = new Set<string>();
    let isDown = false;
    const tiles = createServer((request, response) => {
      asked.add(request.url ?? "");
      response.writeHead(isDown ? 503 : 200, { "content-type": "image/png", "access-control-allow-origin": "*" });
      response.end(isDown ? "" : TILE);
    });
    const { url: source, close } = await serveLocally(tiles);
    atEnd(async () => close());
    const { url } = await webService({
      CURTAIL_MAP_TILES: `${source}/{z}/{x}/{y}.png`,
      CURTAIL_MAP_ATTRIBUTION: "© Example",
    });
    await locate(url, await newPortfolio(url, "Peak relief"));
    const { page } = await signIn(browser, url, await newUser(url, "operator-admin"), { widthPx: 1440 });
    const opened = await page.goto("/operations/map");
    expect(opened?.headers()["content-security-policy"]).toContain(`connect-src 'self' ${source};`);
    await page.getByText("© Example").waitFor();
    await expect.poll(() => [...asked]).toContainEqual(expect.stringMatching(/^\/\d+\/\d+\/\d+\.png$/));
    isDown = true;
    await page.getByRole("button", { name: "Zoom out" }).click();
    await page
      .getByRole("alert")
      .getByText(`could not be loaded from ${new URL(source).host}`)
      .waitFor();
  });
});
