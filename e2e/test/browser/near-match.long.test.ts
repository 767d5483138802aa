import { operator } from "@curtail/contract";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound } from "../support/looks.js";
import { operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn, type Visit } from "../support/visit.js";
import { webService } from "../support/web-service.js";

/** Sends the form: nothing happens before the question is answered. */
const isAsked = async (visit: Visit, send: string, other: string): Promise<ReturnType<Page["getByRole"]>> => {
  const { page, faults } = visit;
  await page.getByRole("button", { name: send, exact: true }).click();
  const question = page.getByRole("dialog", { name: /^(Create another|Change this) \w+\?$/ });
  await question.getByText(`There is already “${other}”, which is almost the same.`).waitFor();
  expect(faults.splice(0)).toEqual([expect.stringContaining("400")]);
  return question;
};

const refuses = async (visit: Visit, send: string, other: string): Promise<void> => {
  const question = await isAsked(visit, send, other);
  await question.getByRole("button", { name: "Back" }).click();
  await expect.poll(() => question.count()).toBe(0);
};

describe.skipIf(!hasChromium)("an operator who gives something almost another one's name", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let admin: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    admin = await newUser(service.url, "operator");
  });

  test("is asked by the forms of accounts, and by their renaming", async () => {
    const names = async () => (await operate(service.url, operator.listAccounts)).items.map(({ name }) => name);
    await operate(service.url, operator.createAccount, { body: { name: "Café Nord" } });
    const visit = await signIn(browser, service.url, admin);
    const { page } = visit;
    await page.goto("/operations/accounts");
    await page.getByRole("button", { name: "New account" }).click();
    await page.getByLabel("Name of the participant").fill("CAFÉ nord");
    await refuses(visit, "Create", "Café Nord");
    expect(await names()).toEqual(["Café Nord"]);
    // What was typed is still there.
    const question = await isAsked(visit, "Create", "Café Nord");
    await expectSound(visit, "near-account");
    await question.getByRole("button", { name: "Create anyway" }).click();
    await page.getByRole("heading", { level: 1, name: "CAFÉ nord" }).waitFor();

    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("café nord");
    const renaming = await isAsked(visit, "Save", "Café Nord");
    await renaming.getByRole("button", { name: "Change anyway" }).click();
    await page.getByRole("heading", { level: 1, name: "café nord" }).waitFor();
    expect(await names()).toEqual(["Café Nord", "café nord"]);
  });

  test("sees what was created where the browser leaves a dialog late", async () => {
    await operate(service.url, operator.createAccount, { body: { name: "Bäckerei" } });
    const visit = await signIn(browser, service.url, admin);
    const { page } = visit;
    await page.addInitScript(`
      const go = history.go.bind(history);
      history.go = (entries) => setTimeout(() => go(entries), 500);`);
    await page.goto("/operations/accounts");
    await page.getByRole("button", { name: "New account" }).click();
    await page.getByLabel("Name of the participant").fill("BÄCKEREI");
    const question = await isAsked(visit, "Create", "Bäckerei");
    await question.getByRole("button", { name: "Create anyway" }).click();
    await page.getByRole("heading", { level: 1, name: "BÄCKEREI" }).waitFor({ timeout: 30_000 });
    await page.waitForTimeout(1000);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("BÄCKEREI");
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
  });

  test("is asked by the forms of sites and meters, and by their changes", async () => {
    const { id } = await operate(service.url, operator.createAccount, { body: { name: "Mills" } });
    await operate(service.url, operator.createSite, {
      params: { id },
      body: { name: "Mill", customer_location_id: "0001" },
    });
    const visit = await signIn(browser, service.url, admin);
    const { page } = visit;
    await page.goto(`/operations/accounts/${id}?tab=sites`);
    await page.getByRole("button", { name: "New site" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Another");
    await page.getByLabel("Location id (optional)").fill("1");
    await page.getByRole("button", { name: "as in this browser" }).click();
    await refuses(visit, "Add site", "0001");
    const question = await isAsked(visit, "Add site", "0001");
    await expectSound(visit, "near-site");
    await question.getByRole("button", { name: "Create anyway" }).click();
    await page.getByRole("heading", { level: 1, name: "Another" }).waitFor();

    await page.getByRole("button", { name: "Add meter" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("MAIN");
    await refuses(visit, "Add", "main");
    await page.getByRole("dialog").getByLabel("Name").fill("Roof");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const row = page.getByRole("row", { name: /Roof/ });
    await row.getByRole("button", { name: "Change" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Main");
    const renaming = await isAsked(visit, "Save", "main");
    await renaming.getByRole("button", { name: "Change anyway" }).click();
    await page.getByRole("row", { name: /Main/ }).waitFor();

    const facts = page.locator("section").filter({ has: page.getByRole("heading", { name: "Site", exact: true }) });
    await facts.getByRole("button", { name: "Change", exact: true }).click();
    await page.getByLabel("Location id (optional)").fill("01");
    const changing = await isAsked(visit, "Save", "0001");
    await changing.getByRole("button", { name: "Change anyway" }).click();
    await page.getByText("01", { exact: true }).waitFor();
  });
});
