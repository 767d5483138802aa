import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { operate } from "./participant.js";

export const PASSWORD = "correct horse battery";

/** Where pictures of pages are put, to be looked at. */
const pictures = fileURLToPath(new URL("../../screenshots/", import.meta.url));

export type Theme = "light" | "dark";

/** Somebody in front of a browser, with everything that went wrong in it. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly faults: readonly string[];
}

export interface Looks {
  readonly theme?: Theme;
  readonly widthPx?: number;
  readonly heightPx?: number;
  readonly hasTouch?: boolean;
  /** Where the browser is. */
  readonly timezoneId?: string;
}

/** Makes a user who has set the password. */
export const newUser = async (url: string, role: string, accountId: string | null = null): Promise<string> => {
  const email = `${role}-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const body = {
    email,
    name: role === "operator-admin" ? "Olive Operator" : "Pat Participant",
    role,
    account_id: accountId,
  };
  const { invitation_url } = await operate<{ invitation_url: string }>(url, "POST", "/users", body);
  const accepted = await fetch(new URL(new URL(invitation_url).pathname, url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ password: PASSWORD }),
  });
  if (!accepted.ok) throw new Error(`the invitation was answered ${accepted.status}: ${await accepted.text()}`);
  return email;
};

/** A browser window of its own, nobody signed in. */
export const visit = async (
  browser: Browser,
  url: string,
  { theme = "light", widthPx = 1440, heightPx = 900, hasTouch = false, ...rest }: Looks = {},
): Promise<Visit> => {
  const context = await browser.newContext({
    baseURL: url,
    colorScheme: theme,
    viewport: { width: widthPx, height: heightPx },
    hasTouch,
    ...rest,
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    faults.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  return { page, context, faults };
};

/** Signs in through the form. */
export const signIn = async (browser: Browser, url: string, email: string, looks: Looks = {}): Promise<Visit> => {
  const visited = await visit(browser, url, looks);
  const { page, faults } = visited;
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  // On a phone it is there and folded away.
  await page.getByRole("navigation", { name: "Main", includeHidden: true }).waitFor({ state: "attached" });
  expect(faults).toEqual([]);
  return visited;
};

/**
 * Goes to a page and holds it against what every page has to be: without errors, with one h1, nothing wider than the
 * window, no serious finding of axe. Takes a picture.
 */
export const lookAt = async (visited: Visit, address: string, name: string): Promise<void> => {
  await visited.page.goto(address);
  await expectSound(visited, name);
};

/** The same of the page that is open. */
export const expectSound = async ({ page, faults }: Visit, name: string): Promise<void> => {
  await page.locator("h1").first().waitFor();
  await expect.poll(() => page.getByText("Loading…").count()).toBe(0);
  const { width } = page.viewportSize() ?? { width: 0 };
  const theme = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'");
  const picture = `${pictures}${name}-${String(theme)}-${width}.png`;
  mkdirSync(dirname(picture), { recursive: true });
  await page.screenshot({ path: picture, fullPage: true });
  expect(await page.locator("h1").count()).toBe(1);
  expect(
    await page.evaluate("document.documentElement.scrollWidth"),
    `${name} is wider than its window`,
  ).toBeLessThanOrEqual(width);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`)).toEqual([]);
  expect(faults).toEqual([]);
};

/** What a page shows while it hears of every change. */
export const live = (page: Page): Locator => page.getByRole("status").getByText("Live", { exact: true }).first();

/** The file of a page is there before anybody opens the page. */
export const loadedAhead = (page: Page, name: string): Promise<void> =>
  expect
    .poll(() => page.evaluate(`performance.getEntriesByType("resource").map((each) => each.name).join()`), {
      timeout: 20_000,
    })
    .toContain(`/assets/${name}-`);
