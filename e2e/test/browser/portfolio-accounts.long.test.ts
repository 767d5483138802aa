import { receiver } from "@curtail/testing/receiver";
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { callFor, newColdStores } from "../support/cold-stores.js";
import { expectFault, expectFocus } from "../support/form.js";
import { expectSound } from "../support/looks.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, PASSWORD, signIn, type Visit, visit } from "../support/visit.js";
import { webService } from "../support/web-service.js";
import { registerWebhook, webhookSecrets } from "../support/webhooks.js";

/** The text that the dialog offers to copy; its host may resolve only in the operator's network. */
const copied = async (page: Visit["page"]): Promise<string> => {
  const link = await page.getByRole("dialog").locator("code").first().textContent();
  return new URL(link ?? "").pathname;
};

describe.skipIf(!hasChromium)("an operator, about accounts", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let admin: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    admin = await newUser(service.url, "operator-admin");
  });

  test("sets the language of an account, and another one of a contact", async () => {
    const visited = await signIn(browser, service.url, admin, { widthPx: 390 });
    const { page } = visited;
    await page.goto("/operations/accounts");
    await page.getByRole("button", { name: "New account" }).click();
    await page.getByLabel("Name of the participant").fill("Nordwerk");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("That of the service").waitFor();
    await page.getByRole("button", { name: "Language" }).click();
    await page.getByRole("dialog").getByLabel("Language").selectOption("de");
    await expectSound(visited, "account-language");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.locator('dd [lang="de"]').waitFor();
    await page.getByRole("tab", { name: "Contacts" }).click();
    await page.getByRole("button", { name: "Add contact" }).click();
    await page.getByLabel("Name").fill("Ana Lopez");
    await page.getByLabel("Email").fill("ana@nordwerk.example");
    await page.getByRole("dialog").getByLabel("Language").selectOption("es");
    await expectSound(visited, "contact-language");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.locator('[lang="es"]', { hasText: "Español" }).waitFor();
    await expectSound(visited, "contact-of-a-language");
  });

  test("makes an account, disables and enables it, and adds and removes a contact", async () => {
    const { page, faults } = await signIn(browser, service.url, admin);
    await page.goto("/operations/accounts");
    await page.getByRole("button", { name: "New account" }).click();
    await page.getByLabel("Name of the participant").fill("Harbour Logistics");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "Harbour Logistics" }).waitFor();
    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
    await page.getByRole("button", { name: "Enable" }).click();
    await page.getByRole("button", { name: "Disable" }).waitFor();
    await page.getByRole("tab", { name: "Contacts" }).click();
    expect(new URL(page.url()).search).toContain("tab=contacts");
    await page.getByRole("button", { name: "Add contact" }).click();
    await page.getByLabel("Name").fill("Dana Duty");
    await page.getByLabel("Email").fill("dana@example.com");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const row = page.getByRole("row", { name: /dana@example.com/ });
    await row.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("No contacts yet.").waitFor();
    expect(faults).toEqual([]);
  });

  test("sees faults of a form at the fields, and others above the button", async () => {
    const stores = await newColdStores(service.url, "Faulty Foods");
    const { page } = await signIn(browser, service.url, admin);
    const dialog = page.getByRole("dialog").last();
    const opened = async (address: string, button: string) => {
      await page.goto(address);
      await page.getByRole("button", { name: button }).first().click();
    };
    const send = (name: string) => dialog.getByRole("button", { name, exact: true }).click();
    const account = `/operations/accounts/${stores.accountId}`;

    await opened("/operations/accounts", "New account");
    await send("Create");
    await expectFault(dialog, "Name of the participant", "This field is required.");

    await opened(`${account}?tab=sites`, "New site");
    await dialog.getByLabel("Time zone").fill("Nowhere/Land");
    await send("Add site");
    await expectFault(dialog, "Name", "This field is required.");
    await dialog.getByLabel("Name", { exact: true }).fill("Northern hall");
    await send("Add site");
    const noZone = 'The time zone is "Nowhere/Land"; give an IANA time zone name such as America/Chicago.';
    await expectFault(dialog, "Time zone", noZone);
    await expectFocus(dialog, "Time zone");

    await opened(`/operations/sites/${stores.sites[0]?.id}`, "Add meter");
    await send("Add");
    await expectFault(dialog, "Name", "This field is required.");

    await opened("/operations/programs", "New program");
    await dialog.getByLabel("Name", { exact: true }).fill("Faulty");
    await send("Create");
    await expectFault(dialog, "Time zone", "This field is required.");
    await dialog.getByRole("button", { name: "as in this browser" }).click();
    await dialog.getByLabel("Cut-off of availability blocks (minutes)").fill("999999");
    await dialog.getByLabel("OpenADR signal level").selectOption("1");
    await dialog.getByLabel("Ramp-up (minutes, optional)").fill("99999");
    await send("Create");
    await expectFault(dialog, "Cut-off of availability blocks (minutes)", "Enter at most 365 days.");
    await expectFault(dialog, "Ramp-up (minutes, optional)", "Enter at most 1 day.");
    await expectFocus(dialog, "Cut-off of availability blocks (minutes)");

    await opened(`/operations/programs/${stores.programId}`, "Change");
    await dialog.getByLabel("Holidays (optional)").fill("2026-07-03\n2026-13-45");
    await send("Save");
    await expect.poll(() => dialog.locator('[name="holidays"]').getAttribute("aria-invalid")).toBe("true");

    await opened(`${account}?tab=contacts`, "Add contact");
    await send("Add");
    await expectFault(dialog, "Email", "Enter an email address, such as name@example.com.");

    await opened("/operations/users", "Invite");
    await dialog.getByLabel("Name", { exact: true }).fill("Olive");
    await dialog.getByLabel("Email").fill(admin);
    await send("Create invitation");
    await expectFault(dialog, "Email", "This email already belongs to another user; choose another one.");

    await opened(`${account}?tab=keys`, "New key");
    await dialog.getByLabel("Last day (optional)").fill("2026-01-01");
    await send("Create link");
    await expectFault(dialog, "Last day (optional)", "The last day must be in the future.");

    await opened(`${account}?tab=vens`, "New VEN");
    await dialog.getByLabel("VEN id").fill("not one");
    await dialog.getByLabel("Polls every (seconds)").fill("0");
    await send("Create");
    await expectFault(dialog, "VEN id", "Use letters, digits, dots, hyphens and underscores only.");
    await expectFault(dialog, "Polls every (seconds)", "Enter at least 1 second.");

    await opened("/you", "Change password");
    await dialog.getByLabel("Current password").fill(PASSWORD);
    await dialog.getByLabel("New password", { exact: true }).fill("short");
    await dialog.getByLabel("Confirm new password").fill("short");
    await send("Change password");
    await expectFault(dialog, "New password", "The password has 5 characters; use at least 12.");
    await dialog.getByLabel("Current password").fill("wrong");
    await dialog.getByLabel("New password", { exact: true }).fill(`${PASSWORD} anew`);
    await dialog.getByLabel("Confirm new password").fill(`${PASSWORD} anew`);
    await send("Change password");
    await expect.poll(() => dialog.getByRole("alert").textContent()).toContain("The password or the code is wrong");
  }, 120_000);

  test("issues a key whose link shows it once, and revokes it", async () => {
    const { accountId } = await newColdStores(service.url, "Key Foods");
    const { page } = await signIn(browser, service.url, admin);
    await page.goto(`/operations/accounts/${accountId}?tab=keys`);
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Environment").selectOption("sandbox");
    await page.getByRole("button", { name: "Create link" }).click();
    const link = await copied(page);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("Link not opened yet").waitFor();

    const participant = await visit(browser, service.url);
    await participant.page.goto(link);
    await participant.page.getByRole("button", { name: "Show the key" }).click();
    expect(await participant.page.locator("output").textContent()).toMatch(/\S{20,}/);
    await participant.page.goto(link);
    await participant.page.getByRole("button", { name: "Show the key" }).click();
    await participant.page.getByText("This link is not valid").waitFor();

    await page.reload();
    const row = page.getByRole("row", { name: /Sandbox/ });
    await row.getByText("Active").waitFor();
    await row.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await row.getByText("Revoked").waitFor();
  });

  test("tests a webhook, sees its deliveries, and resends one", async () => {
    const stores = await newColdStores(service.url, "Hook Foods");
    const hook = await receiver();
    await registerWebhook(service.url, stores, hook.url);
    await callFor(service.url, stores.programId, [30, 60]);
    await hook.notices(1);
    const visited = await signIn(browser, service.url, admin);
    const { page } = visited;
    await page.goto(`/operations/accounts/${stores.accountId}?tab=webhooks`);
    await page.getByRole("button", { name: "Test now" }).click();
    await page.getByText(/It works: answered 200 in \d+ ms/).waitFor();
    hook.answer = 503;
    await page.getByRole("button", { name: "Test now" }).click();
    await page.getByText(/It does not work: answered 503/).waitFor();
    hook.answer = 200;
    await page.getByRole("button", { name: "Show secret" }).click();
    await page
      .getByText(/whsec_|[A-Za-z0-9+/=]{20,}/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Show deliveries" }).click();
    await page.getByRole("cell", { name: "Delivered" }).waitFor();
    await page.getByRole("button", { name: "Resend" }).click();
    await hook.notices(2);
    await page.getByText("2 attempts").click();
    const attempts = page.getByRole("region", { name: "Deliveries" }).getByRole("listitem");
    expect(await attempts.filter({ hasText: "answered 200" }).count()).toBe(2);
    await expectSound(visited, "account-webhook-open");
  });

  test("invites a person of the participant, who is signed in by setting a password", async () => {
    const { accountId } = await newColdStores(service.url, "People Foods");
    const { page } = await signIn(browser, service.url, admin);
    await page.goto(`/operations/accounts/${accountId}?tab=users`);
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("Name").fill("Petra Plant");
    await page.getByLabel("Email").fill("petra@example.com");
    await page.getByLabel("Role").selectOption("participant-viewer");
    await page.getByRole("button", { name: "Create invitation" }).click();
    const link = await copied(page);

    const petra = await visit(browser, service.url);
    await petra.page.goto(link);
    await petra.page.getByLabel(/^Password/).fill(PASSWORD);
    await petra.page.getByRole("button", { name: "Set the password" }).click();
    await petra.page.waitForURL("**/dashboard");

    await page.goto("/operations/users");
    const row = page.getByRole("row", { name: /Petra Plant/ });
    await row.getByText("Active").waitFor();
    await row.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Role").selectOption("participant-admin");
    await page.getByRole("button", { name: "Save" }).click();
    await row.getByText("Participant administrator").waitFor();
    await row.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
    await petra.page.waitForURL("**/sign-in?next=*", { timeout: 20_000 });
  }, 60_000);

  test("an auditor is offered no writes, and sees no secrets", async () => {
    const stores = await newColdStores(service.url, "Audited Foods");
    const hook = await receiver();
    const of = stores;
    const { id } = await registerWebhook(service.url, of, hook.url);
    const [secret = ""] = await webhookSecrets(service.url, of, id);
    expect(secret).not.toBe("");
    const auditor = await newUser(service.url, "auditor");
    const { page } = await signIn(browser, service.url, auditor);
    const site = stores.sites[0]?.id;
    const account = `/operations/accounts/${stores.accountId}`;
    const tabs = ["overview", "sites", "keys", "contacts", "webhooks", "vens", "users", "sandbox", "requests"];
    const others = ["accounts", "sites", `sites/${site}`, "programs", `programs/${stores.programId}`, "users", "audit"];
    const harmless = /^(Show|Hide|Menu|Sign out|Try baselines|‹|›)/;
    for (const address of [
      ...tabs.map((tab) => `${account}?tab=${tab}`),
      ...others.map((each) => `/operations/${each}`),
    ]) {
      await page.goto(address);
      await page.locator("main h1").waitFor();
      await expect.poll(() => page.getByText("Loading…").count()).toBe(0);
      const buttons = await page.locator("main").getByRole("button").allTextContents();
      expect(
        buttons.filter((text) => !harmless.test(text)),
        address,
      ).toEqual([]);
      expect(await page.locator("main").innerText(), address).not.toContain(secret);
    }
    expect(await page.getByRole("link", { name: "Import" }).count()).toBe(0);
    await page.goto("/operations/import");
    await page.getByText("Your role is read-only").waitFor();
  }, 60_000);
});
