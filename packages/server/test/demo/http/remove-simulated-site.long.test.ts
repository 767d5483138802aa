import { existsSync } from "node:fs";
import { operator } from "@curtail/contract";
import { gateway } from "@curtail/testing/gateway";
import { mailbox } from "@curtail/testing/mailbox";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { caughtUp } from "../../support/caught-up.js";
import { DEMO_MS, demoService, rowCounts } from "../../support/demo.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import type { Running } from "../../support/running.js";
import { addSimulated, type Simulated, testedSimulated, untilSimulated } from "../../support/simulated-site.js";
import { archived, mayDiffer, notFilled, usingAccount } from "../../support/used-account.js";

/** No terms, so no statements. */
const unsettled = ["program_terms", "statement_sites", "statement_versions", "statements"];

/** Nothing of it is reported. */
const unreported = ["shift_reports", "shift_report_versions"];

/** Of others: four changes of an own program of business logic, a callback of no client, and the keys of the service's notifications. */
const kept = ({ openadr3_changes: changes = 0 }: Record<string, number>) => ({
  openadr3_changes: [changes, changes + 4],
  passing_messages: [0, 1],
  push_keys: [0, 1],
});

const differing = (after: Record<string, number>, before: Record<string, number>) =>
  Object.fromEntries(
    Object.keys(after)
      .filter((name) => after[name] !== before[name] && !(name in mayDiffer))
      .map((name) => [name, [before[name], after[name]]]),
  );

describe("removing a simulated site that was used in every way", () => {
  let service: Running;
  let before: Record<string, number>;

  beforeAll(async () => {
    const [inbox, phones] = await Promise.all([mailbox(), gateway()]);
    service = await demoService({
      CURTAIL_SMTP_URL: `${inbox.url}?from=dispatch@operator.example`,
      CURTAIL_SMS_URL: phones.url,
      CURTAIL_GATEWAY_TOKEN: "token-of-the-gateway",
    });
    await service.made(operator.createBusinessLogic, { body: { name: "Price feed" } });
    await caughtUp(service.database.pool, "openadr3-projection");
    before = await rowCounts(service);
    const simulated = await addSimulated(service);
    const anna = await service.participantOf(simulated.account_id);
    // One that has a final result.
    const past = { start_time: ahead(service, { hours: -4 }), end_time: ahead(service, { hours: -3 }) };
    await newDispatch(service, simulated.program_id, past);
    await usingAccount(service, await receiver(), { isSettled: false })(anna, simulated.program_id);
  }, DEMO_MS);

  test("leaves each table as it was before", { timeout: DEMO_MS }, async () => {
    const full = await rowCounts(service);
    const empty = Object.keys(full).filter((name) => full[name] === 0 && !notFilled.has(name));
    expect(empty.toSorted()).toEqual(["demo", ...unreported, ...unsettled].toSorted());
    expect(await service.made(operator.removeSimulatedSite)).toMatchObject({ state: "removing" });
    await untilSimulated(service, "off");
    // Callbacks follow the last changes.
    await expect
      .poll(async () => differing(await rowCounts(service), before), { timeout: 30_000 })
      .toEqual(kept(before));
    expect(existsSync(await archived(service, "2026-01"))).toBe(false);
  });

  test("lets it be added again", async () => {
    expect(await service.made(operator.getSimulatedSite)).toMatchObject({ state: "off", reason: null });
    await addSimulated(service, "Europe/Berlin");
  });
});

describe("removing a simulated site next to a real account", () => {
  let service: Running;
  let simulated: Simulated;
  let before: Record<string, number>;
  let real: string;

  beforeAll(async () => {
    service = await demoService();
    const anna = await service.newParticipant();
    real = (await newDispatch(service, await newProgram(service, [anna]), { test: true })).id;
    await anna.call("GET", `/dispatches/${real}`);
    // Written once a second.
    const logged = async () => {
      service.clock.advance({ seconds: 2 });
      return ((await rowCounts(service))["request_log"] ?? 0) > 0;
    };
    await vi.waitUntil(logged, { timeout: DEMO_MS, interval: 200 });
    before = await rowCounts(service);
    simulated = await addSimulated(service);
    await testedSimulated(service, simulated);
  }, DEMO_MS);

  test("takes nothing real with it, and evidence cannot be deleted meanwhile by others", async () => {
    await service.made(operator.removeSimulatedSite);
    await expect(service.database.pool.query("delete from dispatch_reads")).rejects.toThrow("evidence rests");
    await untilSimulated(service, "off");
    expect(differing(await rowCounts(service), before)).toEqual({});
    expect((await service.made(operator.listEvidence, { params: { id: real } })).items).not.toEqual([]);
    expectError(await service.operator(operator.getSite, { params: { id: simulated.site_id } }), 404);
    await expect(service.database.pool.query("delete from dispatch_reads")).rejects.toThrow("evidence rests");
  });
});
