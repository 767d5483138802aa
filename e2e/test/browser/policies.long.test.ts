import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { asWords, axeViolations } from "../support/axe.js";
import { hasChromium, test } from "../support/chromium.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn, type Visit, visit } from "../support/visit.js";
import { webService } from "../support/web-service.js";

describe.skipIf(!hasChromium)("what pages may do is enough for what they do", () => {
  let service: ServiceProcess;
  let browser: Browser;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
  });

  test.each(["/2022-04-15", "/operator/v1"])("%s/docs shows its operations and sends requests", async (base) => {
    const visited = await visit(browser, service.url);
    const { page } = visited;
    await page.goto(`${base}/docs`);
    await page.locator(".opblock").first().waitFor();
    // Does what the viewer's button Execute does.
    const status = await page.evaluate(async (address) => (await fetch(address)).status, `${base}/sites`);
    expect(status).toBe(401);
    expect(refused(visited)).toEqual([]);
  });

  test.each([
    ["/2022-04-15", "light", 1440],
    ["/2022-04-15", "dark", 390],
    ["/operator/v1", "dark", 1440],
  ] as const)(
    "%s/docs can be read by everybody, %s and %i px wide",
    { timeout: 120_000 },
    async (base, theme, widthPx) => {
      const { page, faults } = await visit(browser, service.url, { theme, widthPx });
      await page.goto(`${base}/docs`);
      await page.locator(".opblock").first().waitFor();
      // An operation with a body, which is sent and answered.
      await page.locator(".opblock-post .opblock-summary-control").first().click();
      await page.locator(".responses-table").first().waitFor();
      const [background, icon] = [
        await page.evaluate("getComputedStyle(document.documentElement).backgroundColor"),
        await page.locator("link[rel=icon]").getAttribute("href"),
      ];
      expect(background).toBe(theme === "dark" ? "rgb(28, 32, 34)" : "rgb(250, 250, 250)");
      expect((await fetch(new URL(icon ?? "", service.url))).headers.get("content-type")).toBe("image/svg+xml");
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(widthPx);
      expect(asWords(await axeViolations(page))).toEqual([]);
      expect(faults).toEqual([]);
    },
  );

  test("a reference is as dark as the pages were chosen to be, and describes what webhooks are sent", {
    timeout: 60_000,
  }, async () => {
    const { page } = await visit(browser, service.url, { theme: "light" });
    await page.addInitScript("localStorage.setItem('theme', 'dark')");
    await page.goto("/2022-04-15/docs");
    await page.locator(".webhooks .opblock").nth(2).waitFor();
    expect(await page.locator("html.dark-mode").count()).toBe(1);
    await page.locator(".webhooks .opblock-summary-control").first().click();
    await page.locator(".webhooks").getByText("webhook-signature").first().waitFor();
    // Requests only go to the same host: the sandbox has its own page.
    expect(await page.locator("#servers option").count()).toBe(1);
    const sandbox = page.getByRole("link", { name: "its own reference" });
    expect(await sandbox.getAttribute("href")).toBe(`${service.sandboxUrl}/2022-04-15/docs`);
  });

  test("one-time pages are drawn in their style", async () => {
    const visited = await visit(browser, service.url);
    const { page } = visited;
    await page.goto("/claim/x");
    const box = await page.locator("main").boundingBox();
    // 36rem and its padding; a page without its style is as wide as the window.
    expect(box?.width).toBeLessThan(700);
    expect(refused(visited)).toEqual([]);
  });

  test("the pages of operators work", async () => {
    const visited = await signIn(browser, service.url, await newUser(service.url, "operator-admin", null));
    await visited.page.goto("/operations");
    await visited.page.locator("h1").waitFor();
    expect(refused(visited)).toEqual([]);
  });
});

/** What the browser refused to load for a page. */
const refused = ({ faults }: Visit): string[] => faults.filter((fault) => /Content.Security.Policy/i.test(fault));
