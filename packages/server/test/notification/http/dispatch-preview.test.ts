import { type BodyOf, changeSchedule, operator } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { wireProgram } from "@curtail/testing/wire-forms";
import { beforeAll, describe, expect, test } from "vitest";
import { type Ahead, ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import { recorded } from "../../support/recorded.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { failForGood, subscribe } from "../../support/unreachable.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

const everything = async () =>
  (
    await service.database.pool.query(
      "select (select count(*) from audit_log) as entries, (select count(*) from dispatches) as dispatches",
    )
  ).rows;

describe("before it is issued", () => {
  let anna: Participant;
  let ben: Participant;
  let program: string;

  beforeAll(async () => {
    anna = await service.newParticipant({ name: "Anna", sites: [["main"], ["main"]] });
    ben = await service.newParticipant({ name: "Ben" });
    program = await newProgram(service, [anna, ben]);
  });

  const preview = (body: object = {}, program_id = program) =>
    service.operator(operator.previewDispatch, {
      body: { program_id, start_time: ahead(service, { hours: 1 }), ...body },
    });
  const accountIn = async (participant: Participant) => {
    const { body } = await preview({}, await newProgram(service, [participant]));
    const [account] = body.accounts;
    if (account === undefined) throw new Error("the preview names no account");
    return account;
  };

  const empty = wireProgram({ name: "Empty" });

  describe("a preview", () => {
    test("says how many sites and kW a dispatch would call, account by account, and writes nothing", async () => {
      await service.made(operator.enrolSite, {
        params: { id: program, site_id: anna.sites[1]?.id ?? "" },
        body: { commitment: null },
      });
      const before = await everything();
      const { status, body } = await preview();
      expect(status).toBe(200);
      expect(body).toMatchObject({
        sites: 3,
        commitment_kw: 100,
        excluded_sites: [],
        accounts: [
          { account_id: anna.accountId, name: "Anna", sites: 2, commitment_kw: 50, commitment_unknown_sites: 1 },
          { account_id: ben.accountId, name: "Ben", sites: 1, commitment_kw: 50, commitment_unknown_sites: 0 },
        ],
      });
      expect(await everything()).toEqual(before);
    });

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

    test("refuses what issuing a dispatch refuses, in the same words", async () => {
      const start_time = ahead(service, { hours: 1 });
      const site = { site_id: anna.sites[0]?.id };
      for (const body of [
        { start_time: "soon" },
        { start_time, end_time: start_time },
        { start_time: ahead(service, { days: 367 }) },
        { start_time, notification_time: ahead(service, { hours: 2 }) },
        { start_time, program_id: "prg_0" },
        { start_time, sites: [] },
        { start_time, sites: [site, site] },
        { start_time, sites: [{ site_id: "site_0" }] },
        { start_time, program_id: (await service.made(operator.createProgram, { body: empty })).id },
      ]) {
        const whole = { program_id: program, ...body };
        const refused = await service.operator("POST", "/dispatches", whole);
        expectError(refused, 400);
        expect((await service.operator("POST", "/dispatches/preview", whole)).text).toBe(refused.text);
      }
    });

    test("is not there for auditors, who only read", async () => {
      const auditor = await newBrowser(service, "auditor");
      const body = { program_id: program, start_time: ahead(service, { hours: 1 }) };
      expectError(await auditor.operator(operator.previewDispatch, { body }), 404, /for the role auditor/);
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

    test("a webhook whose last delivery failed is warned of, until one succeeds", async () => {
      const dora = await service.newParticipant();
      const hook = await receiver();
      await subscribe(dora, hook);
      expect(await accountIn(dora)).toMatchObject({
        channels: [
          { channel: "webhook", description: hook.url, last_seen_at: null },
          { channel: "rest", description: "1 key" },
        ],
        warnings: ["The account has no contacts: no mail can be sent when its webhooks fail."],
      });
      hook.answer = 503;
      const own = await newProgram(service, [dora]);
      const { id } = await newDispatch(service, own);
      await failForGood(service, id, 1);
      expect((await accountIn(dora)).warnings).toContain(`The last delivery to webhook ${hook.url} failed.`);
      hook.answer = 200;
      await recorded(service, (await newDispatch(service, own)).id, 1);
      const after = await accountIn(dora);
      expect(after.warnings).toHaveLength(1);
      expect(after.channels[0]).toMatchObject({ last_seen_at: expect.any(String) });
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

interface Overlap {
  readonly dispatch_id: string;
  readonly program: string;
  readonly until: string | null;
  readonly test: boolean;
}

interface Site {
  readonly id: string;
  readonly overlaps: readonly Overlap[];
}

interface Issued {
  readonly id: string;
  readonly sites: readonly Site[];
}

/** Moves past all dispatches of the previous tests. */
const laterOn = () => service.clock.advance({ days: 40 });

const overlapsOf = ({ sites }: Issued): Overlap[][] => sites.map(({ overlaps }) => [...overlaps]);

const between = (from: Ahead, to: Ahead | null) => ({
  start_time: ahead(service, from),
  end_time: to === null ? null : ahead(service, to),
});

describe("overlaps", () => {
  let anna: Participant;
  let peak: string;
  let reserve: string;

  beforeAll(async () => {
    anna = await service.newParticipant({ name: "Anna", sites: [["main"], ["main"]] });
    peak = await newProgram(service, [anna], { name: "Peak" });
    reserve = await newProgram(service, [anna], { name: "Reserve" });
  });

  const issue = (body: Omit<BodyOf<typeof operator.createDispatch>, "program_id">, program_id = reserve) =>
    service.made(operator.createDispatch, { body: { program_id, ...body } });
  const one = (index: number) => [{ site_id: anna.sites[index]?.id ?? "" }];

  describe("a dispatch of sites that are dispatched already", () => {
    test("is issued, and names for each site the other dispatch, its program and until when it lasts", async () => {
      const first = await newDispatch(service, peak, { ...between({ hours: 1 }, { hours: 3 }), sites: one(0) });
      const period = between({ hours: 2 }, { hours: 4 });
      const overlap = {
        dispatch_id: first.id,
        program: "Peak",
        until: ahead(service, { hours: 3 }),
        test: false,
      };
      const preview = await service.operator(operator.previewDispatch, { body: { program_id: reserve, ...period } });
      expect(preview.body.overlapping_sites).toEqual([
        { site_id: anna.sites[0]?.id, name: "Anna, site 1", account_id: anna.accountId, overlaps: [overlap] },
      ]);
      expect(overlapsOf(await issue(period))).toEqual([[overlap], []]);
    });

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
      const own = await anna.call("POST", "/dispatches", between({ hours: 1 }, { hours: 2 }));
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
