import { operator } from "@curtail/contract";
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { type FirefoxWindow, firefox, hasFirefox } from "../support/firefox.js";
import { expectSound } from "../support/looks.js";
import { type MozillaPush, mozillaPush } from "../support/mozilla-push.js";
import { newProgram, operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, PASSWORD, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const LONG_MS = 120_000;

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

/** An account with one enrolled site; returns what a dispatch needs. */
const harbor = async (url: string) => {
  const account = await operate(url, operator.createAccount, { body: { name: "Harbor Foods" } });
  const params = { id: account.id };
  const body = { name: "Harbor Cold Storage", meters: [{ name: "main" }] };
  const site = await operate(url, operator.createSite, { params, body });
  const programId = await newProgram(url, { name: "Summer Peak", timezone: "America/Chicago", market: "ERCOT" });
  const enrolment = { params: { id: programId, site_id: site.id }, body: { commitment: 940 } };
  await operate(url, operator.enrolSite, enrolment);
  return { accountId: account.id, programId };
};

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly path: string;
}

/** The notifications with a tag that Firefox shows for the pages, as an expression. */
const shown = (tag: string): string => `navigator.serviceWorker.ready
  .then((registration) => registration.getNotifications({ tag: ${JSON.stringify(tag)} }))
  .then((all) => all.map(({ title, body, data }) => ({ title, body, path: data.path })))`;

const first = (tag: string): string => `${shown(tag)}.then(([shown]) => shown)`;

describe.skipIf(!hasFirefox)("a notification in a real browser", () => {
  let service: ServiceProcess;
  let push: MozillaPush;
  let page: FirefoxWindow;

  test.beforeAll(async () => {
    service = await webService();
    push = await mozillaPush();
    page = await firefox(push.url);
  });

  test(
    "is turned on by a click, shows a dispatch in plain words, and is replaced when it is cancelled",
    async () => {
      const { accountId, programId } = await harbor(service.url);
      const email = await newUser(service.url, "participant-viewer", accountId);
      await page.open(`${service.url}/sign-in`);
      const credentials = JSON.stringify({ email, password: PASSWORD });
      const headers = `{ "content-type": "application/json" }`;
      await page.run(
        `fetch("/auth/sign-in", { method: "POST", headers: ${headers}, body: ${JSON.stringify(credentials)} })`,
      );
      await page.open(`${service.url}/you`);
      await page.press("Turn on in this browser");
      await page.until(`document.body.textContent.includes("On in this browser")`);
      await page.press("Test");
      expect(await page.until<Shown>(first("test"))).toMatchObject({ title: "Test notification", path: "/you" });

      const dispatch = await operate(service.url, operator.createDispatch, {
        body: { program_id: programId, start_time: inHours(1), end_time: inHours(3) },
      });
      const tag = `dispatch ${dispatch.id}`;
      expect(await page.until<Shown>(first(tag))).toEqual({
        title: expect.stringMatching(/^Reduce 940 kW from \d\d:\d\d.* to \d\d:\d\d/),
        body: "Harbor Cold Storage · Summer Peak",
        path: `/dashboard/dispatches/${dispatch.id}`,
      });
      const cancel = { params: { id: dispatch.id }, body: { authorized: false } };
      await operate(service.url, operator.changeDispatch, cancel);
      await page.until(`${first(tag)}.then((shown) => shown?.title === "Cancelled: stop reducing")`);
      expect(await page.run<Shown[]>(shown(tag))).toHaveLength(1);
      // The service worker took every message.
      await expect.poll(() => push.confirmed).toEqual([100, 100, 100]);
      expect(push.sent.map(({ urgency }) => urgency)).toEqual(["high", "high", "high"]);

      // Signing out ends the registration of this browser.
      await page.press("Sign out");
      await page.until(`location.pathname === "/sign-in"`);
      await page.until(`navigator.serviceWorker.ready
        .then((registration) => registration.pushManager.getSubscription()).then((subscription) => subscription === null)`);
    },
    LONG_MS,
  );
});

/** Has the service worker take a new address from a push service, which no headless Chromium has. */
const replaceAddress = `(async () => {
  const keys = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
  const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  const p256dh = text(await crypto.subtle.exportKey("raw", keys.publicKey));
  const auth = text(crypto.getRandomValues(new Uint8Array(16)));
  const subscription = { endpoint: "https://push.example.com/replaced", keys: { p256dh, auth } };
  self.registration.pushManager.subscribe = async () => ({ toJSON: () => subscription });
  self.dispatchEvent(new ExtendableEvent("pushsubscriptionchange"));
})()`;

describe.skipIf(!hasChromium)("what a person is notified of", () => {
  let browser: Browser;
  let service: ServiceProcess;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
  });

  test(
    "is chosen on a page; while the service is down, a reload says so, and the page returns with the service",
    async () => {
      const email = await newUser(service.url, "operator");
      const visited = await signIn(browser, service.url, email);
      const { page } = visited;
      await page.goto("/you");
      await page.getByLabel("Dispatches in the browser").check();
      await page.getByLabel("Alarms by mail").check();
      await page.getByLabel("Quiet hours: hold back alarms").check();
      await page.getByLabel("From").fill("21:30");
      await expectSound(visited, "you-notifications");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Notifications saved.").waitFor();
      await page.reload();
      expect(await page.getByLabel("Alarms by mail").isChecked()).toBe(true);
      expect(await page.getByLabel("From").inputValue()).toBe("21:30");

      // A browser whose address was replaced is still called by its name.
      await expect.poll(() => page.context().serviceWorkers().length).toBe(1);
      await page.context().serviceWorkers()[0]?.evaluate(replaceAddress);
      const registered = async () => (await page.request.get("/auth/push-subscriptions")).text();
      await expect.poll(registered).toContain("(renewed)");
      await page.reload();
      await page.getByRole("cell", { name: /^\w+ on \w+ \(renewed\)/ }).waitFor();

      // The page asks for no data from the service worker: it goes to the service, or nowhere.
      await expect.poll(() => page.evaluate("navigator.serviceWorker.controller !== null")).toBe(true);
      await page.context().setOffline(true);
      await page.goto("/operations").catch(() => undefined);
      await page.getByRole("heading", { name: "The service cannot be reached" }).waitFor();
      await expectSound(visited, "offline");
      await page.context().setOffline(false);
      await page.getByRole("navigation", { name: "Main" }).waitFor();
    },
    LONG_MS,
  );
});
