import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { sendWebhook } from "../../../src/notification/worker/send-webhook.js";
import { webhookClient } from "../../../src/platform/outbound/webhook-client.js";
import { answering, listening, message, type Received, recording, send, withLoopback } from "./receiver.js";

interface Certificate {
  readonly key: string;
  readonly cert: string;
}
let certificate: Certificate;
const resolve = async () => [{ address: "127.0.0.1" }];

beforeAll(async () => {
  certificate = await selfSigned("receiver.test");
});

/** Node cannot create certificates; openssl is on every machine that builds this. */
const selfSigned = async (name: string): Promise<Certificate> => {
  const dir = await mkdtemp(join(tmpdir(), "curtail-tls-"));
  const [key, cert] = [join(dir, "key.pem"), join(dir, "cert.pem")];
  const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
  const files = ["-keyout", key, "-out", cert];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  await promisify(execFile)("openssl", ["req", "-x509", "-days", "2", ...kind, ...files, ...subject]);
  const made = { key: await readFile(key, "utf8"), cert: await readFile(cert, "utf8") };
  await rm(dir, { recursive: true });
  return made;
};

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
