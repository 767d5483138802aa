import { setTimeout as sleep } from "node:timers/promises";
import { participantClient } from "@curtail/client";
import { listDispatches, operator } from "@curtail/contract";
import { clonedDatabase, leftOpen, type OwnDatabase } from "@curtail/testing/database";
import { test, vi } from "vitest";
import { HookReceiver } from "../support/hook-receiver.js";
import { newParticipant, newProgram, operate } from "../support/participant.js";
import { OPERATOR_TOKEN, startProcess } from "../support/service-process.js";
import { registerWebhook } from "../support/webhooks.js";

const OPEN_MINUTES = 10;
const EVERY_MS = 20_000;
/** Far less than the transaction stays open, and far more than a busy machine takes. */
const MOST_WAITED_MS = 15_000;

const settingsOn = ({ connection: { host, port, user, database } }: OwnDatabase) => ({
  DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
  CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
  CURTAIL_ROLES: "api,worker",
});

/** How often a follower has not handled an entry that is committed, and that it follows. */
const unread = ({ count }: OwnDatabase): Promise<number> =>
  count(
    `select from followers, journal where stream = 'journal' and kind = any(kinds) and not pg_visible_in_snapshot(xid, seen)`,
    [],
  );

export const testOpenTransaction = (): void =>
  test(`a transaction that stays open for ${OPEN_MINUTES} minutes delays no notice and no answer`, {
    timeout: (OPEN_MINUTES + 5) * 60_000,
  }, async ({ expect, onTestFinished }) => {
    const database = await clonedDatabase();
    onTestFinished(() => database.drop());
    const service = await startProcess(settingsOn(database));
    onTestFinished(async () => void (await service.end("SIGTERM")));
    const { url } = service;
    const receiver = new HookReceiver({ failingShare: 0 });
    onTestFinished(() => receiver.close());
    const participant = await newParticipant(url, 1);
    await registerWebhook(url, participant, `${await receiver.listen()}/hook`);
    const program_id = await newProgram(url);
    const params = { id: program_id, site_id: participant.sites[0]?.id ?? "" };
    await operate(url, operator.enrolSite, { params, body: { commitment: 5 } });
    const dispatched = async (): Promise<string> => {
      const start_time = new Date(Date.now() + 3_600_000).toISOString();
      return (await operate(url, operator.createDispatch, { body: { program_id, start_time } })).id;
    };
    const listed = async (): Promise<readonly string[]> =>
      (await participantClient({ url, key: participant.key }).call(listDispatches)).dispatches.map(({ id }) => id);
    const isTold = (id: string): boolean => receiver.arrivals.some(({ dispatchId }) => dispatchId === id);

    const changeByHand = `select note_change('dispatch.change', '${await dispatched()}')`;
    const commit = await leftOpen(database.connection, changeByHand);
    const untilMs = Date.now() + OPEN_MINUTES * 60_000;
    while (Date.now() < untilMs) {
      const id = await dispatched();
      expect(await listed()).toContain(id);
      await vi.waitUntil(() => isTold(id), { timeout: MOST_WAITED_MS, interval: 20 });
      await sleep(EVERY_MS);
    }
    const allFollowed = (): Promise<boolean> =>
      vi.waitUntil(async () => (await unread(database)) === 0, { timeout: MOST_WAITED_MS, interval: 100 });
    await allFollowed();
    await commit();
    await allFollowed();
  });
