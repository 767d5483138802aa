import { beforeAll, describe, expect, test } from "vitest";
import { PROJECTION } from "../../../src/openadr-3/domain/projection.js";
import { CALLBACKS } from "../../../src/openadr-3/operations/queue-notifications.js";
import { CHANGES_KEPT_DAYS, changeArchive } from "../../../src/openadr-3/storage/object-archive.js";
import { Pruning } from "../../../src/platform/pruning.js";
import { callbackReceiver } from "../../support/callback-receiver.js";
import { caughtUp } from "../../support/caught-up.js";
import { newDispatch } from "../../support/dispatching.js";
import { clientOf, runningVtn, tokenOf, type Vtn } from "../../support/openadr-3.js";
import { calledBack, equipped, eventOf, toldOf } from "../../support/openadr3-vens.js";

let vtn: Vtn;
beforeAll(async () => {
  vtn = await runningVtn();
});

const prune = async (): Promise<void> => {
  const pruning = new Pruning(changeArchive(vtn.database.pool), vtn.clock, CHANGES_KEPT_DAYS);
  while (!(await pruning.step()).isDone);
};

const changesOf = async (objectId: string): Promise<string[]> =>
  (
    await vtn.database.pool.query("select operation from openadr3_changes where object_id = $1 order by seq", [
      objectId,
    ])
  ).rows.map(({ operation }) => operation);

/** A notification that has arrived may not be recorded yet. */
const recorded = (objectId: string) =>
  expect
    .poll(async () => {
      const states = "select state from passing_messages where subject = $1";
      return (await vtn.database.pool.query(states, [objectId])).rows;
    })
    .toEqual([{ state: "delivered" }]);

const queued = () => caughtUp(vtn.database.pool, CALLBACKS);

describe("changes", () => {
  test("are removed after seven days, with the notifications of them, and not before", async () => {
    const bl = await vtn.bl();
    const receiver = await callbackReceiver();
    await bl.subscriptions.made({
      clientName: "prices",
      objectOperations: [{ objects: ["PROGRAM"], operations: ["CREATE"], callbackUrl: receiver.url }],
    });
    const { id } = await bl.programs.made({ programName: "Old" });
    await receiver.notified(1);
    await queued();
    await recorded(id);
    vtn.clock.advance({ days: 7 });
    await prune();
    expect(await changesOf(id)).toEqual(["CREATE"]);
    vtn.clock.advance({ seconds: 1 });
    await prune();
    expect(await changesOf(id)).toEqual([]);
    const { rows } = await vtn.database.pool.query(
      `select (select count(*)::int from passing_messages) as deliveries,
         (select count(*)::int from message_attempts) as attempts`,
    );
    expect(rows).toEqual([{ deliveries: 0, attempts: 0 }]);
  });

  test("of which a notification is still to be sent stay", async () => {
    const bl = await vtn.bl();
    const { id } = await bl.programs.made({ programName: "Waiting" });
    await queued();
    const [{ seq }] = (await vtn.database.pool.query("select seq from openadr3_changes where object_id = $1", [id]))
      .rows;
    await vtn.database.pool.query(
      `insert into passing_messages (id, change_seq, recipient, entry, client_id, subject, event, detail, next_attempt_at, created_at)
       values ('odl_waiting', $1, 'oas_gone', 0, $2, $3, 'program.create', '{}', $4::timestamptz + interval '30 days', $4)`,
      [seq, bl.id, id, vtn.clock.now()],
    );
    vtn.clock.advance({ days: 8 });
    await prune();
    expect(await changesOf(id)).toEqual(["CREATE"]);
  });

  test("that were told of a dispatch keep what was sent of them: it is evidence", async () => {
    const site = await equipped(vtn);
    await calledBack(site);
    const { id } = await newDispatch(vtn, site.programId);
    await expect.poll(async () => (await toldOf(vtn, id, site)).at(-1)).toBe("delivered 0");
    const before = await toldOf(vtn, id, site);
    vtn.clock.advance({ days: 30 });
    await prune();
    expect(await toldOf(vtn, id, site)).toEqual(before);
  });

  test("that were told of a dispatch to nobody are removed, its evidence stays", async () => {
    const site = await equipped(vtn);
    const { id } = await newDispatch(vtn, site.programId);
    const event = await eventOf(vtn, site, id);
    await queued();
    vtn.clock.advance({ days: 8 });
    await prune();
    expect(await changesOf(event.id)).toEqual([]);
    expect(await toldOf(vtn, id, site)).toEqual(["notified 0 CREATE"]);
  });
});

test("a subscription whose creation was removed is notified of what changed before its own last change", async () => {
  const client = await vtn.bl();
  const receiver = await callbackReceiver();
  const body = {
    clientName: "prices",
    objectOperations: [{ objects: ["PROGRAM"], operations: ["CREATE"], callbackUrl: receiver.url }],
  };
  const { id } = await client.subscriptions.made(body);
  await queued();
  vtn.clock.advance({ days: 8 });
  await prune();
  const bl = await vtn.bl();
  const program = await bl.programs.made({ programName: "Before the update" });
  await receiver.notified(1);
  await queued();
  const owner = clientOf(vtn.vtnUrl, await tokenOf(vtn.vtnUrl, client));
  expect(await owner.subscriptions.update(id, { ...body, clientName: "prices 2" })).toMatchObject({ status: 200 });
  // As if both had been committed before the worker looked.
  await vtn.database.pool.query("delete from passing_messages where subject = $1", [program.id]);
  await vtn.database.pool.query("update openadr3_changes set xid = pg_current_xact_id() where object_id = $1", [
    program.id,
  ]);
  vtn.clock.advance({ seconds: 1 });
  await receiver.notified(2);
});

test("what objects have to follow is taken, whether there are VENs or not", async () => {
  const participant = await vtn.newParticipant({ sites: [["a"], ["b"], ["c"]] });
  expect(participant.sites).toHaveLength(3);
  await caughtUp(vtn.database.pool, PROJECTION);
});
