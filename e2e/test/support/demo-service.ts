import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import type { Browser, Page } from "playwright-core";
import { expect, vi } from "vitest";
import { operatorPages, participantPages } from "../../page-addresses.mjs";
import { test } from "./chromium.js";
import { callFor } from "./cold-stores.js";
import { operate } from "./participant.js";
import type { ServiceProcess } from "./service-process.js";
import { newUser, PASSWORD } from "./visit.js";
import { webService } from "./web-service.js";

/** Two weeks of readings are created. */
const DEMO_MS = 240_000;

/** Of a look at every page. */
export const WALK_MS = 600_000;

/** A person, and every page of the side that person is on, by name and address. */
export interface Side {
  readonly email: string;
  readonly pages: readonly (readonly [string, string])[];
}

export interface DemoService {
  readonly service: ServiceProcess;
  readonly operators: Side;
  readonly participants: Side;
}

/** A service with the demo, whose pages have something to show; ends with the test file. */
const demoService = async (browser: Browser): Promise<DemoService> => {
  const service = await webService();
  const { url } = service;
  await operate(url, operator.startDemo, {});
  const isOn = async () => (await operate(url, operator.getDemo, {})).state === "on";
  await vi.waitUntil(isOn, { timeout: DEMO_MS, interval: 1000 });
  const accountId = (await operate(url, operator.listAccounts, {})).items[0]?.id ?? null;
  if (accountId !== null) await addRest(url, accountId);
  const [admin, person] = [await newUser(url, "operator-admin"), await newUser(url, "participant-admin", accountId)];
  return {
    service,
    operators: { email: admin, pages: await operatorPages(await getAs(browser, url, admin)) },
    participants: { email: person, pages: await participantPages(await getAs(browser, url, person)) },
  };
};

/** Tests of the pages of a demo, which the first of a file starts. */
export const demoTest = test.extend("demo", { scope: "file" }, ({ browser }) => demoService(browser));

const getAs = async (browser: Browser, url: string, email: string) => {
  const context = await browser.newContext({ baseURL: url });
  atEnd(() => context.close());
  await context.request.post("/auth/sign-in", { data: { email, password: PASSWORD } });
  return async (address: string): Promise<unknown> => {
    const answer = await context.request.get(address);
    expect(answer.status(), address).toBe(200);
    return answer.json();
  };
};

/** A window of a person whose browser asks for a language. */
export const openedBy = async (browser: Browser, url: string, email: string, locale: string): Promise<Page> => {
  const context = await browser.newContext({ baseURL: url, locale });
  await context.request.post("/auth/sign-in", { data: { email, password: PASSWORD } });
  return context.newPage();
};

/** Opens a page, and waits until nothing of it loads. */
export const settled = async (page: Page, address: string): Promise<void> => {
  await page.goto(address);
  await page.locator("h1").first().waitFor();
  // Whatever loads has a block of its height in its place.
  await expect.poll(() => page.locator('[aria-busy="true"]').count(), { timeout: 15_000 }).toBe(0);
};

/** What the demo lacks, and a page shows. */
const addRest = async (url: string, accountId: string): Promise<void> => {
  const params = { id: accountId };
  const ven = await operate(url, operator.createVen, { params, body: { ven_id: "headquarters" } });
  await operate(url, operator.certifyVen, { params: { id: ven.id }, body: {} });
  await operate(url, operator.createOpenadrClient, { params, body: { name: "Gateway", scopes: ["read_targets"] } });
  const program = await operate(url, operator.createOpenadrProgram, {
    body: {
      name: "Day-ahead prices",
      public: true,
      payloads: [{ payload_type: "PRICE", units: "KWH", currency: "EUR" }],
    },
  });
  await operate(url, operator.createOpenadrEvent, {
    body: {
      program_id: program.id,
      payload_type: "PRICE",
      start_time: new Date(Date.now() + 3_600_000).toISOString(),
      interval_seconds: 3600,
      values: [0.21, 0.34],
    },
  });
  await operate(url, operator.keepShiftReport, {
    body: {
      from_time: new Date(Date.now() - 8 * 3_600_000).toISOString(),
      to_time: new Date(Date.now() - 1000).toISOString(),
      summary: "A quiet shift.",
    },
  });
  await addStatement(url, accountId);
  const [running] = (await operate(url, operator.listPrograms, {})).items;
  await callFor(url, running?.id ?? "", [-20, 60]);
};

const addStatement = async (url: string, accountId: string): Promise<void> => {
  const month = new Date().toISOString().slice(0, 7);
  for (const { id } of (await operate(url, operator.listPrograms, {})).items)
    await operate(url, operator.setTerms, {
      params: { id, from_month: month },
      body: {
        currency: "USD",
        capacity: null,
        energy: { price_per_kwh: "1", counted: "net", highest_share: null },
        penalty: null,
      },
    });
  await operate(url, operator.makeStatements, { body: { month, account_id: accountId } });
};
