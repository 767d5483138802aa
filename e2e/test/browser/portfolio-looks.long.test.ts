import { participantClient } from "@curtail/client";
import { changeSchedule, createScenario, getDispatch, listDispatches, operator } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import type { Browser, Page } from "playwright-core";
import { describe, expect, vi } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { callFor, newColdStores, runUsually } from "../support/cold-stores.js";
import { expectSoundDialogs } from "../support/dialogs.js";
import { expectSoundInEachLook, LOOKS_MS } from "../support/looks.js";
import { newKey, operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";
import { registerWebhook } from "../support/webhooks.js";

const hoursAhead = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

const tellUnavailable = async (url: string, key: string, siteId: string): Promise<void> => {
  const body = { available: false, start_time: hoursAhead(30), end_time: hoursAhead(36) };
  await participantClient({ url, key }).call(changeSchedule, { params: { site_id: siteId }, body });
};

/** Plays a scenario that the participant follows, to its end or not. */
const playInSandbox = async ({ url, sandboxUrl }: ServiceProcess, accountId: string): Promise<void> => {
  const { call } = participantClient({ url: sandboxUrl, key: await newKey(url, accountId, "sandbox") });
  await call(createScenario, {
    body: {
      scenario_type: "basic",
      name: "First try",
      start_time: hoursAhead(0.5),
      end_time: hoursAhead(1),
      speed: 600,
      sites: [{ name: "Lakeside Store", commitment: 100 }],
      program: { name: "Peak", timezone: "America/Chicago", market: "ERCOT", program_type: "capacity" },
    },
  });
  await call(listDispatches);
};

describe.skipIf(!hasChromium)("the pages about who takes part", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let admin: string;
  let accountId: string;
  let siteId: string;
  let programId: string;
  let venId: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    admin = await newUser(service.url, "operator-admin");
    const stores = await newColdStores(service.url);
    ({ accountId, programId } = stores);
    siteId = stores.sites[0]?.id ?? "";
    await runUsually(service.url, stores, 1);
    await newUser(service.url, "participant-admin", accountId);
    await operate(service.url, operator.createContact, {
      params: { id: accountId },
      body: { name: "Dana", email: "dana@example.com" },
    });
    const { id } = await operate(service.url, operator.createVen, {
      params: { id: accountId },
      body: { ven_id: "hq" },
    });
    venId = id;
    await operate(service.url, operator.certifyVen, { params: { id: venId }, body: {} });
    const hook = await receiver();
    await registerWebhook(service.url, stores, hook.url);
    await callFor(service.url, programId, [30, 90]);
    await vi.waitUntil(() => hook.received.length > 1, { timeout: 30_000 });
    await playInSandbox(service, accountId);
    await tellUnavailable(service.url, stores.key, stores.sites[0]?.id ?? "");
    await participantClient({ url: service.url, key: stores.key }).send(getDispatch, { params: { id: "dis_0" } });
    await operate(service.url, operator.verifySite, { params: { id: siteId }, body: { program_id: programId } });
    for (const name of ["Harbour Logistics", "Acme Stores", "City of Springfield"])
      await operate(service.url, operator.createAccount, { body: { name } });
  });

  /** Parts of a page that are collapsed at first. */
  const folded: Readonly<Record<string, RegExp>> = {
    webhooks: /^Show deliveries/,
    sandbox: /^Show the report/,
  };

  test("are sound by day and by night, on a phone and on a wall", { timeout: LOOKS_MS }, async () => {
    const account = `/operations/accounts/${accountId}`;
    await expectSoundInEachLook(
      (looks) => signIn(browser, service.url, admin, looks),
      [
        { address: "/operations/accounts", name: "accounts" },
        { address: account, name: "account" },
        ...["sites", "keys", "contacts", "webhooks", "vens", "users", "sandbox", "requests"].map((tab) => ({
          address: `${account}?tab=${tab}`,
          name: `account-${tab}`,
        })),
        ...Object.entries(folded).map(([tab, button]) => ({
          address: `${account}?tab=${tab}`,
          name: `account-${tab}-unfolded`,
          ready: (page: Page) => page.getByRole("button", { name: button }).click(),
        })),
        { address: "/operations/sites", name: "sites" },
        { address: `/operations/sites/${siteId}`, name: "site" },
        { address: "/operations/programs", name: "programs" },
        { address: `/operations/programs/${programId}`, name: "program" },
        { address: `/operations/vens/${venId}`, name: "ven" },
        { address: "/operations/onboarding", name: "onboarding" },
        { address: "/operations/users", name: "users" },
        { address: "/operations/audit", name: "audit" },
        { address: "/operations/import", name: "import" },
      ],
    );
  });

  test("have dialogs that are sound on a phone", async () => {
    const visited = await signIn(browser, service.url, admin, { widthPx: 390 });
    const account = `/operations/accounts/${accountId}`;
    const opened = await expectSoundDialogs(visited, [
      "/operations/accounts",
      account,
      ...["sites", "keys", "contacts", "webhooks", "vens", "users"].map((tab) => `${account}?tab=${tab}`),
      "/operations/sites",
      `/operations/sites/${siteId}`,
      "/operations/programs",
      `/operations/programs/${programId}`,
      `/operations/vens/${venId}`,
      "/operations/users",
    ]);
    expect(opened.length).toBeGreaterThan(20);
  }, 120_000);
});
