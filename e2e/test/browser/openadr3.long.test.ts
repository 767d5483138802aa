import { operator } from "@curtail/contract";
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { newColdStores } from "../support/cold-stores.js";
import { expectSoundDialogs } from "../support/dialogs.js";
import { expectFault } from "../support/form.js";
import { expectSoundInEachLook, LOOKS_MS, lookAt } from "../support/looks.js";
import { operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const PRICES = [{ payload_type: "PRICE", units: "KWH", currency: "EUR" }] as const;

describe.skipIf(!hasChromium)("the pages about OpenADR 3", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let admin: string;
  let accountId: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    admin = await newUser(service.url, "operator-admin");
    ({ accountId } = await newColdStores(service.url));
  });

  test("show the secret of a new client once, rotate it, and revoke the client", async () => {
    const { page, faults } = await signIn(browser, service.url, admin);
    const dialog = page.getByRole("dialog");
    await page.goto(`/operations/accounts/${accountId}?tab=vens`);
    await page.getByText("No OpenADR 3 clients yet.").waitFor();
    await page.getByRole("button", { name: "New client" }).click();
    await dialog.getByRole("button", { name: "Create" }).click();
    await expectFault(dialog, "Name", "This field is required.");
    faults.length = 0;
    await dialog.getByLabel("Name").fill("Store gateway");
    await dialog.getByLabel("Targets (optional)").fill("group-1\n");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText("The secret is shown").waitFor();
    const secret = (await dialog.locator("code").last().textContent()) ?? "";
    expect(secret).toMatch(/^cta_[0-9a-f]{72}$/);
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("link", { name: "Store gateway" }).click();
    await page.getByRole("heading", { level: 1, name: "Store gateway" }).waitFor();
    await page.getByText("group-1").waitFor();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole("button", { name: "Rotate secret" }).click();
    await dialog.getByLabel(/^Hours for which/).fill("2");
    await dialog.getByRole("button", { name: "Create new secret" }).click();
    await expect.poll(() => dialog.locator("code").last().textContent()).toMatch(/^cta_/);
    expect(await dialog.locator("code").last().textContent()).not.toBe(secret);
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText(/^accepted until/).waitFor();

    await page.getByRole("button", { name: "Revoke" }).click();
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Revoked", { exact: true }).first().waitFor();
    expect(faults).toEqual([]);
  });

  test("create a program, a day of its prices from pasted values, and change and end an event", async () => {
    const { page, faults } = await signIn(browser, service.url, admin);
    const dialog = page.getByRole("dialog");
    await page.goto("/operations/openadr3?tab=programs");
    await page.getByRole("button", { name: "New program" }).click();
    await dialog.getByLabel("Name").fill("Day-ahead prices");
    await dialog.getByLabel("Currency (optional)").fill("eur");
    await dialog.getByLabel("Public: all VENs see it").check();
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("link", { name: "Add event" }).click();

    await page.getByLabel("Day", { exact: true }).fill("2099-03-29");
    await page.getByLabel("Time zone of the day").fill("Europe/Berlin");
    await page.getByText("2099-03-29 has 23 intervals").waitFor();
    const values = page.getByLabel("Values", { exact: true });
    await values.fill("0,21 0.22");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText('"0,21" is no number').waitFor();
    const hours = Array.from({ length: 24 }, (_, hour) => String(hour / 100)).join("\n");
    await values.fill(hours);
    await page.getByText("The day has 23 intervals, and there are 24 values.").waitFor();
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText(/has 24, but 2099-03-29 in Europe\/Berlin has 23 intervals/).waitFor();
    faults.length = 0;
    await values.fill(hours.slice(0, hours.lastIndexOf("\n")));
    await page.getByLabel("Name (optional)").fill("Summer time begins");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "Summer time begins" }).waitFor();
    await page.getByText("EUR/kWh").first().waitFor();
    await page.getByText("Upcoming").waitFor();

    await page.goto("/operations/openadr3/events/new");
    await page.getByLabel("When").selectOption("from");
    await page.getByLabel(/^Start/).fill(new Date(Date.now() - 120_000).toISOString().slice(0, 16));
    await page.getByLabel("Values", { exact: true }).fill("0.30 0.35");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("In force").waitFor();
    await page.getByRole("link", { name: "Change values" }).click();
    await expect.poll(() => page.getByLabel("Values", { exact: true }).inputValue()).toBe("0.3\n0.35");
    await page.getByLabel("Values", { exact: true }).fill("0.4");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("0.4").first().waitFor();
    await page.getByRole("button", { name: "End now" }).click();
    await dialog.getByRole("button", { name: "End now" }).click();
    await page.getByText("Over", { exact: true }).waitFor();
    await page.goto("/operations/openadr3?state=past");
    await page.getByRole("cell", { name: "Over" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("show participants where their VEN connects, and their clients without a way to change them", async () => {
    await operate(service.url, operator.createOpenadrClient, {
      params: { id: accountId },
      body: { name: "Roof gateway" },
    });
    const { page, faults } = await signIn(
      browser,
      service.url,
      await newUser(service.url, "participant-admin", accountId),
    );
    await page.goto("/dashboard/connect");
    const row = page.getByRole("row", { name: /Roof gateway/ });
    await row.getByText("never used").waitFor();
    await row.getByText("none").waitFor();
    await page
      .getByText(/\/openadr3\/3\.1\.0\/auth\/token$/)
      .first()
      .waitFor();
    expect(await row.getByRole("button").count()).toBe(0);
    await lookAt({ page, context: page.context(), faults }, "/dashboard/connect", "connect-openadr3");
  });

  test("are sound by day and by night, on a phone and on a wall", { timeout: LOOKS_MS }, async () => {
    const { url } = service;
    const client = await operate(url, operator.createOpenadrClient, {
      params: { id: accountId },
      body: { name: "Gateway of the northern halls", targets: ["group-1", "group-2"] },
    });
    await operate(url, operator.createBusinessLogic, { body: { name: "Price feed" } });
    const program = await operate(url, operator.createOpenadrProgram, {
      body: { name: "Prices", payloads: [...PRICES], public: true },
    });
    const day = { day: "2099-07-01", timezone: "Europe/Berlin", interval_seconds: 900 };
    const values = Array.from({ length: 96 }, (_, quarter) => Math.round(100 * Math.sin(quarter / 12)) / 1000);
    const event = await operate(url, operator.createOpenadrEvent, {
      body: { program_id: program.id, payload_type: "PRICE", name: "Prices of 1 July", ...day, values },
    });
    const alert = await operate(url, operator.createOpenadrEvent, {
      body: {
        program_id: program.id,
        payload_type: "ALERT_FIRE",
        end_time: null,
        message: "Wildfire near the substation",
      },
    });
    await expectSoundInEachLook(
      (looks) => signIn(browser, url, admin, looks),
      [
        { address: `/operations/accounts/${accountId}?tab=vens`, name: "account-openadr3-clients" },
        { address: `/operations/openadr3/clients/${client.id}`, name: "openadr3-client" },
        { address: "/operations/openadr3", name: "openadr3-events" },
        { address: "/operations/openadr3?tab=programs", name: "openadr3-programs" },
        { address: "/operations/openadr3?tab=business-logic", name: "openadr3-business-logic" },
        { address: `/operations/openadr3/events/new?program=${program.id}`, name: "openadr3-new-event" },
        { address: `/operations/openadr3/events/${event.id}`, name: "openadr3-event" },
        { address: `/operations/openadr3/events/${event.id}/values`, name: "openadr3-event-values" },
        { address: `/operations/openadr3/events/${alert.id}`, name: "openadr3-alert" },
      ],
    );
    const phone = await signIn(browser, url, admin, { widthPx: 390 });
    const opened = await expectSoundDialogs(phone, [
      `/operations/openadr3/clients/${client.id}`,
      "/operations/openadr3?tab=programs",
      "/operations/openadr3?tab=business-logic",
      `/operations/openadr3/events/${event.id}`,
    ]);
    expect(opened.length).toBeGreaterThan(7);
  });
});
