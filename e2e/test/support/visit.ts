import { redeemLink } from "@curtail/client";
import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { expect, onTestFinished, TestRunner } from "vitest";
import { operate } from "./participant.js";

export const PASSWORD = "correct horse battery";

export type Theme = "light" | "dark";

/** A user's browser, with everything that went wrong in it. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly faults: string[];
}

export interface Looks {
  readonly theme?: Theme;
  readonly widthPx?: number;
  readonly heightPx?: number;
  readonly hasTouch?: boolean;
  /** Time zone of the browser. */
  readonly timezoneId?: string;
}

/** Creates a user who has set the password. */
export const newUser = async (
  url: string,
  role: operator.User["role"],
  accountId: string | null = null,
): Promise<string> => {
  const email = `${role}-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const body = {
    email,
    name: role === "operator-admin" ? "Olive Operator" : "Pat Participant",
    role,
    account_id: accountId,
  };
  const { invitation_url } = await operate(url, operator.createUser, { body });
  await redeemLink(url + new URL(invitation_url).pathname, { password: PASSWORD });
  return email;
};

/** A separate browser for somebody who is not signed in. */
export const visit = async (browser: Browser, url: string, looks: Looks = {}): Promise<Visit> => {
  const context = await newContext(browser, url, looks);
  endWithTest(() => context.close());
  return newWindow(context, looks);
};

/**
 * A window of a signed-in user, without an open page. All windows of a user share a session and the browser's cache:
 * pages open three times as fast as in a new browser.
 */
export const signIn = async (browser: Browser, url: string, email: string, looks: Looks = {}): Promise<Visit> => {
  const key = [url, email, looks.timezoneId, looks.hasTouch].join(" ");
  const signedIn = sessions.get(key) ?? newSession(browser, url, email, looks);
  sessions.set(key, signedIn);
  const visited = await newWindow(await signedIn, looks);
  endWithTest(() => visited.page.close());
  return visited;
};

const sessions = new Map<string, Promise<BrowserContext>>();

const newSession = async (browser: Browser, url: string, email: string, looks: Looks): Promise<BrowserContext> => {
  const context = await newContext(browser, url, looks);
  atEnd(() => context.close());
  const answer = await context.request.post("/auth/sign-in", { data: { email, password: PASSWORD } });
  expect(await answer.json()).toMatchObject({ state: "signed_in" });
  return context;
};

const newContext = (browser: Browser, url: string, { hasTouch = false, timezoneId }: Looks): Promise<BrowserContext> =>
  browser.newContext({
    baseURL: url,
    hasTouch,
    locale: "en-GB",
    ...(timezoneId === undefined ? {} : { timezoneId }),
    acceptDownloads: true,
  });

const newWindow = async (
  context: BrowserContext,
  { theme = "light", widthPx = 1440, heightPx = 900 }: Looks,
): Promise<Visit> => {
  const page = await context.newPage();
  await page.setViewportSize({ width: widthPx, height: heightPx });
  await page.emulateMedia({ colorScheme: theme });
  return { page, context, faults: faultsOf(page) };
};

/**
 * What goes wrong in a page, whichever browser shows it: errors that nothing catches, what the page itself logs,
 * violations of its policy, and requests of the page that fail. A browser's own lines about a failed request, an icon
 * that it asks for, or an old interface differ from browser to browser.
 */
const faultsOf = (page: Page): string[] => {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    const isBad = message.type() === "error" || message.type() === "warning";
    // Only calls of `console` have arguments.
    if (isBad && (message.args().length > 0 || IS_POLICY.test(message.text())))
      faults.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400)
      faults.push(
        `error: ${response.status()} (${response.statusText()}): ${response.request().method()} ${response.url()}`,
      );
  });
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "failed";
    // A page that is left ends its requests.
    if (why !== "net::ERR_ABORTED") faults.push(`error: ${why}: ${request.method()} ${request.url()}`);
  });
  return faults;
};

const IS_POLICY = /Content.Security.Policy|Permissions.Policy|Mixed Content/i;

/** An open page keeps calling the service, which slows down the tests after it. */
const endWithTest = (end: () => Promise<void>): void => {
  if (TestRunner.getCurrentTest() === undefined) atEnd(end);
  else onTestFinished(end);
};

/** Signs in through the form, which opens the first page of the user's side. */
export const signInByForm = async (browser: Browser, url: string, email: string): Promise<Visit> => {
  const visited = await visit(browser, url);
  const { page, faults } = visited;
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  expect(faults).toEqual([]);
  return visited;
};

/** The page's indicator that it receives changes. */
export const live = (page: Page): Locator => page.getByRole("status").getByText("Live", { exact: true }).first();

/** Waits until the file of a page is loaded, before the page is opened. */
export const loadedAhead = (page: Page, name: string): Promise<void> =>
  expect
    .poll(() => page.evaluate(`performance.getEntriesByType("resource").map((each) => each.name).join()`), {
      timeout: 40_000,
    })
    .toContain(`/assets/${name}-`);
