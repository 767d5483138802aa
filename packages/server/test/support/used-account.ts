import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { auth, createScenario, createWebhook, listDispatches, operator } from "@curtail/contract";
import { chatRooms } from "@curtail/testing/chat-rooms";
import { pushService } from "@curtail/testing/push-service";
import type { Receiver } from "@curtail/testing/receiver";
import { vi } from "vitest";
import { callbackReceiver } from "./callback-receiver.js";
import { DEMO_MS } from "./demo.js";
import { ahead, newDispatch } from "./dispatching.js";
import { choose, register } from "./noticing.js";
import { clientOf, tokenOf } from "./openadr-3.js";
import { newBrowser } from "./people.js";
import type { Participant, Running } from "./running.js";
import { program as scenarioProgram, sites } from "./scenario.js";
import { setTerms, statementMade } from "./settling.js";
import { subscribe } from "./unreachable.js";
import { listeningToVens } from "./vens.js";

/** Tables that may have more rows after a demo than before, and why. */
export const mayDiffer: Readonly<Record<string, string>> = {
  audit_log: "keeps everything",
  "sandbox.audit_log": "keeps everything",
  dated_ids: "no number is given twice",
  journal: "keeps entries for thirty days",
  kept_answers: "answers to operators' keys stay for a day",
  vtn_listening: "says when a process listened to VENs",
  openadr3_change_sizes: "counts what business logic wrote until room is made for more",
};

/** Tables that this test leaves empty: a queue that is emptied at once; most of the others are always empty in the sandbox. */
export const notFilled = new Set([
  "follower_faults",
  "push_keys",
  "sandbox.enrolments",
  "sandbox.kept_answers",
  "sandbox.meters",
  "sandbox.programs",
  "sandbox.sites",
  // Only with CURTAIL_FOLD_AFTER.
  "telemetry_log",
]);

const event = "(select dispatch_id from ven_showings limit 1), 0";
const rare = [
  `insert into messages (id, channel, recipient, account_id, detail, notice_seq, subject, event, state, created_at, ended_at)
   select 'mail_x', 'email', account_id, account_id, '{}', notices.seq, dispatch_id, event, 'delivered', due_at, due_at
   from notices join dispatch_sites using (dispatch_id) limit 1`,
  "insert into escalations (message_id, overdue_at) values ('mail_x', now())",
  `insert into mail_handovers (mail_id, number, at, modification_number, subject, text)
   values ('mail_x', 1, now(), 0, 'Curtail', 'Please curtail.')`,
  `insert into mail_recipients (mail_id, number, email, name, answer)
   values ('mail_x', 1, 'dana@example.com', 'Dana', 'accepted')`,
  `insert into alarms (id, kind, subject, account_id, message, raised_at)
   select 'alm_x', 'telemetry_stale', id, account_id, 'silent', now() from sites limit 1`,
  "insert into alarms (id, kind, subject, message, raised_at) select 'alm_y', 'notice_undelivered', id, 'late', now() from dispatches limit 1",
  "insert into telemetry_days (site, meter, day, hours, block) select site, meter, hour / 24, 1, '\\x00' from telemetry_hours limit 1",
  "insert into charge_hours (site, meter, hour, kwh) select site, meter, hour, '{7}' from telemetry_hours limit 1",
  `insert into telemetry_archives (site, month, file, readings, bytes, sha256, archived_at)
   select key, 1, '2026-01/site.parquet', 1, 1, '', now() from sites limit 1`,
  "insert into recovery_codes (user_id, code_hash) select id, '\\x00' from users where account_id is not null",
  `insert into ven_acknowledgements (ven, dispatch_id, modification_number, opt, response_code, at)
   select id, ${event}, 'optIn', '200', now() from vens`,
  "insert into ven_claims (token_hash, ven, days, created_at, expires_at) select '\\x00', id, 9, now(), now() from vens",
  `insert into ven_errors (ven, dispatch_id, modification_number, code, first_at, last_at, count)
   select id, ${event}, '400', now(), now(), 1 from vens`,
  `insert into ven_omissions (ven, dispatch_id, modification_number, reply_limit, at)
   select id, ${event}, 1, now() from vens`,
  `insert into ven_push_attempts (ven, dispatch_id, modification_number, number, at, duration_ms)
   select id, ${event}, 1, now(), 9 from vens`,
  `insert into ven_push_drops (ven, dispatch_id, modification_number, at, reason)
   select id, ${event}, now(), 'outdated' from vens`,
  `insert into ven_pushes (ven, dispatch_id, modification_number, failures)
   select id, ${event}, 5 from vens`,
  `insert into sandbox.integration_certificates (id, account_id, certified_at, passes)
   select 'crt_x', id, now(), '[]' from accounts limit 1`,
  `insert into sandbox.readings (account_id, site_id, at, kw, sent_at)
   select id, 'site_sandbox_lakeside', now(), 5, now() from accounts limit 1`,
  `insert into dispatch_page_reads (dispatch_id, account_id, modification_number, user_id, user_name, at)
   select dispatch_id, account_id, 0, 'usr_x', 'Ana', now() from dispatch_sites limit 1`,
  `insert into passing_messages
     (id, change_seq, recipient, entry, client_id, subject, event, detail, state, created_at)
   select 'odl_x', seq, 'oas_x', 0, 'oac_x', object_id, 'event.create', '{}', 'delivered', at from openadr3_changes limit 1`,
  `insert into openadr3_showings (dispatch_id, client_id, modification_number, at)
   select 'dsp_x', id, 0, now() from openadr3_clients where account_id is not null`,
  `insert into openadr3_report_sizes (client_id, bytes)
   select id, 1 from openadr3_clients where account_id is not null on conflict do nothing`,
  `insert into openadr3_change_sizes (client_id, bytes)
   select id, 1 from openadr3_clients where account_id is not null on conflict do nothing`,
  `insert into openadr3_broker_findings (kind, subject, found_at)
   select 'shared_client', id, now() from openadr3_clients where account_id is not null`,
  `insert into openadr3_polls (client_id, last_at)
   select id, now() from openadr3_clients where account_id is not null`,
  `insert into openadr3_answers (dispatch_id, client_id, modification_number, report_id, state, resource_names, at)
   select 'dsp_x', id, 0, 'oar_x', 'NORMAL', '{}', now() from openadr3_clients where account_id is not null`,
  `insert into late_notes (site, reason, from_at, to_at, first_noted_at, noted_at, due_at)
   select key, 'corrected', now(), now(), now(), now(), now() + interval '1 hour' from sites limit 1`,
  "insert into load_profiles (site, day, made_for, cut, kw) select key, 1, 1, 1, '' from sites limit 1",
  `insert into site_decisions (dispatch_id, site_id, counts, reason, actor, at)
   select dispatch_id, site_id, 'not_judged', 'an outage', 'operator', now() from dispatch_sites limit 1`,
  "insert into dated_ids (kind, id) select 'site', id from sites",
  `insert into mapping_profiles (id, account_id, name, mapping, saved_by, saved_at)
   select 'mpr_' || id, id, 'Portal', '{}', 'operator', now() from accounts`,
  "insert into kept_answers (id, holder, request_hash, claimed_at) select 'x', 'key:' || id, '\\x00', now() from api_keys limit 1",
];

/** A file of archived readings of a month. */
export const archived = async (service: Running, month: string): Promise<string> => {
  const folder = join(service.dataDir, "telemetry-archive", month);
  await mkdir(folder, { recursive: true });
  return join(folder, "site.parquet");
};

/** Uses an account in every way, so that every table has rows of it. */
export const usingAccount = (service: Running, hook: Receiver, { isSettled = true } = {}) => {
  const useEverything = async (anna: Participant, program: string): Promise<void> => {
    await subscribe(anna, hook);
    await useContacts(anna);
    await usePeople(anna);
    await usePortfolio(anna);
    await useSandbox(anna);
    await useOpenadr3(anna);
    const vens = await listeningToVens(service);
    const ven = await vens.newVen(anna);
    const dispatch = await newDispatch(service, program, { start_time: ahead(service, { minutes: 1 }) });
    await ven.poll();
    const call = { account_id: anna.accountId, person: "Ana", note: "will start" };
    await service.made(operator.recordPhoneCall, { params: { id: dispatch.id }, body: call });
    await anna.call("GET", `/dispatches/${dispatch.id}`);
    await vi.waitUntil(() => hook.received.length > 1);
    if (isSettled) await useSettlement(anna, program);
    await insertRare();
    service.clock.advance({ seconds: 6 });
    const results = async () => (await service.database.pool.query("select from performance_results")).rows.length > 0;
    await vi.waitUntil(results, DEMO_MS);
  };

  /** What takes a stop, a mistake or a month to come about. */
  const insertRare = async (): Promise<void> => {
    await writeFile(await archived(service, "2026-01"), "readings");
    for (const statement of rare) await service.database.pool.query(statement);
  };

  const useContacts = async ({ accountId: id }: Participant): Promise<void> => {
    const body = { name: "Dana", email: "dana@example.com", phone: "+15550100200", sms: true };
    await service.made(operator.createContact, { params: { id }, body });
    const { address } = (await chatRooms()).open();
    const room = { channel: "chat" as const, name: "Control room", address };
    await service.made(operator.createChannelAddress, { params: { id }, body: room });
  };

  const usePeople = async ({ accountId }: Participant): Promise<void> => {
    const pat = await newBrowser(service, "participant-admin", accountId);
    await choose(pat, { dispatches: { mail: true, push: true } });
    await register(pat, (await pushService()).newBrowser());
    await pat.auth(auth.createCalendar, { body: { name: "Phone" } });
  };

  const usePortfolio = async (anna: Participant): Promise<void> => {
    const site = anna.sites[0]?.id ?? "";
    const far = { start_time: ahead(service, { days: 9 }), end_time: ahead(service, { days: 10 }) };
    await anna.call("POST", `/schedule/sites/${site}`, { available: false, ...far });
    await service.made(operator.excludeDay, { params: { id: site, date: "2026-06-24" }, body: { reason: "a repair" } });
    const reading = { site_id: site, interval_seconds: 60, timestamp: ahead(service, {}), units: "kW", value: 5 };
    await anna.call("POST", "/telemetry/controllable-load", { controllable_load: [reading] });
  };

  const useOpenadr3 = async ({ accountId: id }: Participant): Promise<void> => {
    const { id: clientId, client_secret } = await service.made(operator.createOpenadrClient, {
      params: { id },
      body: { name: "Gateway" },
    });
    const { items } = await service.made(operator.listBusinessLogic);
    const feed = await service.made(operator.rotateOpenadrSecret, { params: { id: items[0]?.id ?? "" }, body: {} });
    const vtnUrl = await service.listenToOpenadr3();
    const connected = async (client: string, secret: string | null) =>
      clientOf(vtnUrl, await tokenOf(vtnUrl, { id: client, secret: secret ?? "" }));
    const [ven, bl] = [await connected(clientId, client_secret), await connected(feed.id, feed.client_secret)];
    const venID = (await ven.vens.search()).body[0].id;
    await ven.resources.made({ objectType: "VEN_RESOURCE_REQUEST", venID, resourceName: "meter" });
    await bl.resources.made({ objectType: "BL_RESOURCE_REQUEST", clientID: "x", venID, resourceName: "other meter" });
    // It ends with the demo, as business logic would have it.
    const { id: programID } = await bl.programs.made({ programName: "Prices" });
    const { id: eventID } = await bl.events.made({ programID });
    await ven.reports.made({ eventID, clientName: "ven", resources: [] });
    await bl.programs.remove(programID);
    const { url: callbackUrl } = await callbackReceiver();
    const operation = { objects: ["EVENT"], operations: ["CREATE"], callbackUrl };
    await ven.subscriptions.made({ clientName: "ven", objectOperations: [operation] });
  };

  const useSandbox = async (anna: Participant): Promise<void> => {
    const call = await service.sandboxCall(anna);
    const events = [{ name: "dispatch.create" as const }];
    await call(createWebhook, { body: { url: hook.url, events } });
    const start_time = ahead(service, { minutes: 1 });
    const body = { scenario_type: "basic" as const, program: scenarioProgram, sites, start_time, end_time: null };
    await call(createScenario, { body });
    service.clock.advance({ seconds: 1 });
    await call(listDispatches);
  };

  const useSettlement = async ({ accountId }: Participant, program: string): Promise<void> => {
    const month = ahead(service, { days: -2 }).slice(0, 7);
    await setTerms(service, program, { capacity: { price_per_kw: "4.5", factor: null } }, month);
    await statementMade(service, accountId, month);
  };
  return useEverything;
};
