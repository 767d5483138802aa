import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFingerprint } from "../../../src/openadr/domain/fingerprint.js";

const colons = (hex: string): string => hex.match(/../g)?.join(":") ?? "";

const digest = (algorithm: string): string => createHash(algorithm).update("certificate").digest("hex");

/** How proxies write a SHA-256. */
const forms: ReadonlyArray<readonly [string, (digest: Buffer) => string]> = [
  ["hex", (digest) => digest.toString("hex")],
  ["upper case with colons", (digest) => colons(digest.toString("hex").toUpperCase())],
  ["base64", (digest) => digest.toString("base64")],
  ["base64url without padding", (digest) => digest.toString("base64url")],
  ["SHA256: and base64", (digest) => `SHA256:${digest.toString("base64").replace("=", "")}`],
  ["SHA256: and hex", (digest) => `SHA256:${colons(digest.toString("hex"))}`],
  ["as openssl prints it", (digest) => `sha256 Fingerprint=${colons(digest.toString("hex").toUpperCase())}`],
  ["Hash=", (digest) => `Hash=${digest.toString("hex")}`],
  ["in Envoy's list", (digest) => `By=spiffe://a/b;Hash=${digest.toString("hex")};Subject="CN=ven, O=x;Hash=1"`],
];

describe("a fingerprint is understood", () => {
  test.each(forms)("%s", (_, write) => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const sha256 = Buffer.from(bytes);
        expect(readFingerprint(write(sha256))).toEqual({ ok: true, fingerprint: sha256.toString("hex") });
      }),
    );
  });
});

describe("any other text is refused with its form", () => {
  test.each([
    [digest("sha1"), "it is a SHA-1 fingerprint, of 40 hex digits"],
    [colons(digest("sha1")), "it is a SHA-1 fingerprint, of 40 hex digits"],
    [digest("sha512"), "it is a SHA-512 fingerprint, of 128 hex digits"],
    ["", "it is empty"],
    ["Hash=", "it is empty"],
    ["-----BEGIN CERTIFICATE-----", "is no fingerprint"],
    [`SHA1:${digest("sha1")}`, "is no fingerprint"],
  ])("%s", (text, word) => {
    expect(readFingerprint(text)).toEqual({ ok: false, fault: expect.stringContaining(word) });
    expect(readFingerprint(text)).toMatchObject({ fault: expect.stringContaining("send the SHA-256") });
  });
});
