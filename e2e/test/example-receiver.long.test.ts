import { createHmac } from "node:crypto";
import { operator } from "@curtail/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type ExampleReceiver, startExample } from "./support/example-receiver.js";
import { newParticipant, newProgram, operate, type Participant } from "./support/participant.js";
import { type PreparedFolder, preparedFolder } from "./support/prepared-data.js";
import { OPERATOR_TOKEN, type ServiceProcess, startProcess } from "./support/service-process.js";
import { registerWebhook, webhookSecrets } from "./support/webhooks.js";

let folder: PreparedFolder;
let service: ServiceProcess;
let participant: Participant;
let programId: string;
let example: ExampleReceiver;
let webhook: { id: string };
let settings: Record<string, string>;

beforeAll(async () => {
  folder = await preparedFolder("memory");
  service = await startProcess({ CURTAIL_DATA_DIR: folder.dataDir, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN });
  participant = await newParticipant(service.url, 1);
  programId = await newProgram(service.url);
  settings = { CURTAIL_URL: service.url, CURTAIL_API_KEY: participant.key, PORT: "0" };
  // As in its README: registered without the secret, then restarted with it.
  example = await startExample(settings);
  webhook = await registerWebhook(service.url, participant, example.url);
  await example.stop();
  const secrets = await webhookSecrets(service.url, participant, webhook.id);
  const changingOver = `whsec_${Buffer.alloc(32, 7).toString("base64")} ${secrets.join(" ")}`;
  settings = { ...settings, PORT: example.port, WEBHOOK_SECRETS: changingOver };
  example = await startExample(settings);
});

afterAll(async () => {
  await example?.stop();
  await service?.end("SIGTERM");
  await folder.remove();
});

const inSeconds = (seconds: number): string => `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19)}Z`;

const dispatched = (times: { start_time: string; end_time?: string }): Promise<{ id: string }> => {
  const sites = participant.sites.map(({ id }) => ({ site_id: id, commitment: 40 }));
  return operate(service.url, operator.createDispatch, { body: { program_id: programId, sites, ...times } });
};
const change = (id: string, body: object) => operate(service.url, operator.changeDispatch, { params: { id }, body });

test("curtails on create, follows an update, stops on cancel, each said once", async () => {
  const { id } = await dispatched({ start_time: inSeconds(-60) });
  expect(await example.says(`curtail ${id}`)).toContain("until further notice: Site 0 by 40 kW");
  const end = inSeconds(600);
  await change(id, { end_time: end });
  expect(await example.says(`update ${id}`)).toContain(`until ${end}`);
  await change(id, { authorized: false });
  expect(await example.says(`stop ${id}`)).toContain("cancelled");
  expect(example.lines.filter((line) => line.includes(id))).toHaveLength(3);
});

test("waits for the start, and stops at the end", async () => {
  const { id } = await dispatched({ start_time: inSeconds(3), end_time: inSeconds(6) });
  await example.says(`wait ${id}`);
  await example.says(`curtail ${id}`);
  expect(await example.says(`stop ${id}`)).toContain("ended");
});

test("started again, it finds the dispatches that it was notified of before", async () => {
  const { id } = await dispatched({ start_time: inSeconds(-60), end_time: inSeconds(600) });
  await example.says(`curtail ${id}`);
  await example.stop();
  example = await startExample(settings);
  await example.says(`curtail ${id}`);
});

/** Posts as a sender with or without the right secret; returns the status. */
const post = async (
  dispatchId: string,
  { secret, at = new Date() }: { secret?: string; at?: Date },
): Promise<number> => {
  const body = JSON.stringify({ event: { name: "dispatch.update" }, resource: `/2022-04-15/dispatches/${dispatchId}` });
  const headers = secret === undefined ? {} : signed({ secret, at, body });
  return (await fetch(example.url, { method: "POST", body, headers })).status;
};

/** Written from the text of Standard Webhooks, without the service's code. */
const signed = ({ secret, at, body }: { secret: string; at: Date; body: string }) => {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", key).update(`dlv_1.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": "dlv_1", "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
};

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
const foreignSecret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

test("refuses a notice that is not signed, forged or stale", async () => {
  const { id } = await dispatched({ start_time: inSeconds(600), end_time: inSeconds(900) });
  await example.says(`wait ${id}`);
  const [secret = ""] = await webhookSecrets(service.url, participant, webhook.id);
  expect(await post(id, { secret })).toBe(200);
  expect(await post(id, { secret, at: minutesAgo(4) })).toBe(200);
  expect(await post(id, {})).toBe(401);
  expect(await post(id, { secret: foreignSecret })).toBe(401);
  expect(await post(id, { secret, at: minutesAgo(6) })).toBe(401);
  expect(await post(id, { secret, at: minutesAgo(-6) })).toBe(401);
});

test("goes on with the old secret after a rotation, as does one with the new or with both", async () => {
  const [old = ""] = await webhookSecrets(service.url, participant, webhook.id);
  const { secrets } = await operate(service.url, operator.rotateWebhookSecret, { params: { id: webhook.id } });
  expect(secrets).toHaveLength(2);
  for (const known of [old, secrets[0] ?? "", secrets.join(" ")]) {
    await example.stop();
    example = await startExample({ ...settings, WEBHOOK_SECRETS: known });
    const { id } = await dispatched({ start_time: inSeconds(600), end_time: inSeconds(900) });
    expect(await firstAnswerTo(id)).toBe(200);
  }
  await example.stop();
  example = await startExample({ ...settings, WEBHOOK_SECRETS: foreignSecret });
  const { id } = await dispatched({ start_time: inSeconds(600), end_time: inSeconds(900) });
  expect(await firstAnswerTo(id)).toBe(401);
});

/** The receiver's answer to the service's own notice of a dispatch. */
const firstAnswerTo = (dispatchId: string): Promise<number> =>
  vi.waitFor(
    async () => {
      const { items } = await operate(service.url, operator.listDispatchDeliveries, { params: { id: dispatchId } });
      const status = items[0]?.attempts[0]?.status;
      if (typeof status !== "number") throw new Error("no attempt is recorded yet");
      return status;
    },
    { timeout: 15_000 },
  );
