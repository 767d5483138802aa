import { describe, expect, test } from "vitest";
import {
  isAccepted,
  shortFingerprint,
  stateOf,
  type VenCertificate,
  warnedDays,
} from "../../../src/openadr/domain/ven.js";

const at = (text: string): Date => new Date(`2026-06-01T${text}Z`);
const certificate: VenCertificate = {
  fingerprint: "00".repeat(22) + "0102030405060708090a",
  ven: "ven_1",
  pem: "",
  notBefore: at("00:00:00"),
  expiresAt: at("12:00:00"),
  revokedAt: null,
  createdAt: at("00:00:00"),
};
const ven = {
  id: "ven_1",
  accountId: "acc_1",
  venId: "store-12",
  environment: "production",
  siteIds: null,
  push: null,
  targetResource: "site_id",
  targetVenId: true,
  marketContext: "*",
  pollIntervalSeconds: 10,
  createdAt: at("00:00:00"),
  lastPollAt: null,
  lastAcknowledgementAt: null,
} as const;
const identity = { ven, certificate, isDeleted: false, accountDisabled: false };

describe("a VEN's certificate", () => {
  test("is good until the second of its expiry, and no longer once it is revoked", () => {
    expect(stateOf(certificate, at("11:59:59"))).toBe("valid");
    expect(stateOf(certificate, at("12:00:00"))).toBe("expired");
    expect(stateOf({ ...certificate, revokedAt: at("01:00:00") }, at("01:00:00"))).toBe("revoked");
  });

  test("is accepted while it is good, its VEN is there and its account is not disabled", () => {
    expect(isAccepted(identity, at("11:00:00"))).toBe(true);
    expect(isAccepted(identity, at("12:00:00"))).toBe(false);
    expect(isAccepted({ ...identity, isDeleted: true }, at("11:00:00"))).toBe(false);
    expect(isAccepted({ ...identity, accountDisabled: true }, at("11:00:00"))).toBe(false);
  });

  test("has a short fingerprint: its last ten bytes", () => {
    expect(shortFingerprint(certificate.fingerprint)).toBe("01:02:03:04:05:06:07:08:09:0A");
  });
});

test.each([
  [60 * 86_400 + 1, null],
  [60 * 86_400, 60],
  [30 * 86_400 + 1, 60],
  [30 * 86_400, 30],
  [7 * 86_400 + 1, 30],
  [7 * 86_400, 7],
  [1, 7],
  [0, 0],
  [-1, 0],
])("a certificate that ends in %i seconds has come to the step of %j days", (seconds, days) => {
  const now = at("12:00:00");
  expect(warnedDays(new Date(now.getTime() + seconds * 1000), now)).toBe(days);
});
