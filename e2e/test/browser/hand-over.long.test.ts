import { operator } from "@curtail/contract";
import type { Browser } from "playwright-core";
import { describe, expect, vi } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { callFor, newColdStores } from "../support/cold-stores.js";
import { openedBy, settled } from "../support/demo-service.js";
import { expectSound, LOOKS_MS } from "../support/looks.js";
import { operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

describe.skipIf(!hasChromium)("the hand-over", () => {
  let service: ServiceProcess;
  let browser: Browser;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    const { programId } = await newColdStores(service.url);
    await callFor(service.url, programId, [-20, 60]);
  }, 120_000);

  test("an operator draws up a shift, writes, keeps it, edits it and prints it", { timeout: LOOKS_MS }, async () => {
    const visited = await signIn(browser, service.url, await newUser(service.url, "operator"));
    const { page } = visited;
    await page.goto("/operations");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await page.getByText("No shift reports yet.").waitFor();
    await page.getByRole("link", { name: "New shift report" }).click();
    await page.getByRole("cell", { name: /in progress, issued in the shift/ }).waitFor();
    await expectSound(visited, "hand-over-draft");
    await page.getByLabel("Summary: what the next shift has to know first").fill("One dispatch runs.\nWatch it.");
    await page.getByRole("button", { name: "Keep the report" }).click();
    await page.getByText("Watch it.").waitFor();
    await page.getByRole("button", { name: "Edit the texts" }).click();
    await page.getByLabel("Note about alarms").fill("The mail server is back.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Version 2").waitFor();
    await page.getByText("The mail server is back.").waitFor();
    for (const widthPx of [390, 1440]) {
      await page.setViewportSize({ width: widthPx, height: 900 });
      await expectSound(visited, `hand-over-${widthPx}`);
    }
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("navigation").filter({ visible: true }).count()).toBe(0);
    expect(await page.getByRole("button").filter({ visible: true }).count()).toBe(0);
    await page.emulateMedia({ media: "screen", colorScheme: "dark" });
    await expectSound(visited, "hand-over-dark");
    await page.goto("/operations/hand-over");
    await page.getByRole("cell", { name: /One dispatch runs/ }).waitFor();
    const { items } = await operate(service.url, operator.listShiftReports, {});
    expect(items).toMatchObject([{ version: 2, dispatches: 1 }]);
  });

  test("says alarms in the language of the reader, also in a report that was kept", { timeout: LOOKS_MS }, async () => {
    const { url } = service;
    const drafted = async () => (await operate(url, operator.draftShiftReport, {})).alarms.items;
    const isSilent = async () => (await drafted()).some(({ cause }) => cause === "no_readings");
    await vi.waitUntil(isSilent, { timeout: 120_000, interval: 1000 });
    const [from_time, to_time] = [-60, 0].map((minutes) => new Date(Date.now() + minutes * 60_000).toISOString());
    const { id } = await operate(url, operator.keepShiftReport, {
      body: { from_time: from_time ?? "", to_time: to_time ?? "" },
    });
    const page = await openedBy(browser, url, await newUser(url, "operator"), "de-DE");
    for (const address of [`/operations/hand-over/${id}`, "/operations/hand-over/new"]) {
      await settled(page, address);
      await page.getByRole("cell", { name: "Summer capacity: Telemetrie veraltet", exact: true }).waitFor();
    }
    await page.context().close();
  });
});
