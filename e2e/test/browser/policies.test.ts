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

  test.each(["/2022-04-15/docs", "/operator/v1/docs"])(
    "%s shows its operations and sends requests",
    async (address) => {
      const context = await browser.newContext();
      const { page, refused } = await opened(context, address);
      await page.locator(".opblock").first().waitFor();
      await page.locator(".opblock-summary").first().click();
      await page.getByRole("button", { name: "Try it out" }).first().click();
      await page.getByRole("button", { name: "Execute" }).first().click();
      await page.locator(".live-responses-table .response-col_status").first().getByText("401").waitFor();
      expect(refused).toEqual([]);
      await context.close();
    },
  );

  test("one-time pages are drawn in their style", async () => {
    const context = await browser.newContext();
    const { page, refused } = await opened(context, "/claim/x");
    const colour = await page.locator("button").evaluate((button) => getComputedStyle(button).backgroundColor);
    expect(colour).toBe("rgb(11, 110, 79)");
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
