import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound, expectSoundInEachLook } from "../support/looks.js";
import type { ServiceProcess } from "../support/service-process.js";
import { visit } from "../support/visit.js";
import { webService } from "../support/web-service.js";

describe.skipIf(!hasChromium)("the documentation of a running service", () => {
  let service: ServiceProcess;
  test.beforeAll(async () => {
    service = await webService();
  });

  test.for([
    ["the start page", { address: "/docs/index.html", name: "docs-start" }],
    ["a guide with code and tables", { address: "/docs/webhooks.html", name: "docs-guide" }],
    ["the reference", { address: "/docs/api/operator/dispatches.html", name: "docs-reference" }],
    ["a library", { address: "/docs/sdk/client/dispatches.html", name: "docs-library" }],
  ] as const)("can be read in every look: %s", ([, sight], { browser }) =>
    expectSoundInEachLook((looks) => visit(browser, service.url, looks), [sight]),
  );

  test("is searched by keyboard, without any other host", async ({ browser }) => {
    const visited = await visit(browser, service.url);
    const { page } = visited;
    const hosts = new Set<string>();
    page.on("request", (request) => hosts.add(new URL(request.url()).origin));
    await page.goto("/docs");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("webhook signature");
    const options = page.getByRole("dialog").getByRole("option");
    await options.first().waitFor();
    expect(await options.first().textContent()).toContain("Check the signature");
    await expectSound(visited, "docs-search");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL(/webhooks\.html#check-the-signature$/);
    expect(hosts).toEqual(new Set([service.url]));
    expect(visited.faults).toEqual([]);
  });

  test("finds a function of a library by its name", async ({ browser }) => {
    const { page } = await visit(browser, service.url);
    await page.goto("/docs/sdk.html");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("curtailmentWindows");
    const found = page.getByRole("dialog").getByRole("option").filter({ hasText: "@curtail/client: Dispatches" });
    await found.first().click();
    await page.waitForURL(/sdk\/client\/dispatches\.html#curtailmentwindows$/);
    await page.getByRole("heading", { name: "curtailmentWindows" }).waitFor();
  });

  test("says that nothing was found, and that the search cannot be loaded", async ({ browser }) => {
    const { page } = await visit(browser, service.url);
    await page.goto("/docs/glossary.html");
    await page.route("**/search-*.json", (route) => route.abort());
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("The search could not be loaded").waitFor();
    await page.unroute("**/search-*.json");
    await page.getByRole("combobox", { name: "Search the documentation" }).fill("xyzzyx");
    await page.getByText("No results.").waitFor();
  });

  test("on a phone the contents open above the text, without scripts too", async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(`${service.url}/docs/start.html`);
    const contents = page.getByRole("navigation", { name: "Contents" });
    expect(await contents.isVisible()).toBe(false);
    await page.getByText("Contents", { exact: true }).click();
    await contents.getByRole("link", { name: "Tutorial" }).click();
    await page.getByRole("heading", { level: 1, name: "Tutorial: from a link to a certificate" }).waitFor();
    await context.close();
  });
});
