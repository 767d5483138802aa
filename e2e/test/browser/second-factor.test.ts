import { beforeAll, describe, expect, test } from "vitest";
import { totpCodes } from "../../../packages/server/src/runtime/totp-codes.js";
import { type OidcProvider, oidcProvider } from "../../../packages/server/test/support/oidc-provider.js";
import { hasChromium, startBrowser } from "../support/chromium.js";
import type { ServiceProcess } from "../support/service-process.js";
import { expectSound, newUser, PASSWORD, signIn, visit } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const STEP_SECONDS = 30;

describe.skipIf(!hasChromium)("signing in with more than a password", () => {
  let service: ServiceProcess;
  let provider: OidcProvider;
  let browser: Awaited<ReturnType<typeof startBrowser>>;

  beforeAll(async () => {
    provider = await oidcProvider();
    [service, browser] = await Promise.all([webService(provider.settings), startBrowser()]);
  });

  test("an authenticator app is set up on the page, and its code is asked for from then on", async () => {
    const email = await newUser(service.url, "operator");
    const visited = await signIn(browser, service.url, email);
    const { page } = visited;
    await page.goto("/you");
    await page.getByRole("button", { name: "Set up" }).click();
    const secret = (await page.locator("code").first().textContent()) ?? "";
    await page.getByRole("img", { name: /QR code/ }).waitFor();
    await expectSound(visited, "you-authenticator");
    const now = Math.floor(Date.now() / 1000);
    await page.getByLabel("Code that the app shows").fill(totpCodes.codeAt(secret, now));
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Codes are asked for from now on.").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/sign-in");

    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    // A code is taken once: the next one is, too, since clocks differ.
    await page.getByLabel("Code").fill(totpCodes.codeAt(secret, now + STEP_SECONDS));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/operations");
  });

  test("single sign-on leads a user of the provider to the own side", async () => {
    const email = await newUser(service.url, "operator");
    provider.says({ sub: "olive", email, email_verified: true });
    const { page } = await visit(browser, service.url);
    await page.goto("/sign-in");
    await page.getByRole("link", { name: "Sign in with single sign-on" }).click();
    await page.waitForURL("**/operations");
  });

  test("single sign-on of somebody who is no user here leads back to the form, which says so", async () => {
    provider.says({ sub: "stranger", email: "stranger@example.com", email_verified: true });
    const { page } = await visit(browser, service.url);
    await page.goto("/sign-in");
    await page.getByRole("link", { name: "Sign in with single sign-on" }).click();
    await page.waitForURL("**/sign-in?failed=single-sign-on");
    expect(await page.getByRole("alert").textContent()).toContain("ask an administrator");
  });
});
