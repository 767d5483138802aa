import { readFileSync } from "node:fs";
import { operator } from "@curtail/contract";
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { newColdStores, runUsually } from "../support/cold-stores.js";
import { expectSound, expectWholeTable, takePicture } from "../support/looks.js";
import { operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn, visit } from "../support/visit.js";
import { webService } from "../support/web-service.js";

describe.skipIf(!hasChromium)("an operator, about sites and programs", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let admin: string;
  let stores: Awaited<ReturnType<typeof newColdStores>>;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    admin = await newUser(service.url, "operator");
    stores = await newColdStores(service.url);
    await runUsually(service.url, stores, 1);
  });

  test("sees the meters and enrolments of a site without scrolling sideways", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto(`/operations/sites/${stores.sites[0]?.id}`);
    await expectWholeTable(page, "Meters");
    await expectWholeTable(page, "Enrolments");
    await page.setViewportSize({ width: 390, height: 844 });
    await takePicture(page, "site-light-390");
  });

  test("adds a site with a meter, another meter, and finds the site among all", async () => {
    const { page } = await signIn(browser, service.url, admin);
    await page.goto(`/operations/accounts/${stores.accountId}?tab=sites`);
    await page.getByRole("button", { name: "New site" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Quay 7");
    await page.getByLabel("Dispatch group (optional)").fill("harbour");
    await page.getByLabel("Time zone").fill("Europe/Berlin");
    await page.getByRole("button", { name: "Add site" }).click();
    await page.getByRole("heading", { level: 1, name: "Quay 7" }).waitFor();
    await page.getByText("No readings today.").waitFor();
    await page.getByRole("button", { name: "Add meter" }).click();
    await page.getByLabel("Name").fill("Roof");
    await page.getByLabel("Measures").selectOption("generator");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const row = page.getByRole("row", { name: /Roof/ });
    await row.getByText("Generator").waitFor();
    await row.getByRole("button", { name: "Change" }).click();
    await page.getByLabel("Name").fill("Roof east");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /Roof east/ }).waitFor();

    // Without a point of interconnection, all meters are measured; the operator may choose.
    const roof = page.getByRole("row", { name: /Roof east/ });
    await expect.poll(() => roof.getByText("not part of the load").count()).toBe(0);
    await page.getByRole("button", { name: "Choose measured meters" }).click();
    await page.getByLabel(/points of interconnection, or all/).uncheck();
    await page.getByRole("checkbox", { name: "Roof east" }).uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await roof.getByText("not part of the load").waitFor();

    // A day with a repair says nothing about the next ones.
    await page.getByRole("button", { name: "Exclude a day" }).click();
    await page.getByLabel("Day", { exact: true }).fill("2026-06-24");
    await page.getByLabel("Reason").fill("the chiller was being repaired");
    await page.getByRole("button", { name: "Exclude", exact: true }).click();
    const day = page.getByRole("row", { name: /2026-06-24 the chiller was being repaired/ });
    await day.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("No days are excluded.").waitFor();

    await page.goto("/operations/sites");
    await page.getByLabel("Dispatch group").fill("harbour");
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await page.getByLabel("Dispatch group").fill("");
    await page.getByLabel("Search").fill("elm str");
    await page.getByRole("link", { name: "Elm Street supermarket" }).waitFor();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await page.reload();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await page.getByRole("link", { name: "Sites", exact: true }).click();
    await expect.poll(() => page.getByRole("row").count()).toBeGreaterThan(3);
    expect(await page.getByLabel("Search").inputValue()).toBe("");
  });

  test("creates a program with its own baseline and limits, enrols a site, changes and removes the enrolment", async () => {
    const visited = await signIn(browser, service.url, admin);
    const { page } = visited;
    await page.goto("/operations/programs");
    await page.getByRole("button", { name: "New program" }).click();
    await page.getByLabel("Name").fill("Winter peak");
    await page.getByLabel("Time zone").fill("America/Chicago");
    await page.getByLabel("Baseline", { exact: true }).selectOption("ten_of_ten");
    await page.getByLabel("OpenADR signal level").selectOption("2");
    await page.getByLabel("Ramp-up (minutes, optional)").fill("10");
    await page.getByLabel("Holidays (optional)").fill("2026-12-25\n2027-01-01");
    await page.getByLabel("Custom status limits").check();
    await page.getByLabel("Well below commitment: less than (%)").fill("60");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "Winter peak" }).waitFor();
    await page.getByText("10 of 10 (CAISO-style)").waitFor();
    await page.getByText("level 2, ramp-up 10 min").waitFor();
    await page.getByText("2026-12-25, 2027-01-01").waitFor();
    await page.getByText(/well below commitment under 60%/).waitFor();

    await page.getByRole("button", { name: "Enrol a site" }).click();
    await page.getByLabel("Search").fill("riverside");
    await page.getByRole("button", { name: "Choose Riverside distribution centre" }).click();
    await page.getByLabel("Commitment (kW)").fill("175.5");
    await page.getByRole("button", { name: "Enrol", exact: true }).click();
    const row = page.getByRole("row", { name: /Riverside/ });
    await row.getByText("176 kW").waitFor();
    await row.getByRole("button", { name: "Change" }).click();
    await page.getByLabel("Commitment (kW)").fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await row.getByText("none agreed").waitFor();
    await expectSound(visited, "program-of-its-own");
    await row.getByRole("button", { name: "Withdraw" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
    await page.getByText("No sites yet.").waitFor();
  });

  test("tries baseline methods at a site, and says how close each one is", async () => {
    const visited = await signIn(browser, service.url, admin);
    const { page } = visited;
    await page.goto(`/operations/sites/${stores.sites[0]?.id}`);
    await page.getByRole("button", { name: "Try baselines" }).click();
    const dialog = page.getByRole("dialog");
    const submit = dialog.getByRole("button", { name: "Try", exact: true });
    await dialog.getByLabel("Minutes").fill("0");
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel("Minutes").fill("60");
    await submit.click();
    for (const name of ["10 of 10 (CAISO-style)", "As set now", "High 4 of 5 (PJM-style)"])
      await dialog.getByRole("row", { name: new RegExp(name.replaceAll(/[()]/g, "\\$&")) }).waitFor();
    await expectSound(visited, "site-baselines-tried");
  });

  test("enables a site's display and starts its verification dispatch", async () => {
    const site = stores.sites[0];
    await operate(service.url, operator.changeSite, {
      params: { id: site?.id ?? "" },
      body: { display_enabled: false },
    });
    const { page, faults } = await signIn(browser, service.url, admin);
    await page.goto("/operations/onboarding");
    await page.getByRole("link", { name: site?.name ?? "" }).click();
    await page.getByRole("img", { name: /Power of the site today/ }).waitFor();
    await page.getByRole("button", { name: "Enable data visibility" }).click();
    await page.getByText("Users of the account see its data.").waitFor();
    await page.getByRole("button", { name: "Start verification" }).click();
    await page.getByLabel("Program").selectOption({ label: "Summer capacity" });
    await page.getByLabel("Length (minutes)").fill("5");
    await page.getByRole("button", { name: "Start the dispatch" }).click();
    await page.getByRole("heading", { name: /Verification dispatch/ }).waitFor();
    const { items } = await operate(service.url, operator.listAllDispatches);
    const [dispatch] = items;
    expect([dispatch?.test, dispatch?.sites.length]).toEqual([true, 1]);
    await page.getByRole("link", { name: dispatch?.id ?? "" }).waitFor();
    expect(faults).toEqual([]);
  });

  test("sets a VEN up, certifies it by a link that works once and by a request, revokes a certificate", async () => {
    const visited = await signIn(browser, service.url, admin);
    const { page } = visited;
    await page.goto(`/operations/accounts/${stores.accountId}?tab=vens`);
    await page.getByRole("button", { name: "New VEN" }).click();
    await page.getByLabel("VEN id").fill("northgate-1");
    await page.getByLabel("Polls every (seconds)").fill("30");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "VEN northgate-1" }).waitFor();
    await page.getByRole("button", { name: "Certify" }).click();
    await page.getByRole("button", { name: "Create link" }).click();
    const link = await page.getByRole("dialog").locator("code").first().textContent();
    await page.getByRole("button", { name: "Done" }).click();

    const installer = await visit(browser, service.url);
    await installer.page.goto(new URL(link ?? "").pathname);
    await installer.page.getByRole("button", { name: "Show the key and certificate" }).click();
    await installer.page.getByText("BEGIN PRIVATE KEY").waitFor();
    await installer.page.goto(new URL(link ?? "").pathname);
    await installer.page.getByRole("button", { name: "Show the key and certificate" }).click();
    await installer.page.getByText("This link is not valid").waitFor();

    await page.reload();
    const row = page.getByRole("row", { name: /Valid/ });
    await row.waitFor();
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByRole("region", { name: "Message" }).getByText("oadrDistributeEvent").first().waitFor();
    await expectSound(visited, "ven-certified");
    await row.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("row", { name: /Revoked/ }).waitFor();

    await page.getByRole("button", { name: "Certify" }).click();
    await page.getByLabel("Private key of the VEN").selectOption("csr");
    await page.getByLabel("Certificate request (PEM)").fill("no request");
    await page.getByRole("dialog").getByRole("button", { name: "Certify" }).click();
    await page
      .getByText(/This must be one certificate request/)
      .first()
      .waitFor();
    const csr = readFileSync(
      new URL("../../../packages/server/test/openadr/vtn/requests/ec-p256.csr", import.meta.url),
      "utf8",
    );
    await page.getByLabel("Certificate request (PEM)").fill(csr);
    await page.getByRole("dialog").getByRole("button", { name: "Certify" }).click();
    await page.getByText("The certificate is valid until").waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name: /Valid/ }).waitFor();
  });

  test("imports a file after a dry run whose fault was mended", async () => {
    const visited = await signIn(browser, service.url, admin);
    const { page } = visited;
    const header = "account,site,customer_location_id,dispatch_group,timezone,meter,asset_type";
    const line = "Imported Stores,Store 1,S-1,stores,America/New_York,main,load";
    const buffer = Buffer.from(`${header}\n${line.replace("New_York", "New_Yorck")}\n`);
    await page.goto("/operations/import");
    await page.getByLabel("Choose a file").setInputFiles({ name: "stores.csv", mimeType: "text/csv", buffer });
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByRole("heading", { name: "1 fault: nothing will be imported" }).waitFor();
    await page.getByText(/timezone is "America\/New_Yorck"; give an IANA time zone name/).waitFor();
    expect(await page.getByRole("button", { name: "Import", exact: true }).count()).toBe(0);
    await expectSound(visited, "import-fault");
    await page.getByLabel("Or paste it").fill(`${header}\n${line}\n`);
    await page.getByText("The file has changed since").waitFor();
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByRole("heading", { name: "Preview of the import" }).waitFor();
    await page.getByText("1 account, 1 site, 1 meter").waitFor();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Import" }).click();
    await page.getByRole("heading", { name: "Imported" }).waitFor();
    await expectSound(visited, "import-done");
    await page.goto("/operations/accounts");
    await page.getByLabel("Search").fill("imported");
    await page.getByRole("link", { name: "Imported Stores" }).waitFor();
  });

  test("finds in the audit log who changed what, from what to what", async () => {
    const site = stores.sites[2];
    const { page } = await signIn(browser, service.url, admin);
    await page.goto(`/operations/sites/${site?.id}`);
    const card = page.locator("section", { has: page.getByRole("heading", { name: "Site", exact: true }) });
    await card.getByRole("button", { name: "Change" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Elm Street market");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Elm Street market" }).waitFor();
    await page.goto("/operations/audit");
    await page.getByLabel("What", { exact: true }).selectOption("site.change");
    await page.getByLabel("Id of the object").fill(site?.id ?? "");
    const row = page.getByRole("row", { name: /Elm Street market/ });
    // The list is requested again with each filter.
    await expect.poll(() => row.locator("dt").allTextContents()).toEqual(["name: "]);
    await expect.poll(() => row.locator("del").allTextContents()).toEqual(["Elm Street supermarket"]);
    await expect.poll(() => row.locator("ins").allTextContents()).toEqual(["Elm Street market"]);
    await row.getByText("Pat Participant").waitFor();
  });
});
