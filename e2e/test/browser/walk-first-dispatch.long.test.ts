import { participantClient } from "@curtail/client";
import { operator, uploadTelemetry } from "@curtail/contract";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound } from "../support/looks.js";
import { newKey, operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const MOST_CLICKS = 12;

/** Counts clicks by mouse over all pages of a window. */
const countClicks = async (page: Page): Promise<() => Promise<number>> => {
  await page.addInitScript(
    `window.addEventListener("click", ({ detail }) => {
       if (detail > 0) sessionStorage.setItem("clicks", String(Number(sessionStorage.getItem("clicks") ?? 0) + 1));
     }, true)`,
  );
  return async () => Number(await page.evaluate(`sessionStorage.getItem("clicks")`));
};

// A first day: nobody has entered anything yet.
describe.skipIf(!hasChromium)("from an empty service to the first dispatch", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let email: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    email = await newUser(service.url, "operator-admin");
  });

  const uploadReading = async (): Promise<void> => {
    const { items } = await operate(service.url, operator.listAllSites, {});
    const [site] = items;
    const telemetry = [
      {
        meter_id: site?.meters[0]?.id ?? "",
        interval_seconds: 60,
        timestamp: new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString(),
        kW: 412,
      },
    ];
    const key = await newKey(service.url, site?.account_id ?? "");
    await participantClient({ url: service.url, key }).call(uploadTelemetry, { body: { telemetry } });
  };

  test(`takes at most ${MOST_CLICKS} clicks, each step offered after the one before`, async () => {
    const visited = await signIn(browser, service.url, email);
    const { page } = visited;
    const clicks = await countClicks(page);
    const click = (role: "link" | "button", name: string) => page.getByRole(role, { name, exact: true }).click();
    await page.goto("/operations");
    await page.getByRole("heading", { name: "First steps: 0 of 9 done" }).waitFor();
    await expectSound(visited, "first-steps-empty");

    await click("link", "Create an account");
    await page.getByLabel("Name of the participant").fill("North Cold Storage");
    await click("button", "Create");
    await click("link", "Add a site");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Freezer hall");
    await dialog.getByRole("button", { name: "as in this browser" }).click();
    await click("button", "Add site");
    await page.getByRole("heading", { name: "Freezer hall", level: 1 }).waitFor();
    await page.getByText("Waiting for the first reading…").waitFor();
    await expectSound(visited, "first-steps-site");

    await click("link", "Create a program");
    await dialog.getByLabel("Name of the new program").fill("Peak");
    await dialog.getByLabel("Commitment (kW)").fill("120");
    await expectSound(visited, "first-steps-enrol");
    await click("button", "Create the program and enrol");
    await click("button", "Create an API key");
    await page.getByText(/\/claim\//).waitFor();
    await expectSound(visited, "first-steps-key");

    await click("link", "Add a contact");
    await dialog.getByLabel("Name", { exact: true }).fill("Night shift");
    await dialog.getByLabel("Email").fill("night@north.example");
    await click("button", "Add");

    await click("link", "Start a test dispatch");
    await click("button", "Start the dispatch");
    await page.getByRole("heading", { name: /^Verification dispatch/ }).waitFor();
    expect(await clicks()).toBeLessThanOrEqual(MOST_CLICKS);
    expect(visited.faults).toEqual([]);
  });

  test("the guide turns by itself: a reading that arrives, and what others do", async () => {
    const visited = await signIn(browser, service.url, email);
    const { page } = visited;
    await page.goto("/operations");
    await page.getByRole("heading", { name: "First steps: 8 of 9 done" }).waitFor();
    await page.getByRole("link", { name: "Send a reading" }).click();
    await page.getByText("Waiting for the first reading…").waitFor();
    await uploadReading();
    await page.getByText(/^Received: 412 kW/).waitFor({ timeout: 15_000 });
    await page.getByText("This site sends readings.").waitFor();
    await expectSound(visited, "first-steps-received");
    await page.getByRole("button", { name: "Make visible" }).click();
    await page.getByText("This site sends readings.").waitFor({ state: "detached" });
    await page.goto("/operations");
    await page.getByRole("button", { name: "Not now" }).waitFor();
    expect(await page.getByRole("heading", { name: /^First steps/ }).count()).toBe(0);
    await page.getByRole("button", { name: "Not now" }).click();
    await page.getByText("Protect your sign-in.").waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.getByText("Protect your sign-in.").count()).toBe(0);
  });

  test("several sites are enrolled together, and the page says which were already", async () => {
    const visited = await signIn(browser, service.url, email);
    const { page } = visited;
    const [first] = (await operate(service.url, operator.listAccounts, {})).items;
    const params = { id: first?.id ?? "" };
    for (const name of ["Dock", "Office"]) await operate(service.url, operator.createSite, { params, body: { name } });
    await page.goto("/operations/sites");
    await page.getByRole("button", { name: "Select all 3" }).click();
    await page.getByRole("button", { name: "Enrol", exact: true }).click();
    await page.getByRole("button", { name: "Enrol 3 sites" }).click();
    await page.getByText("2 sites were enrolled.").waitFor();
    await page.getByText("Freezer hall: already enrolled").waitFor();
    await expectSound(visited, "sites-enrolled");
  });
});
