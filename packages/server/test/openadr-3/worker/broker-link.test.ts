import { freePort } from "@curtail/testing/free-port";
import { expect, test } from "vitest";
import { BrokerLink, delayAfterMs } from "../../../src/openadr-3/worker/broker-link.js";

test("the pause after a failure doubles, up to a minute", () => {
  expect([1, 2, 3, 6, 7, 100].map(delayAfterMs)).toEqual([1000, 2000, 4000, 32_000, 60_000, 60_000]);
});

test("a broker that cannot be reached is left alone until the pause is over, and is named with the reason", async () => {
  let nowMs = 0;
  const url = `mqtt://127.0.0.1:${await freePort()}`;
  const connection = { url, username: null, password: null, asksForIdentifier: true, tls: async () => ({}) };
  const link = new BrokerLink(connection, { monotonicMs: () => nowMs });
  expect([link.isResting, await link.open(), link.isResting]).toEqual([false, null, true]);
  expect(link.fault).toMatch(/ECONNREFUSED/);
  nowMs = 999;
  expect(link.isResting).toBe(true);
  nowMs = 1000;
  expect([link.isResting, await link.open()]).toEqual([false, null]);
  nowMs = 2999;
  expect(link.isResting).toBe(true);
});

const unreadable = () => Promise.reject(new Error("no such file"));

test("a file of certificates that cannot be read counts as a failure", async () => {
  const link = new BrokerLink(
    { url: "mqtts://127.0.0.1", username: null, password: null, asksForIdentifier: true, tls: unreadable },
    { monotonicMs: () => 0 },
  );
  expect(await link.open()).toBeNull();
  expect(link.fault).toBe("no such file");
});
