import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { participantClient } from "@curtail/client";
import { listDispatches, operator } from "@curtail/contract";
import { expect, test, vi } from "vitest";
import {
  arrivalsOf,
  auditOf,
  type BackupStory,
  backupStory,
  evidenceOf,
  facilitiesOf,
  issue,
  KEPT_BEFORE,
  MINUTES_MS,
  restarted,
  restored,
  run,
  SETTLED,
} from "./support/backup-story.js";
import { operate } from "./support/participant.js";
import { OPERATOR_TOKEN } from "./support/service-process.js";

/** Longer than the worker needs to send what it may. */
const QUIET_MS = 3000;

const sameFile = async (directory: string, name: string, { dataDir }: BackupStory): Promise<void> =>
  expect(await readFile(join(directory, name), "utf8")).toBe(await readFile(join(dataDir, name), "utf8"));

test(
  "a backup made under load is restored with every reading answered before it began, and sends nothing until it is released",
  async () => {
    const story = await backupStory();
    const { participant, programId, load, dispatchId, laterId } = story;
    const directory = await restored(story, "restored");
    for (const name of ["secrets.key", "openadr/ca.key", "openadr/ca.crt"]) await sameFile(directory, name, story);
    const sentBefore = story.arrivals.length;
    const service = await restarted(directory);

    load.kept.splice(story.keptBefore);
    expect(load.kept.length).toBeGreaterThanOrEqual(KEPT_BEFORE);
    expect(await load.missing(service.url)).toEqual([]);
    expect((await auditOf(service.url)).slice(-story.audit.length)).toEqual(story.audit);
    expect(await evidenceOf(service.url, dispatchId)).toEqual(story.evidence);
    expect(await facilitiesOf(service.url, participant)).toEqual(story.facilities);

    const newId = await issue(service.url, { participant, programId });
    const listed = await participantClient({ url: service.url, key: participant.key }).call(listDispatches);
    const polled = listed.dispatches.map(({ id }) => id);
    expect([polled.includes(newId), polled.includes(dispatchId), polled.includes(laterId)]).toEqual([
      true,
      true,
      false,
    ]);
    await sleep(QUIET_MS);
    expect(story.arrivals).toHaveLength(sentBefore);
    const held = await operate(service.url, operator.getDeliveryHold);
    expect([held.held, held.waiting]).toEqual([true, 1]);
    const { items } = await operate(service.url, operator.listAlarms, { query: { state: "open" } });
    expect(items.map(({ kind }) => kind)).toContain("delivery_held");

    const admin = { CURTAIL_PUBLIC_URL: service.url, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN };
    expect((await run(["admin", "delivery-hold", "release"], admin)).code).toBe(0);
    await vi.waitUntil(() => arrivalsOf(story, newId).length > 0, SETTLED);
    await sleep(QUIET_MS);
    expect(story.arrivals.slice(sentBefore).map((arrival) => arrival.dispatchId)).toEqual([newId]);
    await vi.waitUntil(async () => {
      const open = await operate(service.url, operator.listAlarms, { query: { state: "open" } });
      return open.items.every(({ kind }) => kind !== "delivery_held");
    }, SETTLED);
  },
  MINUTES_MS,
);
