import { operator as contract } from "@curtail/contract";
import { type OidcProvider, oidcProvider } from "@curtail/testing/oidc-provider";
import { receiver } from "@curtail/testing/receiver";
import { generateSync } from "otplib";
import { beforeAll, describe, expect, test } from "vitest";
import { alarms } from "../../support/alarms.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { httpClient } from "../../support/http-client.js";
import { type Browser, newBrowser, newPerson, PASSWORD, signIn, trySignIn } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";
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
  const newest = (await service.operator("GET", "/audit?limit=1")).body.items[0]?.id;
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

const operator = (method: string, path: string, body?: unknown) => service.made(method, path, body);
const remove = (path: string) => service.operator("DELETE", path);
const press = (link: string) => fetch(link, { method: "POST" });

describe("an entry has the states of its kind", () => {
  test("where accounts, contacts and keys are administered", async () => {
    const entries = await audited(async () => {
      const { id } = await operator("POST", "/accounts", { name: "New" });
      await operator("PATCH", `/accounts/${id}`, { name: "Renamed" });
      const person = { name: "Dana", email: "dana@example.com", phone: "+1 555 010 0200" };
      await remove(`/contacts/${(await operator("POST", `/accounts/${id}/contacts`, person)).id}`);
      const claim = { environment: "production", expires_at: ahead(service, { days: 90 }) };
      const key = await service.made<{ id: string; claim_url: string }>("POST", `/accounts/${id}/keys`, claim);
      await press(key.claim_url);
      await remove(`/keys/${key.id}`);
    });
    expect(entries).toEqual([
      "account account.create -+",
      "account account.change ++",
      "contact contact.create -+",
      "contact contact.delete +-",
      "key key.create -+",
      "key key.claim --",
      "key key.revoke -+",
    ]);
  });

  test("where sites and programs are administered", async () => {
    const baseline = { preset: "high_4_of_5" };
    const entries = await audited(async () => {
      const meters = [{ name: "main" }];
      const site = await operator("POST", `/accounts/${anna.accountId}/sites`, { name: "New", meters });
      await operator("PATCH", `/sites/${site.id}`, { display_enabled: true });
      const meter = await operator("POST", `/sites/${site.id}/meters`, { name: "Roof", asset_type: "generator" });
      await operator("PATCH", `/meters/${meter.id}`, { name: "Roof, south" });
      const named = { name: "New", timezone: "UTC", market: "", program_type: "energy" };
      const { id } = await operator("POST", "/programs", named);
      const limits = { amber_from: 0.5, green_from: 0.9, green_to: 1.2, stale_seconds: 90, least_coverage: 0.8 };
      const openadr = { level: 1, ramp_up_seconds: 60 };
      await operator("PATCH", `/programs/${id}`, {
        baseline,
        openadr,
        holidays: ["2026-12-25"],
        status_limits: limits,
      });
      await operator("PUT", `/programs/${id}/sites/${site.id}`, { commitment: 50 });
      await operator("PUT", `/programs/${id}/sites/${site.id}`, { commitment: null, baseline });
      await remove(`/programs/${id}/sites/${site.id}`);
    });
    expect(entries).toEqual([
      "site site.create -+",
      "site site.change ++",
      "meter meter.create -+",
      "meter meter.change ++",
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
      await operator("PATCH", `/dispatches/${id}`, { end_time: ahead(service, { hours: 3 }) });
      await operator("PATCH", `/dispatches/${id}`, { authorized: false });
      const past = { start_time: ahead(service, { hours: -2 }), end_time: ahead(service, { hours: -1 }) };
      const over = await operator("POST", "/dispatches", { program_id: program, ...past });
      await operator("PATCH", `/dispatches/${over.id}`, { authorized: false, void_reason: "issued by mistake" });
      await anna.call("POST", `/schedule/sites/${site}`, { available: false, ...far });
      const [block] = (await service.operator("GET", `/sites/${site}/schedule`)).body.items;
      await remove(`/schedule/${block.id}`);
    });
    expect(entries).toEqual([
      "dispatch dispatch.create -+",
      "dispatch dispatch.change ++",
      "dispatch dispatch.cancel ++",
      "dispatch dispatch.create -+",
      "dispatch dispatch.void ++",
      "schedule_block schedule.create -+",
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
        (await service.operator("GET", `/dispatches/${dispatch.id}/deliveries`)).body.items;
      await expect.poll(async () => (await deliveries())[0]?.state).toBe("delivered");
      await operator("POST", `/deliveries/${(await deliveries())[0].id}/resend`);
      await operator("POST", `/webhooks/${id}/rotate-secret`);
      await ben.call("DELETE", `/webhooks/${id}`);
      const alarm = (await alarms(service)).find(({ subject }) => subject === ben.accountId);
      await operator("POST", `/alarms/${alarm?.id}/acknowledge`);
    });
    expect(entries).toEqual([
      "webhook webhook.create -+",
      "dispatch dispatch.create -+",
      "delivery delivery.resend ++",
      "webhook webhook.rotate_secret ++",
      "webhook webhook.delete +-",
      "alarm alarm.acknowledge ++",
    ]);
  });

  test("where VENs are set up and certified", async () => {
    const site = anna.sites[0]?.id;
    const entries = await audited(async () => {
      const { id } = await operator("POST", `/accounts/${anna.accountId}/vens`, { ven_id: "store-12" });
      const transport = { push_url: "https://192.0.2.1/ven", ca_certificate: null };
      await operator("PATCH", `/vens/${id}`, { sites: [site], transport, targets: { ven_id: false } });
      const offer = await service.made<{ claim_url: string }>("POST", `/vens/${id}/certificates`, {});
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
      await operator("PATCH", `/users/${id}`, { name: "Renamed" });
      await operator("POST", `/users/${id}/invitation`);
      await service.operator("POST", `/users/${id}/sign-out`);
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

  test("where people sign in and look after what they sign in with, without any of it", async () => {
    const ann = await newBrowser(service, "operator");
    const entries = await audited(async () => {
      const session = (await (await signIn(service, ann)).auth("GET", "/sessions")).body.items[0];
      await ann.auth("DELETE", `/sessions/${session.id}`);
      await ann.auth("POST", "/password", { password: PASSWORD, new_password: "quite another password" });
      await useAuthenticator(ann, "quite another password");
    });
    expect(entries).toEqual([
      "session session.create --",
      "session session.revoke --",
      "user user.change_password --",
      "user user.confirm_totp --",
      "session session.create_by_recovery_code --",
      "user user.renew_recovery_codes --",
      "user user.remove_totp --",
    ]);
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
  const { secret } = (await person.auth("POST", "/totp", { password })).body;
  const code = generateSync({ secret, epoch: Math.floor(service.clock.now().getTime() / 1000) });
  const { recovery_codes: codes } = (await person.auth("POST", "/totp", { code })).body;
  await trySignIn(service, { email: person.email, password, recovery_code: codes[0] } as never);
  const renewed = await person.auth("POST", "/recovery-codes", { password, recovery_code: codes[1] });
  await person.auth("POST", "/totp/remove", { password, recovery_code: renewed.body.recovery_codes[0] });
};

test("every action of the contract that is still written was done above", () => {
  const listed = Object.values(contract.auditActions).flat();
  expect([...seen].toSorted()).toEqual(listed.filter((action) => action !== "schedule.refused").toSorted());
});
