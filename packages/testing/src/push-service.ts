import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { atEnd } from "./at-end.js";

/** A message as a browser reads it. */
export interface PushedMessage {
  readonly headers: IncomingMessage["headers"];
  readonly content: Readonly<Record<string, unknown>>;
}

/** A browser with its own keys, whose messages the push service takes and decrypts. */
export interface PushedBrowser {
  /** What the browser's `PushSubscription.toJSON()` returns. */
  readonly subscription: {
    readonly endpoint: string;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  readonly messages: PushedMessage[];
  /** Status of the answers from now on; null: none is ever sent. */
  answer: number | null;
  /** Waits until this many messages have arrived. */
  arrived(count: number): Promise<PushedMessage[]>;
}

export interface PushService {
  readonly url: string;
  newBrowser(): PushedBrowser;
}

interface Keyed {
  readonly browser: PushedBrowser;
  readonly decrypt: (body: Buffer) => string;
}

/** A push service on a real socket, which refuses what RFC 8030, 8291 or 8292 do not allow. Closed after the test file. */
export const pushService = async (): Promise<PushService> => {
  const browsers = new Map<string, Keyed>();
  const server = createServer((request, response) => void take(browsers, request, response));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    newBrowser() {
      const path = `/push/${randomBytes(12).toString("base64url")}`;
      const keyed = newBrowser(url + path);
      browsers.set(path, keyed);
      return keyed.browser;
    },
  };
};

const newBrowser = (endpoint: string): Keyed => {
  const [ecdh, auth] = [createECDH("prime256v1"), randomBytes(16)];
  const publicKey = ecdh.generateKeys();
  const messages: PushedMessage[] = [];
  const browser: PushedBrowser = {
    subscription: {
      endpoint,
      keys: { p256dh: publicKey.toString("base64url"), auth: auth.toString("base64url") },
    },
    messages,
    answer: 201,
    async arrived(count) {
      await expect.poll(() => messages.length).toBeGreaterThanOrEqual(count);
      return messages;
    },
  };
  const decrypt = (body: Buffer): string =>
    decrypted(body, { auth, publicKey, secretWith: (other) => ecdh.computeSecret(other) });
  return { browser, decrypt };
};

const take = async (
  browsers: ReadonlyMap<string, Keyed>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const found = browsers.get(request.url ?? "");
  if (found === undefined) return void response.writeHead(404).end();
  const { browser, decrypt } = found;
  try {
    checkHeaders(request.headers, new URL(browser.subscription.endpoint).origin);
    browser.messages.push({ headers: request.headers, content: JSON.parse(decrypt(Buffer.concat(chunks))) });
    if (browser.answer !== null) response.writeHead(browser.answer).end();
  } catch (error) {
    response.writeHead(400).end(String(error));
  }
};

const checkHeaders = (headers: IncomingMessage["headers"], origin: string): void => {
  expect(headers["content-encoding"]).toBe("aes128gcm");
  expect(headers["ttl"]).toMatch(/^\d+$/);
  expect(["very-low", "low", "normal", "high"]).toContain(headers["urgency"]);
  expect(headers["topic"]).toMatch(/^[\w-]{1,32}$/);
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? "") ?? [];
  checkToken(token, key, origin);
};

/** RFC 8292: signed by the key, for this push service, and valid for a day at most. */
const checkToken = (token: string, key: string, origin: string): void => {
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const publicKey = createPublicKey({ key: jwk, format: "jwk" });
  const signed = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  expect(verify("sha256", Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, "base64url"))).toBe(true);
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, "base64url").toString());
  expect(aud).toBe(origin);
  expect(sub).toMatch(/^(mailto|https):/);
  expect(exp - Date.now() / 1000).toBeLessThanOrEqual(86_400);
};

interface Receiving {
  readonly auth: Buffer;
  readonly publicKey: Buffer;
  readonly secretWith: (publicKey: Buffer) => Buffer;
}

/** RFC 8188 with the keys of RFC 8291; a message is one record. */
const decrypted = (body: Buffer, { auth, publicKey, secretWith }: Receiving): string => {
  const [salt, sender, sealed] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, sender]);
  const key = Buffer.from(hkdfSync("sha256", secretWith(sender), auth, info, 32));
  const derived = (name: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", key, salt, `Content-Encoding: ${name}\0`, bytes));
  const decipher = createDecipheriv("aes-128-gcm", derived("aes128gcm", 16), derived("nonce", 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
};
