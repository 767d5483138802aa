import { operator } from "@curtail/contract";
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSoundBut404, lookAt } from "../support/looks.js";
import { operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn, type Visit } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const LONG_MS = 60_000;

/** Looks at pages in one window: what they have in common is looked at by day and by night elsewhere. */
const lookAtEach = async (visited: Visit, side: string, paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    const address = `/${side}/${path}`;
    await lookAt(visited, address, `bare${address.replaceAll(/[^a-z]+/g, "-")}`);
  }
};

// The first minutes of a service, and of an account.
describe.skipIf(!hasChromium)("pages without anything to show", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let admin: string;
  let participant: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
    admin = await newUser(service.url, "operator-admin");
  });

  /** A user of an account that has nothing else. */
  const newParticipant = async (): Promise<string> => {
    const { id } = await operate(service.url, operator.createAccount, { body: { name: "Harbor Foods" } });
    return newUser(service.url, "participant-admin", id);
  };

  test("are sound for operators of an empty service", { timeout: LONG_MS }, async () => {
    const visited = await signIn(browser, service.url, admin, { widthPx: 390 });
    await lookAtEach(visited, "operations", [
      "",
      "wall",
      "dispatches/new",
      "alarms",
      "telemetry",
      "reports",
      "statements",
      "nowhere",
    ]);
  });

  test("are sound for participants of an empty account", { timeout: LONG_MS }, async () => {
    participant = await newParticipant();
    const visited = await signIn(browser, service.url, participant, { widthPx: 390, theme: "dark" });
    await lookAtEach(visited, "dashboard", [
      "",
      "dispatches",
      "energy",
      "statements",
      "connect",
      "webhooks",
      "contacts",
    ]);
  });

  test.each([
    ["dispatches/dis_none", "dispatch", "Show all dispatches", "dispatches"],
    ["dispatches/dis_none/report", "dispatch", "Show all dispatches", "dispatches"],
    ["dispatches/%22%3E%20x", "dispatch", "Show all dispatches", "dispatches"],
    ["webhooks/whk_none", "webhook", "Show all webhooks", "webhooks"],
    ["statements/stm_none", "statement", "Show all statements", "statements"],
  ])(
    "a participant's unknown id is said in words, with a way back: %s",
    async (address, what, back, list) => {
      const visited = await signIn(browser, service.url, participant, { widthPx: 390 });
      const { page } = visited;
      await page.goto(`/dashboard/${address}`);
      await page.getByRole("heading", { level: 1, name: `There is no such ${what}` }).waitFor();
      await page.getByText(`Your account has no ${what} at this address.`).waitFor();
      await expect.poll(() => page.title()).toBe(`There is no such ${what} · Curtail`);
      await expectSoundBut404(visited, `bare-dashboard-unknown-${what}`);
      await page.getByRole("link", { name: back }).click();
      await page.waitForURL(`**/dashboard/${list}`);
    },
    LONG_MS,
  );
});
