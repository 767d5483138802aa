import { redeemLink } from "@curtail/client";
import { operator } from "@curtail/contract";
import type { Browser, Page } from "playwright-core";
import { withBrowser } from "./browser.js";
import type { BenchCluster } from "./database.js";
import { fillYear, HOURS, newSite } from "./energy.js";
import { atMost, figure, median, ratio, report } from "./report.js";
import { type BenchService, startService } from "./service.js";

const ROUNDS = 9;
const WARM_UP_ROUNDS = 2;
const WANTED_MS = 1000;
const PASSWORD = "correct horse battery";
const HOUR_MS = 3_600_000;

/** Opens a year of one site in a browser, from the address to the curve; the floor is fetching the answer alone. */
export const year = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_year");
  const service = await startService(database);
  const { siteId, accountId } = await newSite(service);
  await displayed(service, siteId);
  const endHour = Math.floor(Date.now() / HOUR_MS);
  await fillYear(database, { readingSeconds: 30, endHour });
  const email = await newPerson(service, accountId);
  await withBrowser(async (browser) => {
    const page = await signedIn(browser, service, email);
    const [shown, floors]: [number[], number[]] = [[], []];
    const period = `start_time=${timeAt(endHour - HOURS)}&end_time=${timeAt(endHour)}`;
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      const floorMs = await fetched(page, `/console/v1/sites/${siteId}/energy?${period}`);
      const shownMs = await opened(page);
      if (round < 0) continue;
      floors.push(floorMs);
      shown.push(shownMs);
    }
    const shownMs = median(shown);
    report("a year of one site with 3 meters and readings of 30 s, in a browser", {
      "address to curve, p50 ms": atMost(shownMs, WANTED_MS),
      "its answer alone (floor), p50 ms": figure(median(floors)),
      ratio: ratio(median(floors) / shownMs, 0.5),
    });
  });
  await service.stop();
  await database.drop();
};

const timeAt = (hour: number): string => new Date(hour * HOUR_MS).toISOString();

const displayed = async ({ operate }: BenchService, siteId: string): Promise<void> => {
  await operate(operator.changeSite, { params: { id: siteId }, body: { display_enabled: true } });
};

const newPerson = async (service: BenchService, accountId: string): Promise<string> => {
  const person = {
    email: "viewer@example.com",
    name: "Viewer",
    role: "participant-viewer" as const,
    account_id: accountId,
  };
  const { invitation_url } = await service.operate(operator.createUser, { body: person });
  await redeemLink(invitation_url, { password: PASSWORD });
  return person.email;
};

const signedIn = async (browser: Browser, { url }: BenchService, email: string): Promise<Page> => {
  const page = await browser.newPage({ baseURL: url, viewport: { width: 1920, height: 1080 }, bypassCSP: true });
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/dashboard");
  return page;
};

/** From the address until the curve is drawn, in milliseconds, by the browser's clock. */
const opened = async (page: Page): Promise<number> => {
  await page.goto("/dashboard/energy?period=year", { waitUntil: "commit" });
  const drawn = await page.waitForFunction(
    `document.querySelector("canvas") !== null && document.body.innerText.includes("means over 6 h") && performance.now()`,
  );
  return Number(await drawn.jsonValue());
};

const fetched = (page: Page, address: string): Promise<number> =>
  page.evaluate(
    `(async () => {
      const began = performance.now();
      const response = await fetch(${JSON.stringify(address)});
      if (!response.ok) throw new Error("answered " + response.status);
      await response.json();
      return performance.now() - began;
    })()`,
  );
