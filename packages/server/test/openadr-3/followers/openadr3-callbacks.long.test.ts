import { beforeAll, expect, test } from "vitest";
import { CALLBACKS } from "../../../src/openadr-3/operations/queue-notifications.js";
import { type CallbackReceiver, callbackReceiver } from "../../support/callback-receiver.js";
import { caughtUp } from "../../support/caught-up.js";
import { KILL_POINTS, killedAt } from "../../support/killing-followers.js";
import { type Client31, runningVtn, type Vtn } from "../../support/openadr-3.js";

let vtn: Vtn;
let bl: Client31;
let receiver: CallbackReceiver;

beforeAll(async () => {
  vtn = await runningVtn();
  await vtn.another();
  bl = await vtn.bl();
  receiver = await callbackReceiver();
  await bl.subscriptions.made({
    clientName: "prices",
    objectOperations: [{ objects: ["PROGRAM"], operations: ["CREATE", "UPDATE"], callbackUrl: receiver.url }],
  });
});

let count = 0;
const newProgram = async (): Promise<string> => (await bl.programs.made({ programName: `Program ${++count}` })).id;

/** Few: while each row may kill, a batch of many is hardly ever committed. */
const CHANGES = 6;

/** What was written to be sent about an object, in order. */
const madeOf = async (id: string): Promise<string[]> => {
  const { rows } = await vtn.database.pool.query<{ operation: string }>(
    `select operation from passing_messages join openadr3_changes as changes on changes.seq = change_seq
     where subject = $1 order by passing_messages.seq`,
    [id],
  );
  return rows.map(({ operation }) => operation);
};

test.for(KILL_POINTS)(
  "a subscription is notified once of each change, in order, if processes are killed %s",
  { timeout: 60_000 },
  async (point) => {
    const id = await newProgram();
    await killedAt(vtn.database, { point, effectOn: "passing_messages" }, async () => {
      for (let number = 0; number < CHANGES; number++) await bl.programs.update(id, { programName: `${id} ${number}` });
      await expect.poll(async () => (await madeOf(id)).length).toBeGreaterThan(1);
    });
    await expect
      .poll(async () => {
        vtn.clock.advance({ seconds: 1 });
        await caughtUp(vtn.database.pool, CALLBACKS);
        return madeOf(id);
      })
      .toEqual(["CREATE", ...Array.from({ length: CHANGES }, () => "UPDATE")]);
  },
);

test("a transaction that stays open for minutes delays no notification of others", async () => {
  const open = await vtn.database.pool.connect();
  await open.query("begin");
  const late = "oap_late";
  await open.query(
    `insert into openadr3_changes (environment, operation, object_type, object_id, object, targets, at)
     values ('production', 'CREATE', 'PROGRAM', $1, '{"id": "oap_late", "objectType": "PROGRAM"}', '{}', now())`,
    [late],
  );
  const first = await newProgram();
  await expect.poll(() => madeOf(first)).toEqual(["CREATE"]);
  vtn.clock.advance({ minutes: 10 });
  const second = await newProgram();
  await expect.poll(() => madeOf(second)).toEqual(["CREATE"]);
  expect(await madeOf(late)).toEqual([]);
  await open.query("commit");
  open.release();
  await expect.poll(() => madeOf(late)).toEqual(["CREATE"]);
});

test("a change whose notifications cannot be made waits with later ones of its object, and delays no other", async () => {
  const { pool } = vtn.database;
  const id = await newProgram();
  await caughtUp(pool, CALLBACKS);
  await pool.query(`create function refuses() returns trigger language plpgsql as $$
    begin raise exception 'not now'; end $$`);
  await pool.query(`create trigger refuses before insert on passing_messages
    for each row when (new.subject = '${id}') execute function refuses()`);
  await bl.programs.update(id, { programName: `${id} 1` });
  await bl.programs.update(id, { programName: `${id} 2` });
  const other = await newProgram();
  await expect.poll(() => madeOf(other)).toEqual(["CREATE"]);
  expect(await madeOf(id)).toEqual(["CREATE"]);
  await pool.query("drop function refuses cascade");
  await expect
    .poll(async () => {
      vtn.clock.advance({ seconds: 30 });
      return madeOf(id);
    })
    .toEqual(["CREATE", "UPDATE", "UPDATE"]);
  const { rowCount } = await pool.query("select from follower_faults where follower = $1", [CALLBACKS]);
  expect(rowCount).toBe(0);
});
