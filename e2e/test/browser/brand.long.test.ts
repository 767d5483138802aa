import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { atEnd } from "@curtail/testing/at-end";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSoundInEachLook, LOOKS_MS } from "../support/looks.js";
import { newParticipant } from "../support/participant.js";
import { type ServiceProcess, temporaryFolder } from "../support/service-process.js";
import { newUser, signIn, visit } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const NAME = "<i>Harbor & Bay Energy Services of Texas";
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="#7c3aed"/>
<path d="M6 18q5-6 10 0t10 0" fill="none" stroke="#fff" stroke-width="3"/><script>document.title = "hit"</script></svg>`;

const styleOf = (page: Page, variable: string) =>
  page.evaluate(`getComputedStyle(document.documentElement).getPropertyValue("${variable}")`);

describe.skipIf(!hasChromium)("a service with a brand", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let operator: string;
  let participant: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    const folder = await temporaryFolder();
    atEnd(() => folder.remove());
    const file = join(folder.path, "logo.svg");
    await writeFile(file, LOGO);
    service = await webService({
      CURTAIL_BRAND_NAME: NAME,
      CURTAIL_BRAND_LOGO: file,
      CURTAIL_BRAND_COLOUR: "#7c3aed",
      CURTAIL_BRAND_FOOTER: "Harbor & Bay Energy Services LLC, 12 Pier Road, Galveston, Texas",
      CURTAIL_BRAND_LINKS: "Imprint=https://harbor.example/imprint;Privacy=https://harbor.example/privacy",
    });
    const { accountId } = await newParticipant(service.url, 2);
    operator = await newUser(service.url, "operator-admin");
    participant = await newUser(service.url, "participant-viewer", accountId);
  });

  test("is sound on its start pages, light and dark, on a phone and a wall", { timeout: LOOKS_MS }, async () => {
    await expectSoundInEachLook(
      (looks) => visit(browser, service.url, looks),
      [{ address: "/sign-in", name: "brand-sign-in" }],
    );
    await expectSoundInEachLook(
      (looks) => signIn(browser, service.url, operator, looks),
      [
        { address: "/operations", name: "brand-board" },
        { address: "/operations/accounts", name: "brand-accounts" },
      ],
    );
    await expectSoundInEachLook(
      (looks) => signIn(browser, service.url, participant, looks),
      [{ address: "/dashboard", name: "brand-dashboard" }],
    );
  });

  test("names itself everywhere, and its logo runs no script", async () => {
    const { page } = await signIn(browser, service.url, operator);
    await page.goto("/operations/accounts");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(() => page.title()).toBe(`Accounts · ${NAME}`);
    expect(await page.getByRole("link", { name: NAME }).first().isVisible()).toBe(true);
    expect(await page.locator("footer").textContent()).toContain("12 Pier Road");
    const imprint = page.getByRole("link", { name: "Imprint" });
    expect(await imprint.getAttribute("href")).toBe("https://harbor.example/imprint");
    expect(await page.locator("body").textContent()).not.toContain("Curtail");
    const logo = await page.locator("nav img").first().getAttribute("src");
    const answer = await page.goto(logo ?? "");
    expect(answer?.status()).toBe(200);
    expect(await page.title()).not.toBe("hit");
  });

  test("has its colour from the first paint, without a script", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: service.url });
    const page = await context.newPage();
    const requests: string[] = [];
    page.on("request", (request) => void requests.push(new URL(request.url()).pathname));
    await page.goto("/operations");
    expect(await page.getByRole("link", { name: NAME, includeHidden: true }).count()).toBeGreaterThan(0);
    expect(requests.filter((path) => path.startsWith("/brand/")).length).toBeLessThanOrEqual(1);
    await context.close();
    const { page: scripted } = await visit(browser, service.url, { theme: "dark" });
    await scripted.goto("/sign-in");
    await scripted.getByRole("button", { name: "Sign in" }).waitFor();
    expect(await styleOf(scripted, "--accent")).toContain("light-dark(#");
    const painted = await scripted.evaluate("getComputedStyle(document.querySelector('button')).backgroundColor");
    const [, , dark = ""] = /light-dark\((#\w+), (#\w+)\)/.exec(String(await styleOf(scripted, "--accent"))) ?? [];
    const channels = [1, 3, 5].map((at) => Number.parseInt(dark.slice(at, at + 2), 16));
    expect(painted).toBe(`rgb(${channels.join(", ")})`);
  });
});
