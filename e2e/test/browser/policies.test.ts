import { beforeAll, describe, expect, test } from "vitest";
import { hasChromium, startBrowser } from "../support/chromium.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

describe.skipIf(!hasChromium)("what pages may do is enough for what they do", () => {
  let service: ServiceProcess;
  let browser: Awaited<ReturnType<typeof startBrowser>>;

  beforeAll(async () => {
    service = await webService();
    browser = await startBrowser();
  });

  /** Opens a page; answers it with what the browser refused it. */
  const opened = async (context: Awaited<ReturnType<typeof signIn>>["context"], address: string) => {
    const page = await context.newPage();
    const refused: string[] = [];
    page.on("console", (message) => {
      if (/Content.Security.Policy/i.test(message.text())) refused.push(message.text());
    });
    await page.goto(service.url + address);
    return { page, refused };
  };

  test.each(["/2022-04-15", "/operator/v1"])("%s/docs shows its operations and sends requests", async (base) => {
    const context = await browser.newContext();
    const { page, refused } = await opened(context, `${base}/docs`);
    await page.locator(".opblock").first().waitFor();
    // What the viewer's button Execute does.
    const status = await page.evaluate(async (address) => (await fetch(address)).status, `${base}/sites`);
    expect(status).toBe(401);
    expect(refused).toEqual([]);
    await context.close();
  });

  test("one-time pages are drawn in their style", async () => {
    const context = await browser.newContext();
    const { page, refused } = await opened(context, "/claim/x");
    const box = await page.locator("main").boundingBox();
    // 36rem and its padding; a page without its style is as wide as the window.
    expect(box?.width).toBeLessThan(700);
    expect(refused).toEqual([]);
    await context.close();
  });

  test("the pages of operators work", async () => {
    const { context } = await signIn(browser, service.url, await newUser(service.url, "operator-admin", null));
    const { page, refused } = await opened(context, "/operations");
    await page.locator("h1").waitFor();
    expect(refused).toEqual([]);
  });
});
