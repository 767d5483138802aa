import { claimKey } from "@curtail/client";
import { createScenario, createTestDispatch, createWebhook, type Endpoint, operator } from "@curtail/contract";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import type { Answer, Send } from "./http-client.js";
import { type Named, namesOf } from "./participant-calls.js";
import { type Participant, type Running, running } from "./running.js";
import { scenarioOf } from "./scenario.js";
import { everythingStored } from "./stored.js";
import { withoutRsa } from "./vens.js";

/** One of the two environments: what its account has there, and how to call it. */
interface Side {
  readonly schema: "public" | "sandbox";
  readonly call: Send;
  readonly hook: Receiver;
  readonly url: string;
  readonly named: Named;
  /** Everything that identifies data of this side. */
  readonly marks: readonly string[];
}

export let service: Running;
export let anna: Participant;
export let production: Side;
export let sandbox: Side;

export const prepare = async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000", CURTAIL_RATE_LIMIT_DISPATCHES: "100000" });
  await withoutRsa(service);
  anna = await service.newParticipant();
  production = await productionSide();
  sandbox = await sandboxSide();
};

export const inHours = (hours: number): string =>
  new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString();

const registered = async (call: Send): Promise<{ id: string; url: string; hook: Receiver }> => {
  const hook = await receiver();
  const { body } = await call(createWebhook, { body: { url: hook.url, events: [{ name: "dispatch.create" }] } });
  return { ...body, hook };
};

const productionSide = async (): Promise<Side> => {
  const { call } = anna;
  const webhook = await registered(call);
  const { body } = await call(createTestDispatch, { body: { start_time: inHours(1), end_time: inHours(2) } });
  const named = namesOf(anna, body.id, webhook.id);
  const marks = [body.id, webhook.id, webhook.url, named.siteId, named.meterId];
  return { schema: "public", call, hook: webhook.hook, url: service.url, named, marks };
};

const sandboxSide = async (): Promise<Side> => {
  const call = await service.sandboxCall(anna);
  const webhook = await registered(call);
  const times = { notification_time: undefined, sites: [{ name: "Made up for the sandbox", commitment: 5 }] };
  const { body } = await call(createScenario, { body: scenarioOf(service, "basic", times) });
  const [dispatch] = body.dispatches;
  const named = {
    siteId: dispatch?.sites[0]?.id ?? "",
    meterId: "mtr_sandbox_lakeside",
    dispatchId: dispatch?.id ?? "",
    webhookId: webhook.id,
  };
  const fixed = ["dis_sandbox", "site_sandbox", "mtr_sandbox", "wh_sandbox"];
  const marks = [body.id, named.dispatchId, named.siteId, webhook.id, webhook.url, "Made up for", ...fixed];
  return { schema: "sandbox", call, hook: webhook.hook, url: service.sandboxUrl, named, marks };
};

export const both = (): Array<[here: Side, there: Side]> => [
  [production, sandbox],
  [sandbox, production],
];

// Written in the background: by each side's worker, and by the periodic recording of polls.
const inBackground = ["messages", "message_attempts", "account_polls"];

/** Rows of each table of a side that requests write. */
export const rowsOf = async ({ schema }: Side): Promise<object> => {
  const all = Object.entries(await everythingStored(service));
  const own = all.filter(([name]) => name.startsWith(`${schema}.`) && name !== "public.journal");
  const rows = own.filter(([name]) => !inBackground.some((table) => name === `${schema}.${table}`));
  return Object.fromEntries([...rows, ["journal", await entriesOf(schema)]]);
};

/** Both sides write to one journal; notices become due and are sent in the background. */
const entriesOf = async (schema: Side["schema"]): Promise<number> => {
  const { rowCount } = await service.database.pool.query(
    "select from journal where environment = $1 and kind not in ('dispatch.notified', 'progress')",
    [schema === "public" ? "production" : "sandbox"],
  );
  return rowCount ?? 0;
};

/** What an answer reveals about the other side, beyond what the request itself contained. */
export const leaks = ({ text }: Pick<Answer, "text">, there: Side, sent = ""): string[] => {
  const revealing = ownWordsIn(text);
  return there.marks.filter((mark) => revealing.includes(mark) && !sent.includes(mark));
};

/** Without the paths and messages of the request log, which quote what this side was sent before. */
const ownWordsIn = (text: string): string =>
  text.includes('"max_duration_ms"')
    ? JSON.stringify(JSON.parse(text), (name, value) => (name === "path" || name === "error" ? null : value))
    : text;

export const sandboxKey = async (): Promise<string> => {
  const { claim_url } = await service.made(operator.createKey, {
    params: { id: anna.accountId },
    body: { environment: "sandbox" },
  });
  return (await claimKey(claim_url)).api_key;
};

export const isUpload = ({ method, path }: Endpoint): boolean => method === "POST" && path.startsWith("/telemetry");
