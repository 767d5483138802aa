import { operator as api } from "@curtail/contract";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSoundInEachLook, LOOKS_MS, lookAt } from "../support/looks.js";
import { newParticipant, operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, PASSWORD, signIn, visit } from "../support/visit.js";
import { webService } from "../support/web-service.js";

describe.skipIf(!hasChromium)("signing in", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let operator: string;
  let participant: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    const { accountId } = await newParticipant(service.url, 2);
    operator = await newUser(service.url, "operator-admin");
    participant = await newUser(service.url, "participant-viewer", accountId);
  });

  test("the form is sound by day and by night, on a phone and on a wall", { timeout: LOOKS_MS }, async () => {
    await expectSoundInEachLook(
      (looks) => visit(browser, service.url, looks),
      [{ address: "/sign-in", name: "sign-in" }],
    );
  });

  test("the bare address leads a browser to the form, and a system to the interface", async () => {
    const { page } = await visit(browser, service.url);
    await page.goto("/");
    await page.waitForURL("**/sign-in");
    const answer = await fetch(service.url, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([308, "/2022-04-15/"]);
  });

  test("a link may bring the email along", async () => {
    const { page } = await visit(browser, service.url);
    await page.goto(`/sign-in?email=${encodeURIComponent(operator)}`);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/operations");
  });

  test.each(["//evil.example/operations", "/\\evil.example/dashboard", "https://evil.example", "javascript:alert(1)"])(
    "a link cannot lead out of the service by way of the sign-in: %s",
    async (next) => {
      const { page } = await visit(browser, service.url);
      await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
      await fillIn(page, operator);
      await page.waitForURL(`${service.url}/operations`);
    },
  );

  test("the form says why: a password changed elsewhere, and nothing to a browser that had no session", async () => {
    const email = await newUser(service.url, "operator");
    const { page } = await signIn(browser, service.url, email);
    await page.goto("/operations");
    const elsewhere = (await visit(browser, service.url)).context.request;
    await elsewhere.post("/auth/sign-in", { data: { email, password: PASSWORD } });
    const data = { password: PASSWORD, new_password: `${PASSWORD} anew` };
    expect((await elsewhere.post("/auth/password", { data })).ok()).toBe(true);
    await page.waitForURL("**/sign-in?next=%2Foperations", { timeout: 20_000 });
    await page.getByText("Your password was changed, which signed you out.").waitFor();
    const stranger = await visit(browser, service.url);
    await stranger.page.goto(`/sign-in?email=${encodeURIComponent(email)}`);
    await stranger.page.getByLabel("Password").waitFor();
    expect(await stranger.page.getByRole("status").count()).toBe(0);
  }, 60_000);

  test("a language chosen before signing in holds, and one chosen on the page You follows to other browsers", async () => {
    const email = await newUser(service.url, "operator");
    const { page } = await visit(browser, service.url);
    await page.goto("/sign-in");
    await page.getByLabel("Language").selectOption("de");
    await expectLanguage(page, "de");
    expect(await page.locator('option[lang="fr"]').textContent()).toBe("Français");
    await enter(page, email);
    await page.waitForURL("**/operations");
    await expectLanguage(page, "de");
    await page.goto("/you");
    await choiceOf(page).selectOption("es");
    await expectLanguage(page, "es");

    const { page: other } = await visit(browser, service.url);
    await other.goto("/sign-in");
    await expectLanguage(other, "en");
    await enter(other, email);
    await other.waitForURL("**/operations");
    await expectLanguage(other, "es");
    await other.goto("/you");
    await choiceOf(other).selectOption("");
    await expectLanguage(other, "en");
  });

  test("a page goes back to the form when its session is ended elsewhere", async () => {
    const visited = await signIn(browser, service.url, participant);
    await lookAt(visited, "/you", "you");
    const { page } = visited;
    const user = await operate(service.url, api.listUsers);
    const id = user.items.find(({ email }) => email === participant)?.id ?? "";
    const opened: string[] = [];
    page.on("request", (request) => {
      if (request.isNavigationRequest()) opened.push(new URL(request.url()).pathname);
    });
    await operate(service.url, api.changeUser, { params: { id }, body: { disabled: true } });
    await page.waitForURL("**/sign-in?next=%2Fyou", { timeout: 20_000 });
    await page.getByText("An administrator signed you out.").waitFor();
    // Several queries of the page fail at once.
    expect(opened).toEqual(["/sign-in"]);
    await operate(service.url, api.changeUser, { params: { id }, body: { disabled: false } });
  }, 60_000);
});

const fillIn = async (page: Page, email: string): Promise<void> => {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
};

const expectLanguage = (page: Page, language: string) =>
  expect.poll(() => page.locator("html").getAttribute("lang")).toBe(language);

const choiceOf = (page: Page) => page.locator("select", { has: page.locator('option[lang="es"]') });

/** Fills in the form in whatever language. */
const enter = async (page: Page, email: string): Promise<void> => {
  await page.locator('input[type="email"]').fill(email);
  await page.locator('input[type="password"]').fill(PASSWORD);
  await page.locator('input[type="password"]').press("Enter");
};
