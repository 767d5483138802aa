import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import type pg from "pg";
import { expect, test } from "vitest";
import type { ClaimedDelivery, DeliveryOutcome } from "../../../src/notification/domain/delivery.js";
import { attemptDelivery, type DeliveryQueue } from "../../../src/notification/operations/deliver-notices.js";
import { deliveryQueue, productionQueue } from "../../../src/notification/storage/delivery-queue.js";
import { dropMessages } from "../../../src/notification/storage/delivery-store.js";
import { ATTEMPT_MS, HUNG_MS } from "../../../src/platform/attempt.js";
import { openQueuePool } from "../../../src/platform/database/database.js";
import { LEASE_MS } from "../../../src/platform/worker/lease.js";
import { OutcomeRecorder } from "../../../src/platform/worker/outcome-recorder.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";
import { testSecretBox } from "../../support/secret-box.js";

// Two processes over one queue, each with its own idea of which webhooks hang. What they do at the same time really meets
// in the database; the time is a number, so that retries and leases pass at once.

type Behaviour = "answers" | "hangs" | "fails";

const WEBHOOKS = 8;
const webhookIds = Array.from({ length: WEBHOOKS }, (_, index) => `wh_${index}`);
const EPOCH = Date.parse("2026-06-01T00:00:00Z");

let database: TestDatabase;
let pools: pg.Pool[];

class World {
  nowMs = EPOCH;
  dispatches = 0;
  readonly behaviours = new Map<string, Behaviour>();
  /** Until when each delivery is held by a worker that lives; a second one must not get it. */
  readonly held = new Map<string, number>();
  readonly twice: string[] = [];

  now(): Date {
    return new Date(this.nowMs);
  }

  behaviourOf(webhookId: string): Behaviour {
    return this.behaviours.get(webhookId) ?? "answers";
  }

  async dispatch(): Promise<void> {
    const id = `dis_${this.dispatches++}`;
    await database.pool.query(
      `insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized,
          start_time, notification_time, modification_number, created_at, changed_at)
       values ($1, 'prg_test_dispatch', '', 'UTC', '', 'not_specified', true, true, $2, $2, 0, $2, $2)`,
      [id, this.now()],
    );
    await database.pool.query(
      `insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id, dispatch_group)
       select $1, row_number() over (order by id), id, account_id, '', '', '' from sites`,
      [id],
    );
    await this.notice(id, "dispatch.create");
  }

  async change(number: number): Promise<void> {
    if (this.dispatches > 0) await this.notice(`dis_${number % this.dispatches}`, "dispatch.update");
  }

  private async notice(id: string, event: string): Promise<void> {
    await database.pool.query("insert into notices (dispatch_id, event, due_at) values ($1, $2, $3)", [
      id,
      event,
      this.now(),
    ]);
  }

  async rotate(webhookId: string): Promise<void> {
    await database.pool.query("update webhooks set secret = 'whsec_' || gen_random_uuid() where id = $1", [webhookId]);
  }

  async remove(webhookId: string): Promise<void> {
    const gone = await database.pool.query(
      "update webhooks set deleted_at = $2 where id = $1 and deleted_at is null returning id",
      [webhookId, this.now()],
    );
    if (gone.rowCount === 1) await this.drop([webhookId], "webhook_deleted");
  }

  async disable(accountId: string): Promise<void> {
    await database.pool.query("update accounts set disabled = true where id = $1", [accountId]);
    const { rows } = await database.pool.query<{ id: string }>("select id from webhooks where account_id = $1", [
      accountId,
    ]);
    await this.drop(
      rows.map(({ id }) => id),
      "account_disabled",
    );
  }

  private async drop(ids: readonly string[], reason: "webhook_deleted" | "account_disabled"): Promise<void> {
    await dropMessages(database.pool, { of: "recipient", ids, at: this.now(), reason });
  }
}

interface Flight {
  readonly delivery: ClaimedDelivery;
  readonly behaviour: Behaviour;
  readonly sinceMs: number;
}

/** A process: what it claims it holds until it records it, or dies. */
class Worker {
  private flights: Flight[] = [];
  private readonly hanging = new Set<string>();
  private after: string | null = null;

  private readonly recorder: OutcomeRecorder<ClaimedDelivery, DeliveryOutcome>;

  constructor(
    private readonly world: World,
    private readonly queue: DeliveryQueue,
  ) {
    this.recorder = new OutcomeRecorder(
      {
        gatherMs: 0,
        all: (sent) => queue.record(sent),
        isLate: ({ attempt }) => attempt.durationMs >= HUNG_MS,
      },
      { sleep: () => Promise.resolve() },
    );
  }

  async expand(limit: number): Promise<void> {
    this.take((await this.queue.expandDue({ ...this.lease(), limit })).claimed);
  }

  async expandBehind(): Promise<void> {
    await this.queue.expandBehind(this.lease());
  }

  async claim(limit: number, perWebhook: number): Promise<void> {
    this.take(await this.queue.claim({ ...this.lease(), limit, perWebhook }));
  }

  async catchUp(limit: number): Promise<void> {
    await this.queue.putBehind({ ...this.lease(), limit });
    const { claimed, reached } = await this.queue.claimBehind({ ...this.lease(), limit, after: this.after });
    this.after = reached;
    this.take(claimed);
  }

  /** It is known that a webhook hangs before its attempt is over. */
  notice(): void {
    for (const { delivery, behaviour, sinceMs } of this.flights)
      if (behaviour === "hangs" && this.world.nowMs - sinceMs >= HUNG_MS) this.hanging.add(delivery.webhookId);
  }

  async finish(): Promise<void> {
    const { nowMs } = this.world;
    this.notice();
    const over = this.flights.filter(
      ({ behaviour, sinceMs }) => behaviour !== "hangs" || nowMs - sinceMs >= ATTEMPT_MS,
    );
    this.flights = this.flights.filter((flight) => !over.includes(flight));
    const sent = await Promise.all(
      over.map(async (flight) => ({ item: flight.delivery, outcome: await this.attempt(flight) })),
    );
    for (const { delivery, behaviour } of over) if (behaviour !== "hangs") this.hanging.delete(delivery.webhookId);
    await Promise.all(sent.map((each) => this.recorder.add(each)));
    for (const { delivery } of over) this.world.held.delete(delivery.id);
  }

  /** What it held may be claimed by others once its leases are over, and its memory is empty. */
  die(): void {
    this.flights = [];
    this.hanging.clear();
    this.after = null;
  }

  private attempt({ delivery, behaviour, sinceMs }: Flight) {
    const hangs = behaviour === "hangs";
    const none = { address: null, responseType: null, responseBody: null };
    const attempt = { at: new Date(sinceMs), durationMs: hangs ? ATTEMPT_MS : 5, ...none };
    const answer =
      behaviour === "answers" ? { ok: true, status: 200, error: null } : { ok: false, status: null, error: "timeout" };
    const send = () => Promise.resolve({ ...attempt, ...answer });
    return attemptDelivery({ clock: this.world, send, random: () => 0.5 }, delivery);
  }

  private take(claimed: readonly ClaimedDelivery[]): void {
    const { world } = this;
    for (const delivery of claimed) {
      if ((world.held.get(delivery.id) ?? 0) > world.nowMs) world.twice.push(delivery.id);
      world.held.set(delivery.id, delivery.leasedUntil.getTime());
      this.flights.push({ delivery, behaviour: world.behaviourOf(delivery.webhookId), sinceMs: world.nowMs });
    }
  }

  private lease() {
    const { nowMs } = this.world;
    const now = this.world.now();
    return {
      now,
      lapsedBefore: now,
      leasedUntil: new Date(nowMs + LEASE_MS),
      inFlightUntil: new Date(nowMs + LEASE_MS - ATTEMPT_MS - 1000),
      hung: [...this.hanging],
      reliable: webhookIds.slice(0, 2),
    };
  }
}

const worker = fc.oneof(
  fc.record({ do: fc.constant("expand" as const), limit: fc.integer({ min: 0, max: 12 }) }),
  fc.record({ do: fc.constant("expandBehind" as const) }),
  fc.record({
    do: fc.constant("claim" as const),
    limit: fc.integer({ min: 1, max: 12 }),
    each: fc.constantFrom(1, 4),
  }),
  fc.record({ do: fc.constant("catchUp" as const), limit: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constantFrom("notice" as const, "finish" as const) }),
);
const webhook = fc.constantFrom(...webhookIds);
const outside = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("dispatch" as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("change" as const), number: fc.nat(20) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("behave" as const),
      webhook,
      as: fc.constantFrom<Behaviour>("answers", "hangs", "hangs", "fails"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("rotate" as const), webhook }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), webhook }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("die" as const), who: fc.constantFrom(0, 1) }) },
);
const moment = fc.record({
  passesMs: fc.constantFrom(0, 1, 200, 2100, 9000),
  outside,
  workers: fc.tuple(worker, worker),
  third: fc.option(worker, { nil: null }),
});
const story = fc.record({
  moments: fc.array(moment, { minLength: 30, maxLength: 60 }),
  disablesAt: fc.nat(120),
});

const work = async (by: Worker, step: typeof worker extends fc.Arbitrary<infer Step> ? Step : never): Promise<void> => {
  if (step.do === "expand") await by.expand(step.limit);
  else if (step.do === "expandBehind") await by.expandBehind();
  else if (step.do === "claim") await by.claim(step.limit, step.each);
  else if (step.do === "catchUp") await by.catchUp(step.limit);
  else if (step.do === "finish") await by.finish();
  else by.notice();
};

const happen = async (
  world: World,
  workers: readonly Worker[],
  step: typeof outside extends fc.Arbitrary<infer Step> ? Step : never,
): Promise<void> => {
  if (step.do === "dispatch") await world.dispatch();
  else if (step.do === "change") await world.change(step.number);
  else if (step.do === "behave") world.behaviours.set(step.webhook, step.as);
  else if (step.do === "rotate") await world.rotate(step.webhook);
  else if (step.do === "remove") await world.remove(step.webhook);
  else workers[step.who]?.die();
};

const begin = async (): Promise<World> => {
  database = await cloneDatabase();
  pools = [1, 2].map(() => openQueuePool(database.pool, () => {}));
  await database.pool.query(
    `insert into accounts (id, name, disabled, created_at) select 'acc_' || n, 'Account ' || n, false, now() from generate_series(0, 1) as n`,
  );
  await database.pool.query(
    `insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
     select 'site_' || n, 'acc_' || n, '', '', '', 'UTC', now() from generate_series(0, 1) as n`,
  );
  await database.pool.query(
    `insert into webhooks (id, account_id, url, events, secret, created_at)
     select id, 'acc_' || nth % 2, 'http://127.0.0.1/', '{dispatch.create,dispatch.update}', 'whsec_', now()
     from unnest($1::text[]) with ordinality as given (id, nth)`,
    [webhookIds],
  );
  return new World();
};

const end = async (): Promise<void> => {
  await Promise.all(pools.map((pool) => pool.end()));
  await database.drop();
};

const left = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ count: number }>(
    `select (select count(*) from messages where state = 'pending') + (select count(*) from notices where state = 'waiting') as count`,
  );
  return rows[0]?.count ?? 0;
};

/** Both go on as they do; nothing else happens. A delivery is given up 130 s after its first attempt, one after the other. */
const untilNoneIsLeft = async (world: World, workers: readonly Worker[]): Promise<number> => {
  for (let rounds = 0; rounds < 500 && (await left()) > 0; rounds++) {
    world.nowMs += ATTEMPT_MS;
    await Promise.all(
      workers.map(async (each) => {
        await each.finish();
        await each.expand(10);
        await each.expandBehind();
        await each.claim(10, 4);
        await each.catchUp(4);
      }),
    );
  }
  return left();
};

const numberOf = async (sql: string): Promise<number> =>
  (await database.pool.query<{ count: number }>(`select count(*) as count ${sql}`)).rows[0]?.count ?? 0;

test("whatever hangs, recovers or is removed while two processes claim, every delivery is made once, in order, and ends by the schedule", async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ moments, disablesAt }) => {
      const world = await begin();
      const [one, two] = pools.map((pool) => new Worker(world, deliveryQueue(pool, testSecretBox, productionQueue)));
      if (one === undefined || two === undefined) throw new Error("no two processes");
      const workers = [one, two] as const;
      try {
        for (const [index, { passesMs, workers: steps, third, outside: event }] of moments.entries()) {
          world.nowMs += passesMs;
          await Promise.all([
            happen(world, workers, event),
            work(workers[0], steps[0]),
            work(workers[1], steps[1]),
            third === null ? null : work(workers[index % 2 === 0 ? 0 : 1], third),
            index === disablesAt ? world.disable("acc_1") : null,
          ]);
        }
        expect(await untilNoneIsLeft(world, workers)).toBe(0);
        expect(world.twice).toEqual([]);
        expect(
          await numberOf(
            `from notices cross join webhooks join accounts on accounts.id = account_id
             where deleted_at is null and not disabled and 1 <> (
               select count(*) from messages where notice_seq = notices.seq and recipient = webhooks.id)`,
          ),
        ).toBe(0);
        expect(
          await numberOf(
            `from messages join webhooks on webhooks.id = recipient join accounts on accounts.id = webhooks.account_id
             where not (state = 'delivered' or state = 'failed' and failures = 5
               or state = 'dropped' and (deleted_at is not null or disabled))`,
          ),
        ).toBe(0);
        // What is later in a dispatch is not tried before the earlier is over.
        expect(
          await numberOf(
            `from messages as earlier join messages as later using (recipient, subject)
             join message_attempts as last on last.message_id = earlier.id
             join message_attempts as first on first.message_id = later.id
             where earlier.notice_seq < later.notice_seq and first.at < last.at and earlier.state <> 'dropped'`,
          ),
        ).toBe(0);
      } finally {
        await end();
      }
    }),
    // Each run takes seconds, so a story that fails is not made shorter.
    { numRuns: propertyRuns(8, { atMost: 30 }), endOnFailure: true },
  );
}, 300_000);
