import { type OidcProvider, oidcProvider } from "@curtail/testing/oidc-provider";
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { totpCodes } from "../../../packages/server/src/platform/runtime/totp-codes.js";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound } from "../support/looks.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, PASSWORD, signIn, visit } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const STEP_SECONDS = 30;
/** Several pages, each checked completely. */
const LONG_MS = 120_000;

describe.skipIf(!hasChromium)("signing in with more than a password", () => {
  let service: ServiceProcess;
  let provider: OidcProvider;
  let browser: Browser;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    provider = await oidcProvider();
    service = await webService(provider.settings);
  });

  test(
    "an authenticator app is set up on the page, and its code is asked for from then on",
    async () => {
      const email = await newUser(service.url, "operator");
      const visited = await signIn(browser, service.url, email);
      const { page } = visited;
      await page.goto("/you");
      await page.getByRole("button", { name: "Set up" }).click();
      await page.getByLabel("Your password").fill(PASSWORD);
      await page.getByRole("button", { name: "Continue" }).click();
      const secret = (await page.locator("code").first().textContent()) ?? "";
      await page.getByRole("img", { name: /QR code/ }).waitFor();
      await expectSound(visited, "you-authenticator");
      const now = Math.floor(Date.now() / 1000);
      await page.getByLabel("Code from the app").fill(totpCodes("Curtail").codeAt(secret, now));
      await page.getByRole("button", { name: "Confirm" }).click();
      const codes = page.getByRole("dialog").locator("code");
      await codes.waitFor();
      const [recoveryCode = ""] = ((await codes.textContent()) ?? "").split("\n");
      await expectSound(visited, "you-recovery-codes");
      await page.getByRole("button", { name: "I have saved them" }).click();
      await page.getByText("You have 10 recovery codes left.").waitFor();
      await expectSound(visited, "you-second-factor");
      await page.getByRole("button", { name: "Sign out", exact: true }).click();
      await page.waitForURL("**/sign-in");

      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in" }).click();
      // A code is accepted once; the next one is accepted too, since clocks differ.
      await page.getByLabel("Code").fill(totpCodes("Curtail").codeAt(secret, now + STEP_SECONDS));
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL("**/operations");

      // Without the phone: a recovery code signs in.
      const elsewhere = await visit(browser, service.url);
      await elsewhere.page.goto("/operations/alarms?state=cleared");
      await elsewhere.page.getByLabel("Email").fill(email);
      await elsewhere.page.getByLabel("Password").fill(PASSWORD);
      await elsewhere.page.getByRole("button", { name: "Sign in" }).click();
      await elsewhere.page.getByLabel("Code").fill(recoveryCode);
      await elsewhere.page.getByRole("button", { name: "Sign in" }).click();
      await elsewhere.page.waitForURL("**/operations/alarms?state=cleared");
      await elsewhere.page.goto("/you");
      await elsewhere.page.getByText("You have 9 recovery codes left.").waitFor();
    },
    LONG_MS,
  );

  test(
    "the password is changed on the page, and every session is ended there",
    async () => {
      const email = await newUser(service.url, "operator");
      const visited = await signIn(browser, service.url, email);
      const { page } = visited;
      await page.goto("/you");
      await page.getByRole("button", { name: "Change password" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Current password").fill(PASSWORD);
      await dialog.getByLabel("New password", { exact: true }).fill("quite another password");
      await dialog.getByLabel("Confirm new password").fill("quite another");
      await dialog.getByText("The passwords do not match.").waitFor();
      await expectSound(visited, "you-password");
      await dialog.getByLabel("Confirm new password").fill("quite another password");
      await dialog.getByRole("button", { name: "Change password" }).click();
      await page.getByText("Password changed.").waitFor();
      await page.evaluate("for (const key of ['recently-seen:of-a-user', 'push']) localStorage.setItem(key, 'null')");
      await page.getByRole("button", { name: "Sign out everywhere" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
      await page.waitForURL("**/sign-in");
      // Nothing that was seen, and no registration for notifications, stays for the next person at this browser.
      const kept = "Object.keys(localStorage).filter((key) => /^(recently-seen:|push$)/.test(key))";
      expect(await page.evaluate(kept)).toEqual([]);
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password").fill("quite another password");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL("**/operations");
    },
    LONG_MS,
  );

  test(
    "an administrator changes an email and deletes a user",
    async () => {
      const [admin, email] = [await newUser(service.url, "operator-admin"), await newUser(service.url, "auditor")];
      const visited = await signIn(browser, service.url, admin);
      const { page } = visited;
      await page.goto("/operations/users");
      const row = page.getByRole("row").filter({ hasText: email });
      await row.getByRole("button", { name: "Edit" }).click();
      const renamed = `renamed-${email}`;
      await page.getByRole("dialog").getByLabel("Email").fill(renamed);
      await expectSound(visited, "users-edit");
      await page.getByRole("button", { name: "Save" }).click();
      const changed = page.getByRole("row").filter({ hasText: renamed });
      await changed.waitFor();
      await expectSound(visited, "users");
      await changed.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await changed.waitFor({ state: "detached" });
    },
    LONG_MS,
  );

  test("single sign-on leads a user of the provider to the requested page", async () => {
    const email = await newUser(service.url, "operator");
    provider.says({ sub: "olive", email, email_verified: true });
    const { page } = await visit(browser, service.url);
    await page.goto("/operations/alarms?state=cleared#last");
    await page.getByRole("link", { name: "Sign in with single sign-on" }).click();
    await page.waitForURL("**/operations/alarms?state=cleared#last");
  });

  test("single sign-on of an unknown user leads back to the form, which says so", async () => {
    provider.says({ sub: "stranger", email: "stranger@example.com", email_verified: true });
    const { page } = await visit(browser, service.url);
    await page.goto("/sign-in");
    await page.getByRole("link", { name: "Sign in with single sign-on" }).click();
    await page.waitForURL("**/sign-in?failed=unknown-email");
    expect(await page.getByRole("alert").textContent()).toContain("ask an administrator");
  });
});
