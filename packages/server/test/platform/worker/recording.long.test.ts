import { expect, test } from "vitest";
import { HeldLeases, LapsedLeases } from "../../../src/platform/worker/lease.js";
import { Recording } from "../../../src/platform/worker/recording.js";
import { fakeClock } from "../../support/fake-clock.js";

const connectionLost = (): Error => new Error("Connection terminated unexpectedly");
const at = (second: number): Date => new Date(second * 1000);
const clock = fakeClock();
const warnings: string[] = [];
const log = { warn: (_: object, message: string) => void warnings.push(message) };

test("what could not be recorded while the database was away is recorded once it is back, and said once", async () => {
  let tries = 0;
  await new Recording(log, clock).run(async () => {
    if (++tries < 3) throw connectionLost();
  });
  expect(tries).toBe(3);
  expect(warnings).toHaveLength(1);
});

test("what the database refuses is not tried again", async () => {
  let tries = 0;
  const refused = new Recording(log, clock).run(async () => {
    tries += 1;
    throw Object.assign(new Error("duplicate key"), { code: "23505" });
  });
  await expect(refused).rejects.toThrow("duplicate key");
  expect(tries).toBe(1);
});

test("what a process that ends cannot record is given up after a few seconds", async () => {
  const recording = new Recording(log, clock);
  let tries = 0;
  const given = recording.run(async () => {
    tries += 1;
    throw connectionLost();
  });
  recording.hurry();
  await expect(given).rejects.toThrow("Connection terminated");
  expect(tries).toBeGreaterThan(2);
}, 15_000);

test("leases that ended while the database was away are not over when it is back", () => {
  const lapsed = new LapsedLeases();
  expect(lapsed.before(at(1))).toEqual(at(1));
  lapsed.lookMade(at(1));
  lapsed.lookFailed();
  lapsed.lookFailed();
  expect(lapsed.before(at(60))).toEqual(at(1));
  lapsed.lookMade(at(60));
  expect(lapsed.before(at(61))).toEqual(at(1));
});

test("a held item is not started twice, and continues under its new lease", () => {
  const [first, second] = [new Date(1), new Date(2)];
  const hands = new HeldLeases();
  expect(hands.take("a", first)).toBe(true);
  expect(hands.take("a", second)).toBe(false);
  expect(hands.held({ id: "a", leasedUntil: first })).toEqual({ id: "a", leasedUntil: second });
  hands.drop("a");
  expect(hands.take("a", first)).toBe(true);
});
