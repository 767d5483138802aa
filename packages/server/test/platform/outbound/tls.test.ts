import { createServer } from "node:https";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { sendWebhook } from "../../../src/notification/worker/send-webhook.js";
import { webhookClient } from "../../../src/platform/outbound/webhook-client.js";
import { type SelfSigned, selfSigned } from "../../support/self-signed.js";
import { answering, listening, message, type Received, recording, send, withLoopback } from "./receiver.js";

let certificate: SelfSigned;
const resolve = async () => [{ address: "127.0.0.1" }];

beforeAll(async () => {
  certificate = await selfSigned("receiver.test");
});

const secureReceiver = async (answer = answering(200)) => {
  const requests: Received[] = [];
  const names: (string | false | null)[] = [];
  const server = createServer(certificate, recording(requests, answer));
  server.on("secureConnection", (socket) => names.push(socket.servername));
  return { requests, names, port: await listening(server) };
};

test("over https the address is pinned and the certificate is compared with the name", async () => {
  const { requests, names, port } = await secureReceiver();
  const outcome = await send(`https://receiver.test:${port}/`, { resolve, ca: certificate.cert });
  expect(outcome).toMatchObject({ ok: true, address: "127.0.0.1" });
  expect(names).toEqual(["receiver.test"]);
  expect(requests[0]?.headers.host).toBe(`receiver.test:${port}`);
});

test("a certificate for another name is refused, the second time too", async () => {
  const { requests, port } = await secureReceiver();
  const client = webhookClient(withLoopback, { resolve, ca: certificate.cert });
  onTestFinished(async () => client.close());
  for (let attempt = 0; attempt < 3; attempt++) {
    const outcome = await sendWebhook(message(`https://other.test:${port}/`), { client });
    expect(outcome).toMatchObject({ ok: false, status: null, error: "tls" });
  }
  expect(requests).toEqual([]);
});

test("a certificate of an unknown authority is refused", async () => {
  const { requests, port } = await secureReceiver();
  expect(await send(`https://receiver.test:${port}/`, { resolve })).toMatchObject({ ok: false, error: "tls" });
  expect(requests).toEqual([]);
});

test("a redirect from https to http is refused", async () => {
  const { port } = await secureReceiver(answering(302, { location: "http://127.0.0.1:1/" }));
  const outcome = await send(`https://receiver.test:${port}/`, { resolve, ca: certificate.cert });
  expect(outcome).toMatchObject({ ok: false, status: 302, error: "redirect_refused" });
});
