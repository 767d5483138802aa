import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ExampleReceiver, startExample } from "./support/example-receiver.js";
import { newParticipant, operate, type Participant } from "./support/participant.js";
import { OPERATOR_TOKEN, type ServiceProcess, startProcess, temporaryFolder } from "./support/service-process.js";
import { registerWebhook, webhookSecrets } from "./support/webhooks.js";

let folder: { path: string; remove: () => Promise<void> };
let service: ServiceProcess;
let participant: Participant;
let program: { id: string };
let example: ExampleReceiver;
let settings: Record<string, string>;

beforeAll(async () => {
  folder = await temporaryFolder();
  const dataDir = join(folder.path, "data");
  service = await startProcess({ CURTAIL_DATA_DIR: dataDir, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN });
  participant = await newParticipant(service.url, 1);
  const body = { name: "Peak", timezone: "UTC", market: "", program_type: "capacity" };
  program = await operate(service.url, "POST", "/programs", body);
  settings = { CURTAIL_URL: service.url, CURTAIL_API_KEY: participant.key, PORT: "0" };
  // As its README says: registered without the secret, then started again with it.
  const untold = await startExample(settings);
  const webhook = await registerWebhook(service.url, participant, untold.url);
  await untold.stop();
  const secrets = await webhookSecrets(service.url, participant, webhook.id);
  const changingOver = `whsec_${Buffer.alloc(32, 7).toString("base64")} ${secrets.join(" ")}`;
  settings = { ...settings, PORT: untold.port, WEBHOOK_SECRETS: changingOver };
  example = await startExample(settings);
}, 60_000);

afterAll(async () => {
  await example?.stop();
  await service?.end("SIGTERM");
  await folder.remove();
});

const inSeconds = (seconds: number): string => `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19)}Z`;

const dispatched = (times: object): Promise<{ id: string }> => {
  const sites = participant.sites.map(({ id }) => ({ site_id: id, commitment: 40 }));
  return operate(service.url, "POST", "/dispatches", { program_id: program.id, sites, ...times });
};
const change = (id: string, body: object) => operate(service.url, "PATCH", `/dispatches/${id}`, body);

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

test("started again, it finds the dispatches that it was told of before", async () => {
  const { id } = await dispatched({ start_time: inSeconds(-60), end_time: inSeconds(600) });
  await example.says(`curtail ${id}`);
  await example.stop();
  example = await startExample(settings);
  await example.says(`curtail ${id}`);
});

test("refuses a notice that is not signed, or signed with another secret", async () => {
  const { id } = await dispatched({ start_time: inSeconds(600), end_time: inSeconds(900) });
  await example.says(`wait ${id}`);
  const body = JSON.stringify({ event: { name: "dispatch.update" }, resource: `/2022-04-15/dispatches/${id}` });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = `v1,${Buffer.alloc(32).toString("base64")}`;
  const signed = { "webhook-id": "dlv_1", "webhook-timestamp": timestamp, "webhook-signature": signature };
  expect((await fetch(example.url, { method: "POST", body })).status).toBe(401);
  expect((await fetch(example.url, { method: "POST", body, headers: signed })).status).toBe(401);
});
