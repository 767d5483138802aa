import { fileURLToPath } from "node:url";
import { operator } from "@curtail/contract";
import type { Page } from "playwright-core";
import { rolldown } from "rolldown";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { newParticipant, newProgram, operate, type Participant } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { visit } from "../support/visit.js";
import { webService } from "../support/web-service.js";

/** The client as one script with a global name. */
const script = async (): Promise<string> => {
  const input = fileURLToPath(import.meta.resolve("@curtail/client"));
  const building = await rolldown({ input, platform: "browser" });
  const { output } = await building.generate({ format: "iife", name: "curtail" });
  await building.close();
  return output[0].code;
};

/** Follows dispatches in the page, which would poll once an hour. What it yields is in `window.changes`. */
const watchIn = (page: Page, key: string): Promise<void> =>
  page.evaluate(`void (async () => {
    window.changes = [];
    window.stop = new AbortController();
    const participant = curtail.createParticipant({ url: location.origin, key: ${JSON.stringify(key)} });
    const options = { intervalMs: 3_600_000, signal: window.stop.signal };
    for await (const { type, dispatch } of curtail.watchDispatches(participant, options))
      window.changes.push(type + " " + dispatch.id);
  })().catch((failure) => window.changes.push(failure.message))`);

describe.skipIf(!hasChromium)("the client in a browser", () => {
  let service: ServiceProcess;
  let participant: Participant;

  test.beforeAll(async () => {
    service = await webService();
    participant = await newParticipant(service.url, 1);
  });

  test("yields dispatches and their changes long before the next poll, until it is stopped", async ({ browser }) => {
    const program_id = await newProgram(service.url);
    const start_time = new Date(Date.now() + 3_600_000).toISOString();
    const sites = participant.sites.map(({ id }) => ({ site_id: id }));
    const issue = () => operate(service.url, operator.createDispatch, { body: { program_id, start_time, sites } });
    const { page } = await visit(browser, service.url);
    await page.goto(`${service.url}/sign-in`);
    await page.evaluate(await script());
    const first = await issue();
    await watchIn(page, participant.key);
    const changes = () => page.evaluate("window.changes");
    await expect.poll(changes).toEqual([`created ${first.id}`]);
    const second = await issue();
    await expect.poll(changes).toEqual([`created ${first.id}`, `created ${second.id}`]);
    await page.evaluate(`window.stop.abort(new Error("stopped"))`);
    await expect.poll(changes).toContain("stopped");
  });
});
