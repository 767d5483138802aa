import { setTimeout as sleep } from "node:timers/promises";
import { type Client, participantClient } from "@curtail/client";
import { createScenario, listDispatches, operator } from "@curtail/contract";
import { test, vi } from "vitest";
import { HookReceiver } from "../support/hook-receiver.js";
import { missing, outOfOrder, renamed } from "../support/issued.js";
import { newParticipant, operate, type Participant } from "../support/participant.js";
import { preparedFolder } from "../support/prepared-data.js";
import { type ServiceProcess, startProcess, underLoad } from "../support/service-process.js";
import { registerWebhook } from "../support/webhooks.js";

const HOOK = "/hook";
/**
 * Seconds after the scenario's beginning: created, changed twice while the service is down, and cancelled afterwards.
 */
const STEPS = { create: 2, change: 15, changeAgain: 16, cancel: 45 };

const receiver = new HookReceiver();
let service: ServiceProcess;
let participant: Participant;

const sandbox = (): Client => participantClient({ url: service.sandboxUrl, key: participant.key });

export const testSandboxRestart = (): void =>
  test("a service that is killed in the middle of a scenario and started again loses no step of it", async ({
    expect,
    onTestFinished,
  }) => {
    const folder = await preparedFolder();
    onTestFinished(folder.remove);
    const settings = underLoad(folder.dataDir);
    service = await startProcess(settings);
    onTestFinished(async () => void (await service.end("SIGTERM")));
    onTestFinished(() => receiver.close());
    participant = await newParticipant(service.url, 0, { environment: "sandbox" });
    const webhook = await registerWebhook(service.sandboxUrl, participant, (await receiver.listen()) + HOOK);
    const begunMs = Date.now();
    const at = (seconds: number): string => new Date(begunMs + seconds * 1000).toISOString();
    const passed = async (seconds: number): Promise<void> => sleep(Math.max(0, begunMs + seconds * 1000 - Date.now()));
    const program = { name: "Peak", timezone: "UTC", market: "", program_type: "capacity" as const };
    const state = (seconds: number, more: object = {}) => ({
      published_time: at(seconds),
      dispatch: { start_time: at(60), end_time: null, sites: [{ name: "Mine", commitment: 5 }], program, ...more },
    });
    const states = [
      state(STEPS.create),
      state(STEPS.change, { start_time: at(70) }),
      state(STEPS.changeAgain, { end_time: at(300) }),
      state(STEPS.cancel, { authorized: false }),
    ];
    const body = { scenario_type: "custom" as const, dispatches: { A: { states } } };
    const { dispatches } = await sandbox().call(createScenario, { body });
    await untilDelivered(webhook.id);
    expect(await sandbox().call(listDispatches)).toMatchObject({ dispatches: [{ modification_number: 0 }] });

    await service.end("SIGKILL");
    expect(Date.now()).toBeLessThan(begunMs + STEPS.change * 1000);
    await passed(STEPS.changeAgain + 0.1);
    service = await startProcess(settings);
    expect(Date.now()).toBeLessThan(begunMs + STEPS.cancel * 1000);
    expect(await sandbox().call(listDispatches)).toMatchObject({
      dispatches: [{ modification_number: 2, authorized: true }],
    });

    await passed(STEPS.cancel + 0.1);
    expect(await sandbox().call(listDispatches)).toMatchObject({
      dispatches: [{ modification_number: 3, authorized: false }],
    });
    const issued = [{ id: dispatches[0]?.id ?? "", revisions: states.length }];
    await vi.waitUntil(() => missing(receiver.arrivals, [HOOK], issued).length === 0, {
      timeout: 30_000,
      interval: 100,
    });
    expect(renamed(receiver.arrivals, issued)).toEqual([]);
    expect(outOfOrder(receiver.arrivals)).toEqual([]);
  }, 180_000);

/** Delivered and recorded: a delivery in flight at the kill would wait for its lease to end. */
const untilDelivered = (webhookId: string): Promise<boolean> =>
  vi.waitUntil(
    async () => {
      const { items } = await operate(service.url, operator.listWebhookDeliveries, {
        params: { id: webhookId },
        query: { environment: "sandbox" },
      });
      return items.length > 0 && items.every(({ state }) => state === "delivered");
    },
    { timeout: 12_500, interval: 50 },
  );
