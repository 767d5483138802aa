import { auth, operator as contract, deleteWebhook } from "@curtail/contract";
import { chatRooms } from "@curtail/testing/chat-rooms";
import { type OidcProvider, oidcProvider } from "@curtail/testing/oidc-provider";
import { pushService } from "@curtail/testing/push-service";
import { receiver } from "@curtail/testing/receiver";
import { wireProgram } from "@curtail/testing/wire-forms";
import { generateSync } from "otplib";
import { beforeAll, describe, expect, test } from "vitest";
import { holdDelivery } from "../../../src/backup/storage/delivery-hold.js";
import { alarms } from "../../support/alarms.js";
import { demoService, untilDemo } from "../../support/demo.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { httpClient } from "../../support/http-client.js";
import { choose, register } from "../../support/noticing.js";
import { type Browser, newBrowser, newPerson, PASSWORD, signIn, trySignIn } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { setTerms, statementMade } from "../../support/settling.js";
import { addSimulated, untilSimulated } from "../../support/simulated-site.js";
import { subscribe } from "../../support/unreachable.js";

// Does every action once over the interfaces; `service.operator` checks each answer against the contract.
let provider: OidcProvider;
let service: Running;
let anna: Participant;
const seen = new Set<string>();

beforeAll(async () => {
  provider = await oidcProvider();
  service = await running(provider.settings);
  anna = await service.newParticipant();
});

interface Entry {
  readonly action: string;
  readonly subject_kind: string;
  readonly before: object | null;
  readonly after: object | null;
}

const mark = (state: object | null): string => (state === null ? "-" : "+");

/** The entries that the writes add, as `kind action before after`, oldest first: + where there is a state. */
const audited = async (write: () => Promise<unknown>): Promise<string[]> => {
  const newest = (await service.operator(contract.listAudit, { query: { limit: 1 } })).body.items[0]?.id;
  await write();
  const { items } = (await service.operator("GET", "/audit?limit=500")).body;
  const added: Entry[] = items.slice(
    0,
    items.findIndex((entry: { id: string }) => entry.id === newest),
  );
  for (const { action } of added) seen.add(action);
  return added
    .toReversed()
    .map(({ subject_kind, action, before, after }) => `${subject_kind} ${action} ${mark(before)}${mark(after)}`);
};

const remove = (path: string) => service.operator("DELETE", path);
const press = (link: string) => fetch(link, { method: "POST" });

describe("an entry has the states of its kind", () => {
  test("where accounts, contacts and keys are administered", async () => {
    const entries = await audited(async () => {
      const { id } = await service.made(contract.createAccount, { body: { name: "New" } });
      await service.made(contract.changeAccount, { params: { id }, body: { name: "Renamed" } });
      const person = { name: "Dana", email: "dana@example.com", phone: "+1 555 010 0200" };
      await remove(`/contacts/${(await service.made(contract.createContact, { params: { id }, body: person })).id}`);
      const room = { channel: "chat" as const, name: "Hall 1", address: (await chatRooms()).open().address };
      const { id: roomId } = await service.made(contract.createChannelAddress, { params: { id }, body: room });
      await remove(`/channel-addresses/${roomId}`);
      const claim = { environment: "production" as const, expires_at: ahead(service, { days: 90 }) };
      const key = await service.made(contract.createKey, { params: { id }, body: claim });
      await press(key.claim_url);
      await remove(`/keys/${key.id}`);
    });
    expect(entries).toEqual([
      "account account.create -+",
      "account account.change ++",
      "contact contact.create -+",
      "contact contact.delete +-",
      "channel_address channel_address.create -+",
      "channel_address channel_address.delete +-",
      "key key.create -+",
      "key key.claim --",
      "key key.revoke -+",
    ]);
  });

  test("where sites and programs are administered", async () => {
    const baseline = { preset: "high_4_of_5" };
    const entries = await audited(async () => {
      const meters = [{ name: "main" }];
      const site = await service.made(contract.createSite, {
        params: { id: anna.accountId },
        body: { name: "New", meters },
      });
      await service.made(contract.changeSite, { params: { id: site.id }, body: { display_enabled: true } });
      const meter = await service.made(contract.createMeter, {
        params: { id: site.id },
        body: { name: "Roof", asset_type: "generator" },
      });
      await service.made(contract.changeMeter, { params: { id: meter.id }, body: { name: "Roof, south" } });
      const readings = { query: { interval_seconds: 300 }, body: "timestamp,kw\n2026-01-01T00:05:00Z,1\n" };
      const filled = { ...readings.query, meter_id: meter.id };
      await service.made(contract.importMeterData, { params: { id: site.id }, ...readings, query: filled });
      const profile = { name: "New", mapping: { delimiter: ";" as const }, replace: true };
      const saving = { params: { id: anna.accountId }, body: profile };
      const { id: profileId } = await service.made(contract.saveAccountMappingProfile, saving);
      await service.made(contract.saveAccountMappingProfile, saving);
      const other = { ...profile, mapping: { delimiter: "," as const } };
      await service.made(contract.saveAccountMappingProfile, { ...saving, body: other });
      await remove(`/mapping-profiles/${profileId}`);
      const named = wireProgram({ name: "New", program_type: "energy" });
      const { id } = await service.made(contract.createProgram, { body: named });
      const limits = { amber_from: 0.5, green_from: 0.9, green_to: 1.2, stale_seconds: 90, least_coverage: 0.8 };
      const openadr = { level: 1 as const, ramp_up_seconds: 60 };
      await service.made(contract.changeProgram, {
        params: { id },
        body: {
          baseline,
          openadr,
          holidays: ["2026-12-25"],
          status_limits: limits,
        },
      });
      await service.made(contract.enrolSite, { params: { id, site_id: site.id }, body: { commitment: 50 } });
      await service.made(contract.enrolSite, {
        params: { id, site_id: site.id },
        body: { commitment: null, baseline },
      });
      await remove(`/programs/${id}/sites/${site.id}`);
    });
    expect(entries).toEqual([
      "site site.create -+",
      "site site.change ++",
      "meter meter.create -+",
      "meter meter.change ++",
      "meter_data meter_data.import -+",
      "mapping_profile mapping_profile.create -+",
      "mapping_profile mapping_profile.change ++",
      "mapping_profile mapping_profile.delete +-",
      "program program.create -+",
      "program program.change ++",
      "enrolment program.enrol -+",
      "enrolment program.enrol ++",
      "enrolment program.withdraw +-",
    ]);
  });

  test("where sites are dispatched, and taken out of dispatching", async () => {
    const program = await newProgram(service, [anna]);
    const far = { start_time: ahead(service, { days: 9 }), end_time: ahead(service, { days: 10 }) };
    const site = anna.sites[0]?.id;
    const entries = await audited(async () => {
      const { id } = await newDispatch(service, program);
      const call = { account_id: anna.accountId, person: "Ana", note: "will start" };
      await service.made(contract.recordPhoneCall, { params: { id }, body: call });
      await service.made(contract.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 3 }) } });
      await service.made(contract.changeDispatch, { params: { id }, body: { authorized: false } });
      const past = {
        start_time: ahead(service, { hours: -2 }),
        end_time: ahead(service, { hours: -1 }),
        confirm_past: true,
      };
      const over = await service.made(contract.createDispatch, { body: { program_id: program, ...past } });
      await service.made(contract.changeDispatch, {
        params: { id: over.id },
        body: { authorized: false, void_reason: "issued by mistake" },
      });
      await anna.call("POST", `/schedule/sites/${site}`, { available: false, ...far });
      const day = { id: site ?? "", date: "2026-06-24" };
      for (const reason of ["a repair", "a holiday"])
        await service.made(contract.excludeDay, { params: day, body: { reason } });
      await remove(`/sites/${site}/excluded-days/2026-06-24`);
      const [block] = (await service.operator("GET", `/sites/${site}/schedule`)).body.items;
      await remove(`/schedule/${block.id}`);
    });
    expect(entries).toEqual([
      "dispatch dispatch.create -+",
      "phone_call phone_call.record -+",
      "dispatch dispatch.change ++",
      "dispatch dispatch.cancel ++",
      "dispatch dispatch.create -+",
      "dispatch dispatch.void ++",
      "schedule_block schedule.create -+",
      "excluded_day excluded_day.create -+",
      "excluded_day excluded_day.change ++",
      "excluded_day excluded_day.delete +-",
      "schedule_block schedule.delete +-",
    ]);
  });

  test("where webhooks and alarms are looked after", async () => {
    const ben = await service.newParticipant();
    const program = await newProgram(service, [ben]);
    const hook = await receiver();
    const entries = await audited(async () => {
      const id = await subscribe(ben, hook);
      const dispatch = await newDispatch(service, program);
      const deliveries = async () =>
        (await service.operator(contract.listDispatchDeliveries, { params: { id: dispatch.id } })).body.items;
      await expect.poll(async () => (await deliveries())[0]?.state).toBe("delivered");
      await service.made(contract.resendDelivery, { params: { id: (await deliveries())[0]?.id ?? "" } });
      await service.made(contract.rotateWebhookSecret, { params: { id } });
      await ben.call(deleteWebhook, { params: { id } });
      const alarm = (await alarms(service)).find(({ subject }) => subject === ben.accountId);
      await service.made(contract.noteAlarm, {
        params: { id: alarm?.id ?? "" },
        body: { note: "they will call back" },
      });
      const group = { params: { id: `last_webhook_deleted.${dispatch.id}` } };
      const { at } = await service.made(contract.acknowledgeAlarmGroup, { ...group, body: {} });
      await service.made(contract.unacknowledgeAlarmGroup, { ...group, body: { acknowledged_at: at } });
      await service.made(contract.assignAlarmGroup, { ...group, body: { assigned_to: "Desk 2" } });
      const until = ahead(service, { hours: 1 });
      await service.made(contract.shelveAlarmGroup, { ...group, body: { until } });
      await service.made(contract.unshelveAlarmGroup, { ...group, body: {} });
      await service.made(contract.acknowledgeAlarm, { params: { id: alarm?.id ?? "" } });
    });
    expect(entries).toEqual([
      "webhook webhook.create -+",
      "dispatch dispatch.create -+",
      "delivery delivery.resend ++",
      "webhook webhook.rotate_secret ++",
      "webhook webhook.delete +-",
      "alarm alarm.note ++",
      "alarm_group alarm_group.acknowledge -+",
      "alarm_group alarm_group.unacknowledge -+",
      "alarm_group alarm_group.assign -+",
      "alarm_group alarm_group.shelve -+",
      "alarm_group alarm_group.unshelve -+",
      "alarm alarm.acknowledge ++",
    ]);
  });

  test("where shift reports are kept", async () => {
    const entries = await audited(async () => {
      const shift = { from_time: ahead(service, { hours: -1 }), to_time: ahead(service, {}) };
      const { id, version } = await service.made(contract.keepShiftReport, { body: shift });
      const body = { version, summary: "All is well." };
      await service.made(contract.changeShiftReport, { params: { id }, body });
    });
    expect(entries).toEqual(["shift_report shift_report.keep -+", "shift_report shift_report.change ++"]);
  });

  test("where VENs are set up and certified", async () => {
    const site = anna.sites[0]?.id ?? "";
    const entries = await audited(async () => {
      const { id } = await service.made(contract.createVen, {
        params: { id: anna.accountId },
        body: { ven_id: "store-12" },
      });
      const transport = { push_url: "https://192.0.2.1/ven", ca_certificate: null };
      await service.made(contract.changeVen, {
        params: { id },
        body: { sites: [site], transport, targets: { ven_id: false } },
      });
      const offer = await service.made(contract.certifyVen, { params: { id }, body: {} });
      if (!("claim_url" in offer)) throw new Error("no link was offered");
      const { fingerprint } = (await (await press(offer.claim_url)).json()) as { fingerprint: string };
      await remove(`/vens/${id}/certificates/${fingerprint}`);
      await remove(`/vens/${id}`);
    });
    expect(entries).toEqual([
      "ven ven.create -+",
      "ven ven.change ++",
      "certificate_link ven.offer_certificate -+",
      "certificate ven.certify -+",
      "certificate ven.revoke -+",
      "ven ven.delete +-",
    ]);
  });

  test("where users are administered", async () => {
    const entries = await audited(async () => {
      const { id } = await newPerson(service, "participant-admin", anna.accountId);
      await service.made(contract.changeUser, { params: { id }, body: { name: "Renamed" } });
      await service.made(contract.inviteUser, { params: { id } });
      await service.operator(contract.signOutUser, { params: { id } });
      await remove(`/users/${id}`);
    });
    expect(entries).toEqual([
      "user user.create -+",
      "user user.set_password --",
      "user user.change ++",
      "user user.invite --",
      "user user.sign_out --",
      "user user.delete +-",
    ]);
  });

  test("where people choose what they are notified of, without any of it", async () => {
    const pat = await newBrowser(service, "operator");
    const entries = await audited(async () => {
      await choose(pat, { dispatches: { mail: true, push: true } });
      const id = await register(pat, (await pushService()).newBrowser());
      await pat.auth(auth.removePushSubscription, { params: { id } });
    });
    expect(entries).toEqual(["user user.set_notices --", "user user.add_push --", "user user.remove_push --"]);
  });

  test("where people sign in and look after what they sign in with, without any of it", async () => {
    const ann = await newBrowser(service, "operator");
    const entries = await audited(async () => {
      const session = (await (await signIn(service, ann)).auth(auth.listSessions)).body.items[0];
      await ann.auth(auth.revokeSession, { params: { id: session?.id ?? "" } });
      const calendar = (await ann.auth(auth.createCalendar, { body: { name: "Phone" } })).body;
      await ann.auth(auth.deleteCalendar, { params: { id: calendar.id } });
      await ann.auth(auth.changePassword, { body: { password: PASSWORD, new_password: "quite another password" } });
      await useAuthenticator(ann, "quite another password");
    });
    expect(entries).toEqual([
      "session session.create --",
      "session session.revoke --",
      "calendar calendar.create --",
      "calendar calendar.delete --",
      "user user.change_password --",
      "user user.confirm_totp --",
      "session session.create_by_recovery_code --",
      "user user.renew_recovery_codes --",
      "user user.remove_totp --",
    ]);
  });

  test("where a result is approved, and how a site counts is decided", async () => {
    const program_id = await newProgram(service, [anna]);
    const past = {
      start_time: ahead(service, { hours: -7 }),
      end_time: ahead(service, { hours: -6 }),
      confirm_past: true,
    };
    const { id } = await service.made(contract.createDispatch, { body: { program_id, ...past } });
    const versions = async () => {
      service.clock.advance({ seconds: 6 });
      return (await service.made(contract.getAnyDispatchPerformance, { params: { id } })).versions;
    };
    await expect.poll(versions).toHaveLength(1);
    const body = { version: 1, note: "agreed" };
    const params = { id, site_id: anna.sites[0]?.id ?? "" };
    const entries = await audited(async () => {
      await service.made(contract.approvePerformance, { params: { id }, body });
      await service.made(contract.decideSite, { params, body: { counts: "not_judged", reason: "the link was down" } });
    });
    expect(entries).toEqual(["dispatch dispatch.approve -+", "dispatch dispatch.decide_site -+"]);
  });

  test("where terms are set, and a statement is made and approved", async () => {
    const id = await newProgram(service, [anna]);
    const past = {
      start_time: ahead(service, { hours: -1000 }),
      end_time: ahead(service, { hours: -999 }),
      confirm_past: true,
    };
    await service.made(contract.createDispatch, { body: { program_id: id, ...past } });
    const month = past.start_time.slice(0, 7);
    const entries = await audited(async () => {
      await setTerms(service, id, { capacity: { price_per_kw: "4.5", factor: null } }, month);
      const statement = await statementMade(service, anna.accountId, month);
      const body = { version: 1, note: "agreed" };
      await service.made(contract.approveStatement, { params: { id: statement }, body });
      await service.made(contract.deleteTerms, { params: { id, from_month: month } });
    });
    expect(entries).toEqual([
      "terms terms.set -+",
      "statement statement.make -+",
      "statement statement.approve -+",
      "terms terms.delete +-",
    ]);
  });

  test("where rules are adopted for an earlier month", async () => {
    const adopted = "update rules_adoptions set from_month = null, adopted_at = $1";
    await service.database.pool.query(adopted, [service.clock.now()]);
    const entries = await audited(async () => {
      const from_month = service.clock.now().toISOString().slice(0, 7);
      await service.made(contract.adoptRules, { body: { from_month, reason: "agreed" } });
    });
    expect(entries).toEqual(["rules rules.adopt -+"]);
  });

  test("where clients of OpenADR 3 are set up", async () => {
    const entries = await audited(async () => {
      const { id } = await service.made(contract.createOpenadrClient, {
        params: { id: anna.accountId },
        body: { name: "Gateway" },
      });
      await service.made(contract.changeOpenadrClient, { params: { id }, body: { targets: ["group-1"] } });
      await service.made(contract.rotateOpenadrSecret, { params: { id }, body: {} });
      await remove(`/openadr3-clients/${id}`);
    });
    expect(entries).toEqual([
      "openadr3_client openadr3_client.create -+",
      "openadr3_client openadr3_client.change ++",
      "openadr3_client openadr3_client.rotate_secret ++",
      "openadr3_client openadr3_client.revoke ++",
    ]);
  });

  test("where programs and events of the operator's own in OpenADR 3 are written", async () => {
    const entries = await audited(async () => {
      const payloads = [{ payload_type: "PRICE" as const, units: "KWH", currency: "EUR" }];
      const program = await service.made(contract.createOpenadrProgram, { body: { name: "Prices", payloads } });
      const params = { id: program.id };
      await service.made(contract.changeOpenadrProgram, { params, body: { targets: { names: ["group-1"] } } });
      const start_time = ahead(service, { hours: -1 });
      const told = { payload_type: "PRICE" as const, start_time, interval_seconds: 7200, values: [0.2] };
      const event = await service.made(contract.createOpenadrEvent, { body: { program_id: program.id, ...told } });
      await service.made(contract.changeOpenadrEvent, { params: { id: event.id }, body: { priority: 1 } });
      await service.made(contract.endOpenadrEvent, { params: { id: event.id } });
      await remove(`/openadr3-events/${event.id}`);
      await remove(`/openadr3-programs/${program.id}`);
    });
    expect(entries).toEqual([
      "openadr3_program openadr3_program.create -+",
      "openadr3_program openadr3_program.change ++",
      "openadr3_event openadr3_event.create -+",
      "openadr3_event openadr3_event.change ++",
      "openadr3_event openadr3_event.end ++",
      "openadr3_event openadr3_event.delete +-",
      "openadr3_program openadr3_program.delete +-",
    ]);
  });

  test("where delivery is released after a restore", async () => {
    const moments = { heldAt: new Date(), backupAt: new Date() };
    await holdDelivery(service.database.pool, moments);
    const entries = await audited(() => service.made(contract.releaseDelivery));
    expect(entries).toEqual(["delivery_hold delivery_hold.release +-"]);
  });

  test("where a demo is started and removed, on a service without accounts", async () => {
    const own = await demoService();
    await own.made(contract.startDemo);
    await own.made(contract.removeDemo);
    const items: Entry[] = (await own.operator("GET", "/audit?subject=demo")).body.items;
    const entries = items.toReversed().map(({ subject_kind, action, before, after }) => {
      seen.add(action);
      return `${subject_kind} ${action} ${mark(before)}${mark(after)}`;
    });
    expect(entries).toEqual(["demo demo.start -+", "demo demo.remove +-"]);
    await untilDemo(own, "off");
  });

  test("where the simulated site is added and removed", async () => {
    const own = await demoService();
    await addSimulated(own);
    await own.made(contract.removeSimulatedSite);
    const items: Entry[] = (await own.operator("GET", "/audit?subject=simulated_site")).body.items;
    const entries = items.toReversed().map(({ action, before, after }) => {
      seen.add(action);
      return `${action} ${mark(before)}${mark(after)}`;
    });
    expect(entries).toEqual(["simulated_site.add -+", "simulated_site.remove +-"]);
    await untilSimulated(own, "off");
  });

  test("where somebody signs in at a provider for the first time", async () => {
    const { email } = await newPerson(service, "operator");
    provider.says({ sub: "somebody", email, email_verified: true });
    const entries = await audited(async () => {
      const started = await httpClient(service.url)("GET", "/auth/oidc/start");
      const cookie = started.headers.getSetCookie()[0]?.split(";")[0] ?? "";
      const back = provider.authorize(started.headers.get("location") ?? "");
      await httpClient(back.origin)("GET", back.pathname + back.search, undefined, { cookie });
    });
    expect(entries).toEqual(["user user.bind_oidc --", "session session.create --"]);
  });
});

/** Sets up an authenticator app, signs in with a recovery code, renews the codes and removes the app. */
const useAuthenticator = async (person: Browser, password: string): Promise<void> => {
  const { secret } = (await person.auth(auth.setUpTotp, { body: { password } })).body;
  const code = generateSync({ secret: secret ?? "", epoch: Math.floor(service.clock.now().getTime() / 1000) });
  const { recovery_codes: codes } = (await person.auth(auth.setUpTotp, { body: { code } })).body;
  await trySignIn(service, { email: person.email, password, recovery_code: codes?.[0] } as never);
  const renewed = await person.auth("POST", "/recovery-codes", { password, recovery_code: codes?.[1] });
  await person.auth("POST", "/totp/remove", { password, recovery_code: renewed.body.recovery_codes[0] });
};

test("every action of the contract that is still written was done above", () => {
  const listed = Object.values(contract.auditActions).flat();
  // A certificate is in the log of the sandbox, and has tests of its own (sandbox/certificate.long.test.ts).
  const elsewhere: readonly string[] = ["schedule.refused", "account.certify"];
  expect([...seen].toSorted()).toEqual(listed.filter((action) => !elsewhere.includes(action)).toSorted());
});
