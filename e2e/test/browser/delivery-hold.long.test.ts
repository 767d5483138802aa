import { operator } from "@curtail/contract";
import { clonedDatabase } from "@curtail/testing/database";
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound } from "../support/looks.js";
import { operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

describe.skipIf(!hasChromium)("an operator of a restored service", () => {
  let service: ServiceProcess;
  let browser: Browser;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    const database = await clonedDatabase();
    const hold = JSON.stringify({ heldAt: new Date(), backupAt: new Date(Date.now() - 3_600_000) });
    // As a restore leaves it.
    await database.run(`insert into settings (name, value) values ('delivery_hold', '${hold}')`);
    service = await webService({}, database);
  });

  test("sees on every page that delivery is held, until it is released from the alarm", async () => {
    const visit = await signIn(browser, service.url, await newUser(service.url, "operator-admin"));
    const { page, faults } = visit;
    const banner = page.getByRole("region", { name: "Delivery" });
    for (const path of ["/operations", "/operations/accounts"]) {
      await page.goto(path);
      await banner.getByText("Delivery is held:").waitFor();
    }
    await expectSound(visit, "delivery-held");
    await banner.getByRole("link", { name: "Alarms" }).click();
    await page.getByRole("button", { name: "Release delivery…" }).click();
    const dialog = page.getByRole("dialog", { name: "Release delivery" });
    await dialog.getByText("Nothing waits to be sent.").waitFor();
    await dialog.getByRole("button", { name: "Release delivery" }).click();
    // What is behind a dialog is hidden, as is the banner.
    await dialog.waitFor({ state: "detached" });
    await banner.waitFor({ state: "detached" });
    expect(await operate(service.url, operator.getDeliveryHold)).toMatchObject({ held: false });
    expect(faults).toEqual([]);
  });

  test("and a participant does not see it", async () => {
    const { id } = await operate(service.url, operator.createAccount, { body: { name: "Harbor Foods" } });
    const email = await newUser(service.url, "participant-viewer", id);
    const { page } = await signIn(browser, service.url, email);
    await page.goto("/dashboard");
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    expect(await page.getByRole("region", { name: "Delivery" }).count()).toBe(0);
  });
});
