import { readFileSync } from "node:fs";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keyOfRequest } from "../../../src/openadr/vtn/sign-request.js";
import { isRefusal } from "../../../src/platform/refusal.js";

/** Made by openssl req. */
const made = (name: string): string => readFileSync(new URL(`requests/${name}.csr`, import.meta.url), "utf8");

const refusalOf = async (csr: string): Promise<string> => {
  const key = await keyOfRequest(csr);
  return isRefusal(key) ? key.message : "taken";
};

const pemOf = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`;

const derOf = (pem: string): Buffer => Buffer.from(pem.replaceAll(/-----.*-----/g, ""), "base64");

/** The request with one byte changed, counted from its end if negative. */
const changedAt = (csr: string, at: number): string => {
  const der = derOf(csr);
  const place = at < 0 ? der.length + at : at;
  der[place] = (der[place] ?? 0) ^ 1;
  return pemOf(der);
};

describe("a request to be certified", () => {
  test.each(["rsa-2048", "rsa-2048-pss", "ec-p256", "ec-p384", "ec-p521", "asks-for-authority"])(
    "is taken: %s",
    async (name) => {
      const key = await keyOfRequest(made(name));
      expect(isRefusal(key) ? key.message : key.type).toBe("public");
    },
  );

  test("may have words before it, another usual heading and Windows line ends", async () => {
    const csr = made("ec-p256");
    expect(await refusalOf(`Certificate Request:\n    Data:\n${csr}`)).toBe("taken");
    expect(await refusalOf(csr.replaceAll("CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"))).toBe("taken");
    expect(await refusalOf(csr.replaceAll("\n", "\r\n"))).toBe("taken");
  });

  test.each([
    ["rsa-1024", /1024 bits.*Create a new key/],
    ["rsa-2048-sha1", /signed with SHA-1; sign it with SHA-256/],
    ["rsa-2048-md5", /signed with .*; sign it with SHA-256/],
    ["ed25519", /must contain an RSA key of 2048 bits or more, or an EC key/],
    ["ec-secp256k1", /must contain an RSA key of 2048 bits or more, or an EC key/],
  ])("is refused: %s", async (name, why) => {
    expect(await refusalOf(made(name))).toMatch(why);
  });

  test.each(["rsa-2048", "rsa-2048-pss", "ec-p256", "asks-for-authority"])(
    "is refused when its signature or what it signs was changed: %s",
    async (name) => {
      expect(await refusalOf(changedAt(made(name), -1))).toMatch(/not signed by the key/);
      const subject = derOf(made(name)).indexOf("060355040", 0, "hex");
      expect(subject).toBeGreaterThan(0);
      expect(await refusalOf(changedAt(made(name), subject + 9))).toMatch(/not signed by the key|PKCS#10/);
    },
  );

  test("is refused with the key of one and the signature of another", async () => {
    const [one, other] = [derOf(made("rsa-2048")), derOf(made("rsa-2048-sha1"))];
    expect(await refusalOf(pemOf(Buffer.concat([one.subarray(0, -256), other.subarray(-256)])))).toMatch(
      /not signed by the key/,
    );
  });

  test("is refused when it is none", async () => {
    const csr = made("ec-p256");
    const others = [
      "",
      "certificate",
      csr.slice(0, 200),
      csr.replaceAll("CERTIFICATE REQUEST", "CERTIFICATE"),
      csr + csr,
      `${csr}-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n`,
      pemOf(Buffer.from("not DER")),
      pemOf(derOf(csr).subarray(0, -10)),
    ];
    for (const other of others)
      expect(await refusalOf(other)).toMatch(/must be one certificate request \(PKCS#10\) in PEM/);
  });

  test("may have 16,384 characters, and not one more", async () => {
    const csr = made("ec-p256");
    expect(await refusalOf(csr.padEnd(16_384))).toBe("taken");
    expect(await refusalOf(csr.padEnd(16_385))).toMatch(/16385 characters; the most allowed is 16384/);
  });

  test("never throws, whatever it is", async () => {
    const der = derOf(made("rsa-2048"));
    await fc.assert(
      fc.asyncProperty(fc.nat(der.length - 1), fc.nat(255), async (at, byte) => {
        const changed = Buffer.from(der);
        changed[at] = byte;
        expect(typeof (await refusalOf(pemOf(changed)))).toBe("string");
      }),
      { numRuns: propertyRuns(80) },
    );
  });
});
