import { createWebhook } from "@curtail/contract";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { beforeAll, expect, test } from "vitest";
import { type DeadKind, deadEndpoints, failingKinds, hangingKinds } from "../../support/dead-endpoints.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { type Running, running } from "../../support/running.js";

const DEAD = 1000;
const DISPATCHES = 6;
const kinds: readonly DeadKind[] = [...hangingKinds, ...failingKinds];
const HANGING = (DEAD / kinds.length) * hangingKinds.length;

let service: Running;
let live: Receiver;
let program: string;

beforeAll(async () => {
  service = await running();
  const [anna, dead] = [await service.newParticipant(), await service.newParticipant()];
  // First in every order of registration.
  await insertWebhooks(dead.accountId);
  live = await receiver();
  await anna.call(createWebhook, { body: { url: live.url, events: [{ name: "dispatch.create" }] } });
  program = await newProgram(service, [anna, dead]);
});

/** By SQL, because an address that does not answer cannot be registered. */
const insertWebhooks = async (accountId: string): Promise<void> => {
  const urlOf = await deadEndpoints();
  const urls = Array.from({ length: DEAD }, (_, index) => urlOf(kinds[index % kinds.length] ?? "silent", index));
  await service.database.pool.query(
    `insert into webhooks (id, account_id, url, events, secret, created_at)
     select 'wh_dead_' || n, $1, url, '{dispatch.create}', $2, now() from unnest($3::text[]) with ordinality as given (url, n)`,
    [accountId, `whsec_${Buffer.alloc(32, 7).toString("base64")}`, urls],
  );
};

/** Deliveries of a dispatch to dead receivers that a worker holds, or whose attempt is recorded. */
const deadDeliveries = async (
  dispatchId: string,
  column: "leased_until" | "attempts",
  kind: "hanging" | "failing",
): Promise<number> => {
  const counted =
    column === "attempts"
      ? "exists (select from message_attempts where message_id = messages.id)"
      : "leased_until is not null";
  const { rows } = await service.database.pool.query<{ count: number }>(
    `select count(*) as count from messages join webhooks on webhooks.id = recipient
     where recipient like 'wh_dead_%' and subject = $2 and (url ~ 'silent|dripping|deaf') = $1 and ${counted}`,
    [kind === "hanging", dispatchId],
  );
  return rows[0]?.count ?? 0;
};

// Shown by order, not by a clock: `npm run bench:fanout` has the times.
test("beside 1,000 dead endpoints, a live one has every notice before any that hangs has ended its first attempt", async () => {
  const ids: string[] = [];
  for (let count = 1; count <= DISPATCHES; count++) {
    const { id } = await newDispatch(service, program);
    ids.push(id);
    await live.notices(count);
    expect(await deadDeliveries(id, "attempts", "hanging")).toBe(0);
  }
  const [first = ""] = ids;
  // Control: the dead ones were in flight, and some that fail at once have failed.
  const inFlight = async () =>
    (await deadDeliveries(first, "leased_until", "hanging")) + (await deadDeliveries(first, "attempts", "hanging"));
  await expect.poll(inFlight).toBeGreaterThanOrEqual(HANGING);
  await expect.poll(() => deadDeliveries(first, "attempts", "failing")).toBeGreaterThan(0);
}, 120_000);
