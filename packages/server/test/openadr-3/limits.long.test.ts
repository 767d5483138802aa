import { afterAll, describe, expect, test } from "vitest";
import { OUTSIDE_BROKER } from "../../src/openadr-3/operations/broker-conditions.js";
import { MAX_DESCRIPTION_BYTES } from "../../src/openadr-3/operations/object-drafts.js";
import { CALLBACKS } from "../../src/openadr-3/operations/queue-notifications.js";
import { clientVolume } from "../../src/openadr-3/storage/client-volume.js";
import { objectArchive } from "../../src/openadr-3/storage/object-archive.js";
import { caughtUp } from "../support/caught-up.js";
import { venIdOf } from "../support/mqtt-broker.js";
import { runningVtn } from "../support/openadr-3.js";

const vtn = await runningVtn({ CURTAIL_OPENADR3_MAX_RESOURCES: "3", CURTAIL_OPENADR3_MAX_REPORT_MB: "1" });
const bl = await vtn.bl();

let count = 0;
const resourceOf = (venID: string, more: object = {}) => ({
  objectType: "VEN_RESOURCE_REQUEST",
  resourceName: `Resource ${++count}`,
  venID,
  ...more,
});

test("a client may have so many resources, of those it wrote, and another as many", async () => {
  const participant = await vtn.newParticipant();
  const [ven, other] = [await vtn.ven({ participant }), await vtn.ven()];
  const venId = await venIdOf(ven);
  const made = [];
  for (let each = 0; each < 3; each++) made.push(await ven.resources.made(resourceOf(venId)));
  expect(await ven.resources.create(resourceOf(venId))).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining("3 resources") },
  });
  await other.resources.made(resourceOf(await venIdOf(other)));
  await ven.resources.remove(made[0].id);
  await ven.resources.made(resourceOf(venId));
});

test("a resource and a ven may be so large, and no larger", async () => {
  const ven = await vtn.ven();
  const venID = await venIdOf(ven);
  const sized = (bytes: number) => {
    const body = resourceOf(venID, { attributes: [{ type: "A", values: [""] }] });
    const rest = bytes - Buffer.byteLength(JSON.stringify(body));
    return { ...body, attributes: [{ type: "A", values: ["x".repeat(rest)] }] };
  };
  await ven.resources.made(sized(MAX_DESCRIPTION_BYTES));
  expect(await ven.resources.create(sized(MAX_DESCRIPTION_BYTES + 1))).toMatchObject({ status: 400 });
  const venName = "x";
  const attributes = [{ type: "A", values: ["x".repeat(MAX_DESCRIPTION_BYTES)] }];
  expect(await ven.vens.update(venID, { objectType: "VEN_VEN_REQUEST", venName, attributes })).toMatchObject({
    status: 400,
  });
});

const event = async () => {
  const { id: programID } = await bl.programs.made({ programName: `Program ${++count}` });
  return bl.events.made({ programID, intervals: [{ id: 0, payloads: [{ type: "PRICE", values: [1] }] }] });
};

const reportOf = (eventID: string, letters: number) => ({
  eventID,
  clientName: "client",
  resources: [
    { resourceName: "meter", intervals: [{ id: 0, payloads: [{ type: "NOTE", values: ["x".repeat(letters)] }] }] },
  ],
});

test("a report that is written again and again counts as often, until old ones are counted anew", async () => {
  const ven = await vtn.ven();
  const { id: eventID } = await event();
  const { id } = await ven.reports.made(reportOf(eventID, 200_000));
  for (let each = 0; each < 8; each++)
    expect(await ven.reports.update(id, reportOf(eventID, 200_000))).toMatchObject({ status: 200 });
  expect((await ven.reports.search()).body.length).toBe(1);
});

/** What the changes take that a client wrote. */
const changesBy = async ({ id }: { readonly id: string }) => {
  const { rows } = await vtn.database.pool.query<{ bytes: number }>(
    "select coalesce(sum(octet_length(object::text)), 0)::int as bytes from openadr3_changes where written_by = $1",
    [id],
  );
  return rows[0]?.bytes ?? 0;
};

test("what a client writes again and again, or writes and deletes, is bounded in the outbox, too", async () => {
  const [ven, other] = [await vtn.ven(), await vtn.ven()];
  const [venID, othersVen] = [await venIdOf(ven), await venIdOf(other)];
  const attributes = [{ type: "A", values: ["x".repeat(15_000)] }];
  await other.resources.made(resourceOf(othersVen, { attributes }));
  const body = resourceOf(venID, { attributes });
  const { id } = await ven.resources.made(body);
  for (let each = 0; each < 80; each++) await ven.resources.update(id, body);
  expect(await changesBy(ven)).toBeLessThanOrEqual(1_050_000);
  for (let each = 0; each < 40; each++)
    await ven.resources.remove((await ven.resources.made(resourceOf(venID, { attributes }))).id);
  expect(await changesBy(ven)).toBeLessThanOrEqual(1_050_000);
  expect(await changesBy(other)).toBeGreaterThan(15_000);
});

const nothingSetAside = () => vtn.database.pool.query("delete from follower_faults");

describe("old changes of a client", () => {
  const writer = "oac_writer";
  // Nobody tries what was never tried.
  afterAll(nothingSetAside);
  const kept = async (rest: { readonly isPublished: boolean; readonly withDue: boolean }) => {
    const { pool } = vtn.database;
    await nothingSetAside();
    await pool.query("delete from passing_messages where recipient = 'oas_x'");
    await pool.query("delete from openadr3_changes where written_by = $1", [writer]);
    await pool.query(
      `insert into openadr3_changes (environment, operation, object_type, object_id, object, targets, written_by, at)
       select 'production', 'UPDATE', 'REPORT', name, '"0123456789"', '{}', $1,
         case when name = 'just written' then '2026-01-03' else '2026-01-01' end::timestamptz
       from unnest(array['told', 'unpublished', 'just written', 'without callbacks', 'retried', 'newest']) as given (name)`,
      [writer],
    );
    await caughtUp(pool, CALLBACKS);
    await pool.query(
      `insert into follower_faults (follower, seq, environment, at, kind, subject, since)
       select case object_id when 'unpublished' then '${OUTSIDE_BROKER}' else '${CALLBACKS}' end, seq, environment, at,
         'openadr3.change', object_id, at
       from openadr3_changes where written_by = $1 and object_id in ('unpublished', 'without callbacks')`,
      [writer],
    );
    // What is not set aside the broker has seen.
    await pool.query("update followers set seen = pg_current_snapshot() where name = $1", [OUTSIDE_BROKER]);
    await pool.query(
      `insert into passing_messages (id, change_seq, recipient, entry, client_id, subject, event, detail, created_at,
         next_attempt_at)
       select 'odl_' || object_id, seq, 'oas_x', 0, 'oac_x', object_id, 'report.update', '{}', now(), 'infinity' from openadr3_changes
       where written_by = $1 and object_id = 'retried'`,
      [writer],
    );
    const writtenBefore = new Date("2026-01-02");
    await clientVolume(pool).dropOldChanges(writer, { bytes: 12, writtenBefore, ...rest });
    const { rows } = await pool.query("select object_id from openadr3_changes where written_by = $1 order by seq", [
      writer,
    ]);
    return rows.map(({ object_id }) => object_id);
  };

  test("are dropped once all were told; those of a VEN before, too", async () => {
    expect(await kept({ isPublished: false, withDue: false })).toEqual([
      "just written",
      "without callbacks",
      "retried",
      "newest",
    ]);
    expect(await kept({ isPublished: true, withDue: false })).toEqual([
      "unpublished",
      "just written",
      "without callbacks",
      "retried",
      "newest",
    ]);
    expect(await kept({ isPublished: true, withDue: true })).toEqual(["newest"]);
  });
});

test("ended events go after the days of a setting, with their reports, and old reports", async () => {
  const ven = await vtn.ven();
  const [ended, standing] = [await event(), await event()];
  const reports = [await ven.reports.made(reportOf(ended.id, 1)), await ven.reports.made(reportOf(standing.id, 1))];
  const { pool } = vtn.database;
  await pool.query("update openadr3_objects set transpires_at = '2020-01-01' where id = $1", [ended.id]);
  const removesAll = async (before: string, limit: number): Promise<boolean> =>
    (await objectArchive(pool).removeSome({ after: 0, before: new Date(before), limit })) === null;
  // One that removes as many as it may does not know that these were all.
  expect(await removesAll("2019-01-01", 1)).toBe(true);
  expect(await bl.events.get(ended.id)).toMatchObject({ status: 200 });
  expect(await removesAll("2020-06-01", 2)).toBe(false);
  expect(await bl.events.get(ended.id)).toMatchObject({ status: 404 });
  expect(await ven.reports.get(reports[0].id)).toMatchObject({ status: 404 });
  expect(await ven.reports.get(reports[1].id)).toMatchObject({ status: 200 });
  await pool.query("update openadr3_objects set modified_at = '2020-01-01' where id = $1", [reports[1].id]);
  expect(await removesAll("2020-06-01", 1)).toBe(false);
  expect(await ven.reports.get(reports[1].id)).toMatchObject({ status: 404 });
  expect(await removesAll("2020-06-01", 1)).toBe(true);
});
