import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { atEnd } from "@curtail/testing/at-end";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/platform/runtime/config.js";
import { clientOf, runningVtn } from "../support/openadr-3.js";
import { type SelfSigned, selfSigned } from "../support/self-signed.js";

describe("over TLS", async () => {
  const first = await selfSigned("first.example.com");
  const folder = await mkdtemp(join(tmpdir(), "curtail-vtn-"));
  atEnd(() => rm(folder, { recursive: true }));
  const [cert, key] = [join(folder, "vtn.crt"), join(folder, "vtn.key")];
  const place = (made: SelfSigned) => Promise.all([writeFile(cert, made.cert), writeFile(key, made.key)]);
  await place(first);
  const vtn = await runningVtn({ CURTAIL_OPENADR3_TLS_CERT: cert, CURTAIL_OPENADR3_TLS_KEY: key });
  const port = Number(new URL(vtn.vtnUrl).port);

  const presented = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
        resolve(new X509Certificate(socket.getPeerCertificate(true).raw).subject);
        socket.destroy();
      });
      socket.once("error", reject);
    });

  test("the listener answers with the certificate of the files, and its address is https", async () => {
    expect(vtn.vtnUrl).toMatch(/^https:/);
    expect(await presented()).toBe("CN=first.example.com");
    const answered = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      request(
        { port, path: "/openadr3/3.1.0/auth/server", ca: first.cert, servername: "first.example.com" },
        (response) => {
          let body = "";
          response.on("data", (chunk: Buffer) => (body += chunk.toString()));
          response.on("end", () => resolve({ status: response.statusCode, body }));
        },
      )
        .on("error", reject)
        .end();
    });
    expect(answered).toEqual({ status: 200, body: JSON.stringify({ tokenURL: `${vtn.vtnUrl}/auth/token` }) });
  });

  test("it takes over a certificate that was replaced, within an hour", async () => {
    await place(await selfSigned("second.example.com"));
    vtn.clock.advance({ hours: 1 });
    await expect.poll(presented).toBe("CN=second.example.com");
  });

  test("versions before TLS 1.2 are refused", async () => {
    const old = new Promise((resolve, reject) => {
      const options = {
        port,
        host: "127.0.0.1",
        rejectUnauthorized: false,
        maxVersion: "TLSv1.1",
        minVersion: "TLSv1",
      } as const;
      connect(options, () => resolve("connected")).once("error", reject);
    });
    await expect(old).rejects.toThrow();
  });
});

const faultsOf = (environment: Readonly<Record<string, string>>) => {
  const read = readConfig(environment);
  return "faults" in read ? read.faults : [];
};

describe("the settings", () => {
  test("need an audience with an issuer, and a key with a certificate", () => {
    expect(faultsOf({ CURTAIL_OPENADR3_ISSUER: "https://id.example.com" })).toEqual([
      "CURTAIL_OPENADR3_ISSUER and CURTAIL_OPENADR3_AUDIENCE must be set together",
    ]);
    expect(faultsOf({ CURTAIL_OPENADR3_TLS_KEY: "vtn.key" })).toEqual([
      "CURTAIL_OPENADR3_TLS_CERT and CURTAIL_OPENADR3_TLS_KEY must be set together",
    ]);
    expect(
      faultsOf({ CURTAIL_OPENADR3_ISSUER: "http://id.example.com", CURTAIL_OPENADR3_AUDIENCE: "vtn" }),
    ).toHaveLength(1);
  });

  test("describe one MQTT broker, or none", () => {
    const url = { CURTAIL_OPENADR3_MQTT_URL: "mqtts://broker.example.com", CURTAIL_OPENADR3_MQTT_USERNAME: "curtail" };
    expect(faultsOf(url)).toEqual([]);
    expect(faultsOf({ CURTAIL_OPENADR3_MQTT_PORT: "8883" })).toEqual([
      expect.stringContaining("set CURTAIL_OPENADR3_MQTT_URL to that of mosquitto"),
    ]);
    expect(faultsOf({ CURTAIL_OPENADR3_MQTT_URL: "mqtts://broker.example.com" })).toEqual([
      "CURTAIL_OPENADR3_MQTT_USERNAME must be set if CURTAIL_OPENADR3_MQTT_ACCESS is dynamic-security",
    ]);
    expect(faultsOf({ CURTAIL_OPENADR3_MQTT_PASSWORD: "secret" })).toEqual([
      "CURTAIL_OPENADR3_MQTT_URL must be set if CURTAIL_OPENADR3_MQTT_PASSWORD is set",
    ]);
    expect(faultsOf({ ...url, CURTAIL_OPENADR3_MQTT_KEY: "client.key" })).toEqual([
      "CURTAIL_OPENADR3_MQTT_CERT and CURTAIL_OPENADR3_MQTT_KEY must be set together",
    ]);
    expect(faultsOf({ CURTAIL_OPENADR3_MQTT_PUBLIC_URLS: "mqtts://a.example.com" })).toEqual([
      "CURTAIL_OPENADR3_MQTT_URL must be set if CURTAIL_OPENADR3_MQTT_PUBLIC_URLS is set",
    ]);
    expect(faultsOf({ ...url, CURTAIL_OPENADR3_MQTT_PUBLIC_URLS: "mqtts://a.example.com,https://b" })).toHaveLength(1);
  });

  test("give the public address of tokens", async () => {
    const vtn = await runningVtn({ CURTAIL_OPENADR3_PUBLIC_URL: "https://openadr.example.com/" });
    const { body } = await clientOf(vtn.vtnUrl, null).call({
      id: "getAuthServerInfo",
      method: "GET",
      path: "/auth/server",
    });
    expect(body).toEqual({ tokenURL: "https://openadr.example.com/openadr3/3.1.0/auth/token" });
  });
});

test("the listener tells whether it is ready, counts its requests, and drains", async () => {
  const vtn = await runningVtn();
  const root = vtn.vtnUrl.replace("/openadr3/3.1.0", "");
  expect((await fetch(`${root}/readyz`)).status).toBe(200);
  const bl = await vtn.bl();
  await bl.programs.get("unknown");
  const metrics = await (await fetch(`${root}/metrics`)).text();
  expect(metrics).toMatch(
    /curtail_http_request_duration_seconds_count\{route="\/openadr3\/3\.1\.0\/programs\/:id",method="GET",status="404"\} 1/,
  );
  await vtn.stop();
  await expect(fetch(`${root}/readyz`)).rejects.toThrow();
});

test("requests have the headers of every answer", async () => {
  const vtn = await runningVtn({ CURTAIL_OPENADR3_PUBLIC_URL: "https://openadr.example.com" });
  const { headers } = await (await vtn.bl()).programs.search();
  expect(headers.get("strict-transport-security")).toMatch(/max-age/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-ratelimit-limit")).toBe("1200");
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
});
