import { serviceWords } from "@curtail/words/catalogues";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { newColdStores } from "../support/cold-stores.js";
import { openedBy } from "../support/demo-service.js";
import { expectFault } from "../support/form.js";
import { newParticipant } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const german = (text: string, context?: string): string => serviceWords("de").say(text, {}, context);
const REFUSALS = /\/refusals-[\w-]+\.js$/;

const opened = async (page: Page, address: string, button: string) => {
  await page.goto(address);
  await page.getByRole("button", { name: german(button), exact: true }).click();
  return page.getByRole("dialog");
};

// What each is, and that none is missing, is in the tests of `packages/words`.
describe.skipIf(!hasChromium)("refusals of the API on a German page", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let admin: string;
  let participant: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    const { accountId } = await newParticipant(service.url, 1);
    admin = await newUser(service.url, "operator-admin");
    participant = await newUser(service.url, "participant-admin", accountId);
  });

  test("say that a password is wrong, with words that are loaded then", async () => {
    const context = await browser.newContext({ baseURL: service.url, locale: "de-DE" });
    const page = await context.newPage();
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
    await page.goto("/sign-in");
    await page.getByLabel(german("Email")).fill(admin);
    await page.getByLabel(german("Password")).fill("not the password");
    expect(loaded.filter((path) => REFUSALS.test(path))).toEqual([]);
    await page.getByRole("button", { name: german("Sign in"), exact: true }).click();
    await expect
      .poll(() => page.getByRole("alert").textContent())
      .toBe("E-Mail, Passwort oder Code ist falsch. Prüfen Sie die Angaben und versuchen Sie es erneut.");
    expect(loaded.filter((path) => REFUSALS.test(path)).length).toBe(1);
    await context.close();
  });

  test("say at its field that an email address is taken", async () => {
    const page = await openedBy(browser, service.url, admin, "de-DE");
    const dialog = await opened(page, "/operations/users", "Invite");
    await dialog.getByLabel(german("Name"), { exact: true }).fill("Olive");
    await dialog.getByLabel(german("Email")).fill(admin);
    await dialog.getByRole("button", { name: german("Create invitation") }).click();
    const taken = "Diese E-Mail-Adresse gehört schon einem anderen Benutzer. Wählen Sie eine andere.";
    await expectFault(dialog, german("Email"), taken);
    await page.context().close();
  });

  test("say at its field that a dispatch begins in the past", async () => {
    const page = await openedBy(browser, service.url, participant, "de-DE");
    const dialog = await opened(page, "/dashboard/dispatches", "Create a test dispatch");
    const start = german("Start", "noun");
    await dialog.getByLabel(start).fill("2026-01-01T10:00");
    await dialog.getByRole("button", { name: german("Create"), exact: true }).click();
    await expectFault(dialog, start, "Der Beginn muss in der Zukunft liegen.");
    await page.context().close();
  });

  test("say what is wrong with the lines of a file", async () => {
    const page = await openedBy(browser, service.url, admin, "de-DE");
    await page.goto("/operations/import");
    const text =
      "account,site,customer_location_id,dispatch_group,timezone,meter,asset_type\nNord,Halle,,,Mars/Base,Netz,load\n";
    await page.getByLabel(german("Or paste its content")).fill(text);
    await page.getByRole("button", { name: german("Dry run") }).click();
    const cell = page.getByRole("cell", { name: /^timezone ist/ });
    expect((await cell.textContent())?.replaceAll("\u00a0", " ")).toBe(
      'timezone ist "Mars/Base". Geben Sie den Namen einer Zeitzone der IANA an, z. B. America/Chicago.',
    );
    await page.context().close();
  });

  test("say what a file of meter data leaves open, and the answers", async () => {
    const { sites } = await newColdStores(service.url);
    const page = await openedBy(browser, service.url, admin, "de-DE");
    await page.goto(`/operations/sites/${sites[0]?.id}/meter-data`);
    const lines = ["Zeit;Bezug (kWh)", "06/07/2026 10:00;1,5", "06/07/2026 10:15;2,5", "06/07/2026 10:30;3,5"];
    const file = { name: "bezug.csv", mimeType: "text/plain", buffer: Buffer.from(lines.join("\n")) };
    await page.getByLabel(german("Choose a file")).setInputFiles(file);
    await page.getByText("„06/07/2026 10:00“: Steht der Tag oder der Monat zuerst?").waitFor();
    await page.getByRole("button", { name: "der Tag zuerst", exact: true }).waitFor();
    await page.context().close();
  });
});
