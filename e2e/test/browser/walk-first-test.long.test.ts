import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { firstOperatorLink } from "../support/first-operator.js";
import { guidePicture } from "../support/guide-picture.js";
import { expectSound } from "../support/looks.js";
import type { ServiceProcess } from "../support/service-process.js";
import { PASSWORD, visit } from "../support/visit.js";
import { webService } from "../support/web-service.js";

/** From the password to the result. */
const MOST_PRESSES = 5;
const MOST_MS = 12 * 60_000;

const countPresses = async (page: Page): Promise<() => Promise<number>> => {
  await page.addInitScript(
    `window.addEventListener("click", ({ detail }) => {
       if (detail > 0) localStorage.setItem("presses", String(Number(localStorage.getItem("presses") ?? 0) + 1));
     }, true)`,
  );
  return async () => Number(await page.evaluate(`localStorage.getItem("presses")`));
};

// On the real clock: what a person waits for is part of it.
describe.skipIf(!hasChromium)("a first day without any meter", () => {
  let service: ServiceProcess;
  let browser: Browser;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
  });

  test("ends in a curve, a result and its explanation, and in nothing that is left over", {
    timeout: 20 * 60_000,
  }, async () => {
    const visited = await visit(browser, service.url, { timezoneId: "America/Chicago" });
    const { page } = visited;
    const presses = await countPresses(page);
    await page.goto(firstOperatorLink(service) ?? "");
    await page.getByLabel("Email").fill("olivia@example.com");
    await page.getByLabel("Name").fill("Olivia Operator");
    await page.getByLabel(/^Password/).fill(PASSWORD);
    const beganMs = Date.now();
    await page.getByRole("button", { name: "Set the password" }).click();

    const title = page.getByRole("heading", { name: "A first test, without a meter" });
    const steps = page.locator("section").filter({ has: title });
    const now = steps.locator("[aria-current=step]");
    await now.getByText("Choose the time zone").waitFor();
    expect(await steps.getByLabel("Time zone").inputValue()).toBe("America/Chicago");
    await expectSound(visited, "first-test-off");
    await steps.getByRole("button", { name: "Add a simulated site" }).click();
    await now.getByText("Start a test").waitFor({ timeout: 30_000 });
    await page.getByRole("img", { name: "Load of the simulated site so far" }).waitFor();
    await expectSound(visited, "first-test-ready");
    await steps.getByRole("button", { name: "Start the test" }).click();
    await now.getByText(/^The test begins in/).waitFor();
    await expectSound(visited, "first-test-announced");
    await now.getByText(/^The test ends in 2:/).waitFor({ timeout: 300_000 });
    await page.getByRole("heading", { name: /^It delivers 1\d\d(\.\d)? of 120 kW/ }).waitFor({ timeout: 60_000 });
    await guidePicture(page.locator("div").filter({ has: title }).last(), "operator-first-test");
    for (const [width, theme] of [
      [390, "light"],
      [1024, "light"],
      [1440, "light"],
      [1440, "dark"],
    ] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 900 });
      await expectSound(visited, "first-test-running");
    }
    await steps.getByRole("link", { name: "Read the result" }).click({ timeout: 300_000 });
    await page.getByRole("heading", { level: 1, name: /Simulated test/ }).waitFor();
    expect(Date.now() - beganMs).toBeLessThan(MOST_MS);
    expect(await presses()).toBeLessThanOrEqual(MOST_PRESSES);
    await page.getByText("Simulated site 1").first().waitFor();
    await expectSound(visited, "first-test-result");

    await page.goto("/operations");
    await page.getByRole("heading", { name: /^It delivered .* of 120 kW on average/ }).waitFor();
    await expectSound(visited, "first-test-ended");
    await page.getByRole("button", { name: "Remove it…" }).click();
    await page.getByRole("button", { name: "Remove the simulated site" }).click();
    await now.getByText("Choose the time zone").waitFor({ timeout: 30_000 });
    await page.getByRole("button", { name: "Add a simulated site" }).waitFor();
    expect(visited.faults).toEqual([]);
  });
});
