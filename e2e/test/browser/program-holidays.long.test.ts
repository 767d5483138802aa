import { clonedDatabase, type OwnDatabase } from "@curtail/testing/database";
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound } from "../support/looks.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

describe.skipIf(!hasChromium)("an operator, about the holidays of a program", () => {
  let database: OwnDatabase;
  let service: ServiceProcess;
  let browser: Browser;
  let admin: string;
  const year = new Date().getUTCFullYear();

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    database = await clonedDatabase();
    service = await webService({}, database);
    admin = await newUser(service.url, "operator");
  });

  test("picks a market, sees its days of this year and the next, corrects them, and confirms an update", async () => {
    const visited = await signIn(browser, service.url, admin);
    const { page } = visited;
    await page.goto("/operations/programs");
    await page.getByRole("button", { name: "New program" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Name").fill("Bavaria");
    await form.getByLabel("Time zone").fill("Europe/Berlin");
    // Typed by hand before: kept as days that are added.
    await form.getByLabel("Holidays (optional)").fill(`${year}-12-24`);
    const calendar = form.getByLabel("Holiday calendar (optional)");
    await expect.poll(() => form.locator("datalist option").count()).toBeGreaterThan(600);
    const option = form.locator('datalist option[value="DE-BY"]');
    await expect.poll(() => option.textContent()).toBe("Germany, Bayern (DE-BY)");
    await calendar.fill("de-bz");
    await form.getByRole("button", { name: "Create" }).click();
    await expect.poll(() => calendar.getAttribute("aria-invalid")).toBe("true");
    await form.getByText(/DE-BY/).first().waitFor();
    expect(visited.faults.splice(0)).toEqual([expect.stringContaining("400")]);
    await calendar.fill("DE-BY");
    await form.getByText("Germany, Bayern", { exact: true }).waitFor();
    for (const shown of [year, year + 1]) {
      const days = form.getByRole("region", { name: `Holidays ${shown}` });
      await days.getByText(`${shown}-10-03`).waitFor();
      await days.getByText(/^Good Friday · Karfreitag$/).waitFor();
    }
    expect(await form.getByLabel("Added days (optional)").inputValue()).toBe(`${year}-12-24`);
    await form.getByLabel("Removed days (optional)").fill(`${year}-12-26`);
    await expectSound(visited, "program-holidays-form");
    await form.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "Bavaria" }).waitFor();
    await page.getByText("calendar DE-BY, 1 day added, 1 day removed by hand").waitFor();
    const days = page.getByRole("region", { name: `Holidays ${year}` });
    await days.getByText("added by hand").waitFor();
    await days
      .getByRole("listitem")
      .filter({ hasText: `${year}-12-26` })
      .getByText("removed, does not count")
      .waitFor();
    await page.getByText(/Germany, Bayern, \d+ to \d+, from date-holidays \d/).waitFor();

    // As stored by an older version, which lacked a day.
    await database.run(
      `update programs set holiday_calendar = holiday_calendar || jsonb_build_object('version', '3.20.0', 'days',
         (select jsonb_agg(day) from jsonb_array_elements(holiday_calendar->'days') as day
          where day->>'date' <> '${year + 1}-10-03'))`,
    );
    await page.reload();
    const added = page.getByRole("listitem").filter({ hasText: "(will be added)" });
    await added.getByText(`${year + 1}-10-03`).waitFor();
    await expectSound(visited, "program-holidays-update");
    await page.getByRole("button", { name: "Confirm these days" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Confirmed. New dispatches use these holidays.").waitFor();
    await expect.poll(() => added.count()).toBe(0);
    await page
      .getByRole("region", { name: `Holidays ${year + 1}` })
      .getByText(`${year + 1}-10-03`)
      .waitFor();
    await expectSound(visited, "program-holidays");

    // Without the calendar, the days that count stay as a list.
    await page.getByRole("button", { name: "Change" }).first().click();
    await calendar.fill("");
    expect(await form.getByLabel("Holidays (optional)").inputValue()).toContain(`${year}-12-24\n${year}-12-25\n`);
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText(new RegExp(`${year}-12-24, ${year}-12-25, `)).waitFor();
  });
});
