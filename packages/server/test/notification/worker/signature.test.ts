import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import {
  randomSecret,
  secretFrom,
  signatureHeaders,
  verifySignature,
} from "../../../src/notification/worker/signature.js";

const bytes = Buffer.alloc(32, 7);
const secret = secretFrom(bytes);
const other = secretFrom(Buffer.alloc(24, 9));
const now = new Date("2026-07-01T18:00:00.700Z");
const body = '{"event":{"name":"dispatch.update"},"resource":"é"}';
const message = { id: "del_1", timestamp: now, body };
const signed = signatureHeaders(message, [secret]);
const seconds = (n: number): Date => new Date(now.getTime() + n * 1000);

const expected = (key: Buffer): string =>
  `v1,${createHmac("sha256", key).update(`del_1.1782928800.${body}`).digest("base64")}`;

describe("Standard Webhooks headers (G29)", () => {
  test("equal the example of the specification's reference implementation", () => {
    const example = signatureHeaders(
      { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: new Date(1_614_265_330_000), body: '{"test": 2432232314}' },
      ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    );
    expect(example["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });

  test("are good to a receiver that uses the library of the standard, with either of two secrets", () => {
    const sent = signatureHeaders({ ...message, timestamp: new Date() }, [secret, other]);
    for (const each of [secret, other]) {
      expect(new Webhook(each).verify(body, { ...sent })).toEqual(JSON.parse(body));
      expect(() => new Webhook(each).verify(`${body} `, { ...sent })).toThrow("No matching signature");
    }
  });

  test("of the library of the standard are good to our own check", () => {
    const at = new Date();
    const headers = {
      "webhook-id": message.id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign(message.id, at, body),
    };
    expect(verifySignature(headers, body, secret, at)).toBe(true);
    expect(verifySignature(headers, body, other, at)).toBe(false);
  });

  test("hold id, whole seconds and one signature per secret", () => {
    expect(signatureHeaders(message, [secret, other])).toEqual({
      "webhook-id": "del_1",
      "webhook-timestamp": "1782928800",
      "webhook-signature": `${expected(bytes)} ${expected(Buffer.alloc(24, 9))}`,
    });
  });

  test("are never made without a secret", () => {
    expect(() => signatureHeaders(message, [])).toThrow(RangeError);
  });
});

describe("secrets", () => {
  test("have 24 to 64 bytes", () => {
    for (const length of [24, 64]) expect(secretFrom(Buffer.alloc(length))).toMatch(/^whsec_/);
    for (const length of [0, 23, 65]) expect(() => secretFrom(Buffer.alloc(length))).toThrow(RangeError);
  });

  test("are random when new", () => {
    expect(randomSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(randomSecret()).not.toBe(randomSecret());
  });

  test.each(["", "whsec_", "whsec_c2hvcnQ=", `whsec_${"!".repeat(44)}`, bytes.toString("base64")])(
    "%j is none, and no error repeats it",
    (text) => {
      const sign = () => signatureHeaders(message, [text]);
      expect(sign).toThrow("not a webhook secret: whsec_<24 to 64 bytes>");
    },
  );
});

describe("a receiver", () => {
  test("accepts what was signed, with either of two secrets", () => {
    const both = signatureHeaders(message, [secret, other]);
    expect(verifySignature(both, body, secret, now)).toBe(true);
    expect(verifySignature(both, body, other, now)).toBe(true);
  });

  test("refuses another body, id, time, secret or version", () => {
    expect(verifySignature(signed, `${body} `, secret, now)).toBe(false);
    expect(verifySignature({ ...signed, "webhook-id": "del_2" }, body, secret, now)).toBe(false);
    expect(verifySignature({ ...signed, "webhook-timestamp": "1782928801" }, body, secret, now)).toBe(false);
    expect(verifySignature(signed, body, other, now)).toBe(false);
    const v2 = signed["webhook-signature"].replace("v1,", "v2,");
    expect(verifySignature({ ...signed, "webhook-signature": v2 }, body, secret, now)).toBe(false);
  });

  test.each([
    [300, -300, true],
    [302, -301, false],
  ])("accepts a difference of five minutes and no more: %i, %i", (ahead, behind, accepted) => {
    const whole = new Date("2026-07-01T18:00:00Z");
    expect(verifySignature(signed, body, secret, new Date(whole.getTime() + ahead * 1000))).toBe(accepted);
    expect(verifySignature(signed, body, secret, new Date(whole.getTime() + behind * 1000))).toBe(accepted);
  });

  test.each(["", "x", "-1", "1e9", "99999999999999"])("refuses the timestamp %j", (timestamp) => {
    expect(verifySignature({ ...signed, "webhook-timestamp": timestamp }, body, secret, seconds(0))).toBe(false);
  });

  test.each(["", "v1,", "v1", "v1,AAAA", "nonsense"])("refuses the signature %j", (signature) => {
    expect(verifySignature({ ...signed, "webhook-signature": signature }, body, secret, now)).toBe(false);
  });
});
