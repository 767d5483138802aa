import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { claimKey, participantClient, redeemLink } from "@curtail/client";
import { listSites, listWebhooks, operator, uploadTelemetry } from "@curtail/contract";
import type { Browser, Locator } from "playwright-core";
import { describe, expect, onTestFinished, vi } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { type ColdStores, callFor, newColdStores } from "../support/cold-stores.js";
import { expectSoundDialogs } from "../support/dialogs.js";
import { expectFault, expectFocus } from "../support/form.js";
import { expectSound, expectSoundInEachLook, LOOKS_MS } from "../support/looks.js";
import { newKey, operate } from "../support/participant.js";
import { type PlainReceiver, plainReceiver } from "../support/plain-receiver.js";
import { type ServiceProcess, temporaryFolder } from "../support/service-process.js";
import { newUser, PASSWORD, signIn, signInByForm } from "../support/visit.js";
import { webService } from "../support/web-service.js";
import { registerWebhook } from "../support/webhooks.js";

const LONG_MS = 60_000;

/** An upload that is refused, and a request that is not. */
const mistakes = async (url: string, key: string): Promise<void> => {
  const client = participantClient({ url, key });
  const telemetry = [{ meter_id: "mtr_nobody", interval_seconds: 45, timestamp: new Date().toISOString(), kW: 5 }];
  await client.send(uploadTelemetry, { body: { telemetry } });
  await client.call(listSites);
};

const send = (dialog: Locator, name: string): Promise<void> =>
  dialog.getByRole("button", { name, exact: true }).click();

describe.skipIf(!hasChromium)("what participants look after themselves", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let receiver: PlainReceiver;
  let stores: ColdStores;
  let admin: string;
  let viewer: string;
  let webhookId: string;
  let foreignWebhook: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    [service, receiver] = await Promise.all([webService(), plainReceiver()]);
    const { url } = service;
    stores = await newColdStores(url);
    admin = await newUser(url, "participant-admin", stores.accountId);
    viewer = await newUser(url, "participant-viewer", stores.accountId);
    webhookId = (await registerWebhook(url, stores, receiver.url)).id;
    const others = await newColdStores(url, "Competitor");
    foreignWebhook = (await registerWebhook(url, others, `${receiver.url}/theirs`)).id;
    await operate(url, operator.createContact, {
      params: { id: stores.accountId },
      body: {
        name: "Dana Duty",
        email: "duty@northgate.example.com",
      },
    });
    await callFor(url, stores.programId, [30, 90]);
    await vi.waitFor(() => expect(receiver.bodies.join()).toContain("dispatch.create"), { timeout: 20_000 });
    await mistakes(url, stores.key);
  }, 120_000);

  const pages = ["sandbox", "webhooks", "keys", "contacts", "users", "connect", "requests"];

  test("every page is sound by day and by night, on a phone and on a wall", { timeout: LOOKS_MS }, async () => {
    await expectSoundInEachLook(
      (looks) => signIn(browser, service.url, admin, looks),
      [
        ...pages.map((page) => ({ address: `/dashboard/${page}`, name: `dashboard-${page}` })),
        { address: "/downloads/", name: "downloads" },
        {
          address: `/dashboard/webhooks/${webhookId}`,
          name: "dashboard-webhook",
          ready: (page) => page.getByText("delivered", { exact: true }).waitFor(),
        },
      ],
    );
  });

  test("every dialog is sound on a phone", async () => {
    const visited = await signIn(browser, service.url, admin, { widthPx: 390 });
    const opened = await expectSoundDialogs(visited, [
      ...pages.map((page) => `/dashboard/${page}`),
      `/dashboard/webhooks/${webhookId}`,
      `/dashboard/availability?site=${stores.sites[0]?.id}`,
      "/dashboard/energy?view=power",
      "/dashboard/dispatches",
      "/you",
    ]);
    expect(opened).toEqual(expect.arrayContaining(["Add block", "Create a test dispatch", "From – to"]));
    expect(opened.length).toBeGreaterThan(11);
  }, 120_000);

  test("faults of a form are shown at its fields, in words, and the input is kept", async () => {
    const { page } = await signIn(browser, service.url, admin);
    const opened = async (address: string, button: string, title = button): Promise<Locator> => {
      await page.goto(address);
      await page.getByRole("button", { name: button }).first().click();
      return page.getByRole("dialog", { name: title });
    };

    const contact = await opened("/dashboard/contacts", "Add contact");
    await contact.getByLabel("Email").fill("nobody");
    await send(contact, "Add");
    await expectFault(contact, "Name", "This field is required.");
    await expectFault(contact, "Email", "Enter an email address, such as name@example.com.");
    await expectFocus(contact, "Name");
    expect(await contact.getByLabel("Email").inputValue()).toBe("nobody");

    const webhook = await opened("/dashboard/webhooks", "Add webhook");
    await webhook.getByLabel("Address").fill("ftp://files.example.com");
    await webhook.getByLabel("New dispatches").uncheck();
    await webhook.getByLabel("Changes to dispatches, including cancellations").uncheck();
    await send(webhook, "Test and add");
    await webhook.getByText("Choose at least one.").waitFor();
    await webhook.getByLabel("New dispatches").check();
    await send(webhook, "Test and add");
    await expectFault(webhook, "Address", "The address must begin with https://.");
    await expectFocus(webhook, "Address");

    const block = await opened(`/dashboard/availability?site=${stores.sites[0]?.id}`, "Add block", "Not available");
    await block.getByLabel("To").fill("2026-01-01T10:00");
    await send(block, "Add block");
    await expectFault(block, "To", "The end must be after the start.");
    await expectFocus(block, "To");

    const user = await opened("/dashboard/users", "Invite");
    await send(user, "Invite");
    await expectFault(user, "Name", "This field is required.");
    await expectFault(user, "Email", "Enter an email address, such as name@example.com.");

    const tested = await opened("/dashboard/dispatches", "Create a test dispatch");
    await tested.getByLabel("Start").fill("2026-01-01T10:00");
    await send(tested, "Create");
    await expectFault(tested, "Start", "The start must be in the future.");
  }, 60_000);

  test("a webhook that does not answer is not added, and it is said why; one that does is", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto("/dashboard/webhooks");
    await page.getByRole("button", { name: "Add webhook" }).click();
    const dialog = page.getByRole("dialog", { name: "Add webhook" });
    await dialog.getByLabel("Address").fill("http://127.0.0.1:1/nobody");
    await dialog.getByRole("button", { name: "Test and add" }).click();
    await expect.poll(() => dialog.getByRole("alert").textContent()).toContain("test request");
    await dialog.getByLabel("Address").fill(`${receiver.url}/second`);
    await dialog.getByRole("button", { name: "Test and add" }).click();
    await page.getByRole("link", { name: `${receiver.url}/second` }).waitFor();
  });

  test("a webhook's secret is shown on request, and rotated", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto(`/dashboard/webhooks/${webhookId}`);
    expect(await page.getByText("whsec_").count()).toBe(0);
    await page.getByRole("button", { name: "Show secret" }).click();
    const secret = await page.getByText("whsec_").textContent();
    await page.getByRole("button", { name: "Rotate" }).click();
    await page.getByRole("button", { name: "Create new secret" }).click();
    await expect.poll(() => page.getByText("whsec_").count()).toBe(2);
    expect(await page.getByText("whsec_").nth(1).textContent()).toBe(secret);
  });

  test("a webhook is tested now, and a delivery is resent", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto(`/dashboard/webhooks/${webhookId}`);
    [receiver.status, receiver.says] = [500, "closed for maintenance"];
    await page.getByRole("button", { name: "Test now" }).click();
    await page.getByText("answered 500").waitFor();
    const body = page.getByRole("region", { name: "Body of the response" });
    expect(await body.textContent()).toBe("closed for maintenance");
    [receiver.status, receiver.says] = [200, ""];
    await page.getByRole("button", { name: "Test now" }).click();
    await page.getByRole("status").getByText("answered 200").waitFor();
    const sent = receiver.bodies.length;
    await page.getByRole("button", { name: "Resend" }).click();
    await expect.poll(() => receiver.bodies.length).toBe(sent + 1);
    await page.getByText("2 attempts").waitFor();
  });

  test(
    "a webhook of the sandbox is added, tested and given a new secret apart from production's",
    async () => {
      const { page } = await signIn(browser, service.url, admin);
      await page.goto("/dashboard/webhooks");
      await page.getByRole("button", { name: "Add webhook" }).click();
      const dialog = page.getByRole("dialog", { name: "Add webhook" });
      await dialog.getByLabel("Address").fill(`${receiver.url}/rehearsal`);
      await dialog.getByLabel("Environment").selectOption("sandbox");
      await dialog.getByRole("button", { name: "Test and add" }).click();
      await page
        .getByRole("region", { name: "Sandbox webhooks" })
        .getByRole("link", { name: /rehearsal/ })
        .click();
      await page.waitForURL(/environment=sandbox/);
      await page.getByRole("button", { name: "Test now" }).click();
      await page.getByRole("status").getByText("answered 200").waitFor();
      await page.getByRole("button", { name: "Rotate" }).click();
      await page.getByRole("button", { name: "Create new secret" }).click();
      await expect.poll(() => page.getByText("whsec_").count()).toBe(2);
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Delete webhook" }).click();
      await page.waitForURL("**/dashboard/webhooks");
      await expect.poll(() => page.getByRole("link", { name: /rehearsal/ }).count()).toBe(0);
    },
    LONG_MS,
  );

  test("a webhook is deleted once one has said so twice", async () => {
    const { id } = await registerWebhook(service.url, stores, `${receiver.url}/short-lived`);
    const { page } = await signIn(browser, service.url, admin);
    await page.goto(`/dashboard/webhooks/${id}`);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete webhook" }).click();
    await page.waitForURL("**/dashboard/webhooks");
    await page.getByRole("link", { name: receiver.url, exact: true }).waitFor();
    expect(await page.getByRole("link", { name: /short-lived/ }).count()).toBe(0);
  });

  test("a new key comes as a link that shows it once, and is revoked", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto("/dashboard/keys");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("button", { name: "Create key" }).click();
    const link = await page
      .getByRole("dialog")
      .getByText(/\/claim\//)
      .textContent();
    expect((await claimKey(link ?? "")).api_key).toMatch(/^ctp_/);
    await page.getByRole("button", { name: "Done" }).click();
    const unused = page.getByRole("row").filter({ hasText: "never" }).filter({ hasNotText: "ago" }).last();
    await unused.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await page.getByText("revoked", { exact: true }).waitFor();
  });

  test(
    "the command line is installed by the commands that the page shows, and a key's page leads to it",
    async () => {
      const { page } = await signIn(browser, service.url, admin);
      await page.goto("/dashboard/connect");
      const shown = page
        .getByRole("listitem")
        .filter({ has: page.getByRole("button", { name: /^Copy (Download|Log in)/ }) });
      await shown.nth(1).waitFor();
      const [download = "", login = ""] = await shown.locator("code").allTextContents();
      const { path, remove } = await temporaryFolder();
      onTestFinished(remove);
      const key = join(path, "key");
      await writeFile(key, stores.key);
      const options = { cwd: path, env: { PATH: process.env["PATH"], HOME: path } };
      await promisify(execFile)("sh", ["-ec", `${download} -sS --fail\n${login} --with-key ${key}`], options);
      const { stdout } = await promisify(execFile)(process.execPath, ["curtail.mjs", "status", "--json"], options);
      expect(JSON.parse(stdout)).toMatchObject({ url: service.url, key_from: "profile default" });

      const { claim_url } = await operate(service.url, operator.createKey, {
        params: { id: stores.accountId },
        body: { environment: "sandbox" },
      });
      await page.goto(claim_url);
      await page.getByRole("button", { name: "Show the key" }).click();
      await page.getByRole("link", { name: "download curtail" }).click();
      await page.getByRole("heading", { name: "Downloads" }).waitFor();
    },
    LONG_MS,
  );

  test("a contact is added and removed", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto("/dashboard/contacts");
    await page.getByRole("button", { name: "Add contact" }).click();
    await page.getByLabel("Name").fill("Nora Night");
    await page.getByLabel("Email").fill("night@northgate.example.com");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const row = page.getByRole("row", { name: /Nora Night/ });
    await row.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Remove contact" }).click();
    await expect.poll(() => row.count()).toBe(0);
  });

  test("the request log explains an error, and can show errors alone", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto("/dashboard/requests");
    const requests = page.getByRole("region", { name: "Requests" });
    await expect.poll(() => requests.textContent()).toContain("GET /2022-04-15/sites");
    await page.getByRole("button", { name: "Errors", exact: true }).click();
    await expect.poll(() => requests.textContent()).toContain("it must be divisible by 30");
    expect(await requests.textContent()).toContain("The interval of a reading is not valid");
    expect(await requests.textContent()).not.toContain("GET /2022-04-15/sites");
    expect(page.url()).toContain("status=error");
  });

  test("the request log says that a key was sent to the other environment, and shows the sandbox apart", async () => {
    const sandboxKey = await newKey(service.url, stores.accountId, "sandbox");
    const rehearse = (key: string) => participantClient({ url: service.sandboxUrl, key }).send(listWebhooks);
    await Promise.all([rehearse(stores.key), rehearse(sandboxKey)]);
    const visited = await signIn(browser, service.url, admin, { widthPx: 390 });
    const { page } = visited;
    await page.goto("/dashboard/requests?status=error");
    const requests = page.getByRole("region", { name: "Requests" });
    await requests.getByText("A production key was sent to the sandbox.").waitFor();
    await expectSound(visited, "dashboard-requests-refused");
    await page.getByRole("button", { name: "Sandbox" }).click();
    await page.getByRole("button", { name: "All", exact: true }).click();
    await expect.poll(() => requests.textContent()).toContain("GET /2022-04-15/webhooks");
    expect(page.url()).toContain("environment=sandbox");
  });

  test("a user is invited by a link, signs in, and is disabled", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto("/dashboard/users");
    await page.getByRole("button", { name: "Invite user" }).click();
    await page.getByLabel("Name").fill("Vera Viewer");
    await page.getByLabel("Email").fill("vera@northgate.example.com");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    const link =
      (await page
        .getByRole("dialog")
        .getByText(/\/invitation/)
        .textContent()) ?? "";
    await redeemLink(service.url + new URL(link).pathname, { password: PASSWORD });
    await signInByForm(browser, service.url, "vera@northgate.example.com");
    await page.getByRole("button", { name: "Done" }).click();
    const row = page.getByRole("row", { name: /Vera Viewer/ });
    await row.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
    await row.getByText("disabled", { exact: true }).waitFor();
  });

  test("a viewer sees it all and is offered no change", async () => {
    const { page } = await signIn(browser, service.url, viewer);
    const writes = /^(Add|New|Make|Create|Revoke|Remove|Delete|Rotate|Resend|Test|Invite|Disable)/;
    for (const path of [...pages, `webhooks/${webhookId}`]) {
      await page.goto(`/dashboard/${path}`);
      await page.locator("h1").waitFor();
      await expect.poll(() => page.getByText("Loading…").count()).toBe(0);
      expect(await page.getByRole("button", { name: writes }).count(), path).toBe(0);
    }
    await page.getByText("Only admins of your account can see the secret.").waitFor();
    expect(await page.getByRole("link", { name: "Users" }).count()).toBe(0);
  });

  test("another account's webhook is not there, by its address typed by hand", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto(`/dashboard/webhooks/${foreignWebhook}`);
    await page.getByRole("heading", { name: "There is no such webhook" }).waitFor();
    expect(await page.getByRole("main").textContent()).not.toContain("/theirs");
  });
});
