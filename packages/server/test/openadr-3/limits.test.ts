import { expect, test } from "vitest";
import { CALLBACKS } from "../../src/openadr-3/operations/queue-notifications.js";
import { hasSeen } from "../../src/platform/database/follower-store.js";
import { type Client31, runningVtn } from "../support/openadr-3.js";

const vtn = await runningVtn({ CURTAIL_OPENADR3_MAX_RESOURCES: "3", CURTAIL_OPENADR3_MAX_REPORT_MB: "1" });
const bl = await vtn.bl();

let count = 0;

test("a client may have so many subscriptions", async () => {
  const objectOperations = [{ objects: ["EVENT"], operations: ["CREATE"], callbackUrl: "http://127.0.0.1:1/" }];
  await vtn.database.pool.query(
    `insert into openadr3_objects (id, environment, object_type, client_id, name, body, created_at, modified_at)
     select 'sub_' || n, 'production', 'SUBSCRIPTION', $1, 'any', '{}', now(), now() from generate_series(1, 3) as n`,
    [bl.id],
  );
  const answer = await bl.subscriptions.create({ clientName: "any", objectOperations });
  // Its address is challenged before; either way there is no fourth one.
  expect(answer.status).toBeGreaterThanOrEqual(400);
  const { rows } = await vtn.database.pool.query("select from openadr3_objects where object_type = 'SUBSCRIPTION'");
  expect(rows.length).toBe(3);
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

const bytesOf = async ({ id }: Client31 & { readonly id: string }) => {
  const { rows } = await vtn.database.pool.query<{ objects: number; changes: number }>(
    `select (select coalesce(sum(octet_length(body::text)), 0)::int from openadr3_objects
             where object_type = 'REPORT' and client_id = $1) as objects,
       (select coalesce(sum(octet_length(object::text)), 0)::int from openadr3_changes
        where object_type = 'REPORT' and client_id = $1 and ${hasSeen(CALLBACKS, "openadr3_changes")}) as changes`,
    [id],
  );
  return rows[0] ?? { objects: 0, changes: 0 };
};

test("no report is refused for the total: the oldest are dropped, of this client alone", async () => {
  const [ven, other] = [await vtn.ven(), await vtn.ven()];
  const { id: eventID } = await event();
  const first = await other.reports.made(reportOf(eventID, 200_000));
  const ids: string[] = [];
  for (let each = 0; each < 12; each++) {
    ids.push((await ven.reports.made(reportOf(eventID, 200_000))).id);
    expect((await bytesOf(ven)).objects).toBeLessThanOrEqual(1_000_000);
  }
  const kept = (await ven.reports.search()).body.map(({ id }: { readonly id: string }) => id);
  expect(kept).toEqual(ids.slice(-kept.length));
  expect(kept.length).toBeGreaterThanOrEqual(4);
  expect(await other.reports.get(first.id)).toMatchObject({ status: 200 });
  // What was recorded for subscribers goes, too: it would be kept for a week.
  await expect
    .poll(async () => {
      await ven.reports.made(reportOf(eventID, 200_000));
      return (await bytesOf(ven)).changes;
    })
    .toBeLessThanOrEqual(1_600_000);
});

test("the place of a payload descriptor tells its kind, and answers name it", async () => {
  const { programID } = await event();
  const payloadDescriptors = [{ payloadType: "PRICE", units: "KWH", currency: "EUR" }];
  const intervals = [{ id: 0, payloads: [{ type: "PRICE", values: [1] }] }];
  const made = await bl.events.made({ programID, payloadDescriptors, intervals });
  expect(made.payloadDescriptors).toEqual([{ objectType: "EVENT_PAYLOAD_DESCRIPTOR", ...payloadDescriptors[0] }]);
  const report = await (await vtn.ven()).reports.made({
    ...reportOf(made.id, 1),
    payloadDescriptors: [{ payloadType: "NOTE" }],
  });
  expect(report.payloadDescriptors).toEqual([{ objectType: "REPORT_PAYLOAD_DESCRIPTOR", payloadType: "NOTE" }]);
  const wrong = [{ objectType: "REPORT_PAYLOAD_DESCRIPTOR", payloadType: "PRICE" }];
  expect(await bl.events.create({ programID, payloadDescriptors: wrong, intervals })).toMatchObject({ status: 400 });
});
