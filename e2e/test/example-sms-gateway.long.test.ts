import { operator } from "@curtail/contract";
import { type Gateway, gateway } from "@curtail/testing/gateway";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type ExampleReceiver, startExample } from "./support/example-receiver.js";
import { newParticipant, newProgram, operate } from "./support/participant.js";
import { type PreparedFolder, preparedFolder } from "./support/prepared-data.js";
import { type ServiceProcess, startProcess, underLoad } from "./support/service-process.js";

const TOKEN = "token-of-the-gateway";

let provider: Gateway;
let example: ExampleReceiver;
let folder: PreparedFolder;

beforeAll(async () => {
  provider = await gateway();
  const settings = { CURTAIL_GATEWAY_TOKEN: TOKEN, PROVIDER_URL: provider.url, PROVIDER_TOKEN: "p", PORT: "0" };
  example = await startExample(settings, "sms-gateway.mjs");
  folder = await preparedFolder();
});

beforeEach(() => {
  provider.received.length = 0;
  provider.answer = 200;
});

afterAll(async () => {
  await example?.stop();
  await folder?.remove();
});

const message = (id: string) => ({ id, channel: "sms", to: "+15550100200", text: "Curtail: reduce 50 kW" });

const post = async (body: unknown, token = TOKEN) => {
  const response = await fetch(example.url, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
};

test("hands a message to the provider once, however often it comes", async () => {
  const answers = await Promise.all([1, 2, 3].map(() => post(message("msg_1"))));
  for (const answer of answers) expect(answer).toEqual({ status: 202, body: { id: "gw-1" } });
  expect(provider.received).toHaveLength(1);
  expect(provider.received[0]?.message).toEqual({ from: "Curtail", to: "+15550100200", text: "Curtail: reduce 50 kW" });
});

test("takes messages of the service only, and ends those that no provider takes", async () => {
  expect((await post(message("msg_2"), "another token")).status).toBe(401);
  expect((await post({ ...message("msg_2"), to: "555" })).status).toBe(422);
  provider.answer = 400;
  expect((await post(message("msg_2"))).status).toBe(422);
  expect(provider.received).toHaveLength(1);
});

test("lets a message come again while the provider fails", async () => {
  provider.answer = 500;
  expect((await post(message("msg_3"))).status).toBe(502);
  provider.answer = 200;
  expect((await post(message("msg_3"))).status).toBe(202);
});

/** A contact with SMS, and a dispatch of its account. */
const dispatchTo = async (url: string): Promise<string> => {
  const { accountId, sites } = await newParticipant(url, 1);
  const contact = { name: "Ana", email: "ana@example.com", phone: "+1 555 010 0200", sms: true };
  await operate(url, operator.createContact, { params: { id: accountId }, body: contact });
  const program_id = await newProgram(url);
  const start_time = new Date(Date.now() + 3_600_000).toISOString();
  const body = { program_id, start_time, sites: sites.map(({ id }) => ({ site_id: id, commitment: 40 })) };
  return (await operate(url, operator.createDispatch, { body })).id;
};

test("gets a message again from a service that was killed while it sent it, and the person gets it once", async () => {
  const settings = {
    ...underLoad(folder.dataDir),
    CURTAIL_SMS_URL: example.url,
    CURTAIL_GATEWAY_TOKEN: TOKEN,
  };
  let service: ServiceProcess = await startProcess(settings);
  let answerProvider: (() => void) | undefined;
  try {
    provider.answer = (response) => {
      answerProvider = () => response.writeHead(200).end('{"id":"SM1"}');
    };
    const id = await dispatchTo(service.url);
    await vi.waitUntil(() => answerProvider !== undefined, { timeout: 15_000 });
    await service.end("SIGKILL");
    answerProvider?.();
    service = await startProcess(settings);
    const handedOver = async () =>
      (await operate(service.url, operator.listEvidence, { params: { id } })).items.filter(
        ({ what }) => what === "handed_over",
      );
    await expect.poll(handedOver, { timeout: 40_000 }).toMatchObject([{ detail: { gateway_id: "SM1" } }]);
    expect(provider.received).toHaveLength(1);
  } finally {
    await service.end("SIGTERM");
  }
});
