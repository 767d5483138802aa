import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { newParticipant } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, PASSWORD, signIn, visit } from "../support/visit.js";
import { webService } from "../support/web-service.js";

// Its looks, ends of sessions, and hostile links are in sign-in.long.test.ts.
describe.skipIf(!hasChromium)("signing in", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let operator: string;
  let participant: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    const { accountId } = await newParticipant(service.url, 2);
    operator = await newUser(service.url, "operator-admin");
    participant = await newUser(service.url, "participant-viewer", accountId);
  });

  test("a wrong password is reported, and the right one leads to the side of the user", async () => {
    const { page } = await visit(browser, service.url);
    await page.goto("/sign-in");
    await page.getByLabel("Email").fill(operator);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("is wrong; check them");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByLabel("Password").press("Enter");
    await page.waitForURL("**/operations");
  });

  test("a participant who types an operator's address gets to the own pages", async () => {
    const { page } = await signIn(browser, service.url, participant);
    await page.goto("/operations/accounts");
    await page.waitForURL("**/dashboard");
  });

  test("a link into the pages survives the sign-in whole: path, search and hash", async () => {
    const { page } = await visit(browser, service.url);
    await page.goto("/operations/alarms?state=cleared#last");
    await page.getByText("Sign in to open the page.").waitFor();
    await fillIn(page, operator);
    await page.waitForURL(`${service.url}/operations/alarms?state=cleared#last`);
    await page.getByRole("tab", { name: "Cleared", selected: true }).waitFor();
  });
});

const fillIn = async (page: Page, email: string): Promise<void> => {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
};
