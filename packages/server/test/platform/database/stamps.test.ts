import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { visibleKinds } from "../../../src/app/wire/visible-kinds.js";
import { closePool, openJournalPool } from "../../../src/platform/database/database.js";
import { JournalTail, type TailReader } from "../../../src/platform/database/journal-tail.js";
import { type TailStamps, tailStamps } from "../../../src/platform/database/stamps.js";
import type { Stamps, VisiblePart } from "../../../src/platform/stamps.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;
let program: string;
let read: () => Promise<Stamps>;
let known: TailStamps["known"];
let onNew: TailStamps["onNew"];
let ageMs: number;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant();
  program = await newProgram(service, [anna]);
  const { servicePool: pool } = service.database;
  const journal = openJournalPool(pool, () => {});
  const tail = new JournalTail({ journal, pool, clock: service.clock, onError: () => {} });
  ageMs = 0;
  const feed = (reader: TailReader) => tail.feed(reader);
  const aged = { feed, catchUp: () => tail.catchUp(), ageMs: () => ageMs };
  ({ read, known, onNew } = tailStamps(aged, visibleKinds, service.clock));
  tail.start();
  atEnd(async () => {
    await tail.stop();
    await closePool(journal);
  });
  await read();
});

/** The parts whose stamps are new after the work. */
const changedBy = async (work: () => Promise<unknown>): Promise<VisiblePart[]> => {
  const before = await read();
  await work();
  const after = await read();
  return (Object.keys(after) as VisiblePart[]).filter((part) => after[part] !== before[part]);
};

const query = (text: string) => () => service.database.servicePool.query(text);

/** Changes made by hand, with their entries. */
const TOUCHED = "update dispatches set changed_at = changed_at; select note_change('dispatch.change', '')";
const expire = (keyId: string) => () =>
  service.database.servicePool.query(
    `update api_keys set expires_at = now() where id = '${keyId}'; select note_change('key.revoke', '${keyId}')`,
  );

describe("the stamps of what participants and VENs see", () => {
  test("stay the same while nothing changes, for a new site, and for the last use of a key", async () => {
    expect(
      await changedBy(async () => {
        await anna.call("GET", "/dispatches");
        await service.made(operator.createSite, { params: { id: anna.accountId }, body: { name: "new", meters: [] } });
        await query("update api_keys set last_used_at = now()")();
        await query("update vens set last_poll_at = now(), last_acknowledgement_at = now()")();
      }),
    ).toEqual([]);
  });

  test("of dispatches is new after one is issued, changed or cancelled", async () => {
    let id = "";
    const issued = async (): Promise<void> => void ({ id } = await newDispatch(service, program));
    expect(await changedBy(issued)).toEqual(["dispatches"]);
    const end_time = new Date(service.clock.now().getTime() + 7_200_000).toISOString();
    const change = (body: object) => () => service.made(operator.changeDispatch, { params: { id }, body });
    expect(await changedBy(change({ end_time }))).toEqual(["dispatches"]);
    expect(await changedBy(change({ authorized: false }))).toEqual(["dispatches"]);
  });

  test("of access is new after a key is revoked or expires earlier, and after an account is disabled", async () => {
    const { keyId, accountId } = await service.newParticipant();
    expect(await changedBy(expire(keyId))).toEqual(["access"]);
    expect(await changedBy(() => service.made(operator.revokeKey, { params: { id: keyId } }))).toEqual(["access"]);
    const disable = { params: { id: accountId }, body: { disabled: true } };
    expect(await changedBy(() => service.made(operator.changeAccount, disable))).toEqual(["access", "clients"]);
  });

  test("is new once for a transaction, when it commits, and the same if it is rolled back", async () => {
    await newDispatch(service, program);
    const client = await service.database.servicePool.connect();
    const seen: Stamps[] = [await read()];
    await client.query("begin");
    await client.query(TOUCHED);
    await client.query(TOUCHED);
    seen.push(await read());
    await client.query("commit");
    seen.push(await read());
    await client.query("begin");
    await client.query(TOUCHED);
    await client.query("rollback");
    seen.push(await read());
    client.release();
    const [before, open, committed, rolledBack] = seen.map(({ dispatches }) => dispatches);
    expect(open).toBe(before);
    expect(committed).not.toBe(before);
    expect(rolledBack).toBe(committed);
  });

  test("are given at the commit, so transactions that change the same part do not wait for each other", async () => {
    const dispatches = [await newDispatch(service, program), await newDispatch(service, program)];
    const clients = await Promise.all(dispatches.map(() => service.database.servicePool.connect()));
    for (const [index, client] of clients.entries()) {
      await client.query("begin");
      await client.query("set local lock_timeout = 1000");
      await client.query("update dispatches set changed_at = changed_at where id = $1", [dispatches[index]?.id]);
      await client.query("select note_change('dispatch.change', $1)", [dispatches[index]?.id]);
    }
    for (const client of clients) {
      expect(await changedBy(() => client.query("commit"))).toEqual(["dispatches"]);
      client.release();
    }
  });

  test("are known without asking: those of keys from the commit of this process on, each within a second", async () => {
    const { keyId } = await service.newParticipant();
    await read();
    const before = { access: known.access(), dispatches: known.dispatches() };
    const told = vi.fn();
    onNew("access", told);
    await service.made(operator.revokeKey, { params: { id: keyId } });
    expect([known.access() === before.access, told.mock.calls.length > 0]).toEqual([false, true]);
    await newDispatch(service, program);
    await expect.poll(() => known.dispatches() === before.dispatches).toBe(false);
    expect(known.dispatches()).toBe((await read()).dispatches);
  });

  test("that are known hold for half a second if the journal was not read for two", async () => {
    const before = known.access();
    ageMs = 2001;
    expect(known.access()).not.toBe(before);
    const late = known.access();
    await expect.poll(() => known.access()).not.toBe(late);
    ageMs = 0;
    expect(known.access()).toBe(before);
  });
});
