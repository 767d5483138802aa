import { changeSchedule, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { dispatchStore } from "../../../src/dispatch/storage/dispatch-store.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import {
  accountIn,
  ben,
  between,
  issue,
  one,
  overlapsOf,
  peak,
  prepare,
  prepareOverlaps,
  preparePreview,
  preview,
  program,
  reserve,
  service,
  twoSites,
} from "../../support/previews.js";
import { running } from "../../support/running.js";

test("ten thousand sites that are dispatched already take some ten times as long to find as a thousand", async () => {
  const service = await running();
  const { accountId } = await service.newParticipant();
  const { pool } = service.database;
  await pool.query(
    `insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
     select 'site_many_' || n, $1, 'Site ' || n, '', '', 'UTC', now() from generate_series(1, 10000) as n`,
    [accountId],
  );
  const program_id = await newProgram(service, [], { name: "Many" });
  await pool.query(
    `insert into enrolments (program_id, site_id, commitment_kw)
     select $1, 'site_many_' || n, 5 from generate_series(1, 10000) as n`,
    [program_id],
  );
  const period = { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) };
  const issue = () => service.made(operator.createDispatch, { body: { program_id, ...period } });
  await issue();
  const { sites } = await issue();
  expect(sites.filter(({ overlaps }) => overlaps.length === 1)).toHaveLength(10_000);
  const ids = sites.map(({ id }) => id);
  const search = { from: new Date(period.start_time), to: new Date(period.end_time), exceptId: null };
  const fastestMs = async (siteIds: readonly string[]) => {
    const times = [];
    for (let round = 0; round < 5; round++) {
      const began = performance.now();
      expect(await dispatchStore(pool).meeting(siteIds, search)).toHaveLength(2);
      times.push(performance.now() - began);
    }
    return Math.min(...times);
  };
  const few = await fastestMs(ids.slice(0, 1000));
  expect(await fastestMs(ids)).toBeLessThan(30 * few + 20);
});

beforeAll(prepare);

describe("before it is issued", () => {
  beforeAll(preparePreview);

  describe("a preview", () => {
    test("leaves out the sites that the dispatch would leave out", async () => {
      const site_id = ben.sites[0]?.id ?? "";
      const period = { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) };
      await ben.call(changeSchedule, { params: { site_id }, body: { available: false, ...period } });
      const previewed = (await preview(period)).body;
      const created = await service.made(operator.createDispatch, {
        body: { program_id: program, ...period },
      });
      expect(previewed).toMatchObject({ sites: 2, excluded_sites: [{ site_id }] });
      expect(previewed.excluded_sites).toEqual(created.excluded_sites);
    });
  });

  describe("an account's channels and warnings", () => {
    test("a key counts as one; without a poll within an hour the account is warned of", async () => {
      const carol = await service.newParticipant();
      await service.made(operator.createContact, {
        params: { id: carol.accountId },
        body: { name: "Carol", email: "carol@example.org" },
      });
      const polled = (at: string) =>
        service.database.pool.query(
          `insert into account_polls (account_id, last_at) values ($1, $2)
         on conflict (account_id) do update set last_at = excluded.last_at`,
          [carol.accountId, at],
        );
      expect(await accountIn(carol)).toMatchObject({
        channels: [{ channel: "rest", description: "1 key", last_seen_at: null }],
        mail_contacts: 1,
        warnings: [expect.stringMatching(/no webhook and no VEN and has never polled/)],
      });
      await polled(ahead(service, { hours: -1, seconds: 1 }));
      expect((await accountIn(carol)).warnings).toEqual([]);
      await polled(ahead(service, { hours: -1 }));
      expect((await accountIn(carol)).warnings).toEqual([expect.stringMatching(/has not polled since/)]);
      await service.operator(operator.revokeKey, { params: { id: carol.keyId } });
      expect((await accountIn(carol)).channels).toEqual([]);
    });

    test("warns of a VEN without a certificate, that never polled or missed three intervals; a VEN of other sites does not count", async () => {
      const eve = await service.newParticipant({ sites: [["main"], ["main"]] });
      const [first, second] = eve.sites.map(({ id }) => id);
      const ven = await service.made(operator.createVen, {
        params: { id: eve.accountId },
        body: { ven_id: "eve-1", sites: [first ?? ""], poll_interval_seconds: 60 },
      });
      expect(await accountIn(eve)).toMatchObject({
        channels: [{ channel: "rest" }],
        warnings: [
          expect.stringMatching(/no webhook and no VEN and has never polled/),
          "VEN eve-1 has no valid certificate, so it cannot be notified.",
          expect.stringMatching(/no contacts/),
        ],
      });
      await service.database.pool.query(
        `insert into ven_certificates (fingerprint, ven, pem, not_before, expires_at, created_at)
         values ('eve', $1, '', $2, $3, $2)`,
        [ven.id, service.clock.now(), ahead(service, { hours: 1 })],
      );
      expect(await accountIn(eve)).toMatchObject({
        channels: [{ channel: "openadr", description: "eve-1", last_seen_at: null }, { channel: "rest" }],
        warnings: ["VEN eve-1 has never polled.", expect.stringMatching(/no contacts/)],
      });
      const polled = (seconds: number) =>
        service.database.pool.query("update vens set last_poll_at = $2 where id = $1", [
          ven.id,
          new Date(ahead(service, { seconds })),
        ]);
      await polled(-180);
      expect((await accountIn(eve)).warnings).toHaveLength(1);
      await polled(-181);
      expect((await accountIn(eve)).warnings).toContainEqual(
        expect.stringMatching(/^VEN eve-1 has not polled since 20/),
      );
      const own = await newProgram(service, [eve]);
      const { accounts } = (await preview({ sites: [{ site_id: second }] }, own)).body;
      expect(accounts[0]?.channels).toMatchObject([{ channel: "rest" }]);
    });
  });
});

/** Moves past all dispatches of the previous tests. */
const laterOn = () => service.clock.advance({ days: 40 });

describe("overlaps", () => {
  beforeAll(prepareOverlaps);

  describe("a dispatch of sites that are dispatched already", () => {
    test("does not overlap where the ends touch, nor with what was cancelled", async () => {
      laterOn();
      await newDispatch(service, peak, between({ hours: 1 }, { hours: 2 }));
      await newDispatch(service, peak, between({ hours: 3 }, { hours: 4 }));
      const cancelled = await newDispatch(service, peak, between({ hours: 1 }, { hours: 4 }));
      await service.made(operator.changeDispatch, { params: { id: cancelled.id }, body: { authorized: false } });
      expect(overlapsOf(await issue(between({ hours: 2 }, { hours: 3 })))).toEqual([[], []]);
    });

    test("names one without an end for 24 hours, from its start or, once it runs, from now", async () => {
      laterOn();
      const open = await newDispatch(service, peak, { ...between({ hours: 1 }, null), sites: one(1) });
      const [, overlaps] = overlapsOf(await issue(between({ hours: 24 }, { hours: 30 })));
      expect(overlaps).toEqual([{ dispatch_id: open.id, program: "Peak", until: null, test: false }]);
      expect(overlapsOf(await issue(between({ hours: 25 }, { hours: 26 })))[1]).not.toContainEqual(overlaps?.[0]);
      service.clock.advance({ days: 3 });
      expect(overlapsOf(await issue(between({ hours: 23 }, { hours: 26 })))[1]).toEqual(overlaps);
      await service.made(operator.changeDispatch, { params: { id: open.id }, body: { end_time: ahead(service, {}) } });
    });

    test("names participants' own tests too, marked as tests", async () => {
      laterOn();
      const own = await twoSites.call("POST", "/dispatches", between({ hours: 1 }, { hours: 2 }));
      const [[overlap] = []] = overlapsOf(await issue(between({ hours: 1 }, { hours: 2 })));
      expect(overlap).toMatchObject({ dispatch_id: own.body.id, program: "Test dispatch", test: true });
    });

    test("is named by one of two that are issued at once", async () => {
      laterOn();
      const period = between({ hours: 1 }, { hours: 2 });
      const both = await Promise.all([issue(period, peak), issue(period, reserve)]);
      expect(both.flatMap(overlapsOf).flat().length).toBeGreaterThan(0);
    });

    test("names its overlaps again when its times change, and itself never", async () => {
      laterOn();
      const later = await newDispatch(service, peak, between({ hours: 5 }, { hours: 6 }));
      const { id } = await issue(between({ hours: 1 }, { hours: 2 }));
      const changed = await service.made(operator.changeDispatch, {
        params: { id },
        body: between({ hours: 1 }, { hours: 5.5 }),
      });
      expect(overlapsOf(changed).map((each) => each.map(({ dispatch_id }) => dispatch_id))).toEqual([
        [later.id],
        [later.id],
      ]);
      const cancelled = await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
      expect(overlapsOf(cancelled)).toEqual([[], []]);
    });
  });
});
