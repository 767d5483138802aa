import { EventEmitter, once } from "node:events";
import { describe, expect, test } from "vitest";
import { CausesOfChanges, type KnownCause } from "../../src/platform/causes-of-changes.js";
import { modifiedBy, noticedChange, type TracedChange } from "../../src/platform/tracing.js";

const TRACEPARENT = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
const CHANGE = modifiedBy("dis_1", 0);

const causesWith = (causeOf: (change: TracedChange) => Promise<string | null>, mostSpans = 2) => {
  const errors: unknown[] = [];
  return { causes: new CausesOfChanges({ causeOf }, { mostSpans, onError: (error) => errors.push(error) }), errors };
};

test("the database is asked once for each change, whoever asks and how often", async () => {
  const asked: TracedChange[] = [];
  const { causes } = causesWith(async (change) => {
    asked.push(change);
    return TRACEPARENT;
  });
  const notice = noticedChange("dis_1", new Date(0));
  await Promise.all([CHANGE, CHANGE, notice, notice].map((each) => causes.soon(each)));
  await causes.soon(CHANGE);
  expect(asked).toEqual([CHANGE, notice]);
});

test("a thousand changes are remembered, the newest ones", async () => {
  let asked = 0;
  const { causes } = causesWith(async () => {
    asked += 1;
    return null;
  });
  for (let index = 0; index <= 1000; index++) await causes.soon(modifiedBy(`dis_${index}`, 0));
  await causes.soon(modifiedBy("dis_1000", 0));
  expect(asked).toBe(1001);
  await causes.soon(modifiedBy("dis_0", 0));
  expect(asked).toBe(1002);
});

describe("of each change", () => {
  test("so many spans of a name are recorded, and as many failures again", async () => {
    const { causes } = causesWith(async () => TRACEPARENT);
    const cause = await causes.soon(CHANGE);
    const take = (isFailure: boolean) => cause?.take("webhook attempt", isFailure);
    expect([take(false), take(true), take(false), take(true), take(true), take(true)]).toEqual([
      true,
      true,
      false,
      true,
      true,
      false,
    ]);
    expect(cause?.take("ven poll 2.0a", false)).toBe(true);
  });
});

describe("while the database does not answer", () => {
  test("a notice waits for a tenth of a second", async () => {
    const { causes } = causesWith(() => new Promise(() => {}));
    const startedMs = performance.now();
    expect(await causes.soon(CHANGE)).toBeNull();
    // A busy machine takes longer.
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });

  test("two thousand spans wait, and no more", async () => {
    const database = new EventEmitter();
    const { causes } = causesWith(async () => String(await once(database, "answer")));
    const found: KnownCause[] = [];
    for (let index = 0; index < 3000; index++) causes.whenFound(CHANGE, (cause) => found.push(cause));
    database.emit("answer", TRACEPARENT);
    await expect.poll(() => found.length).toBe(2000);
    causes.whenFound(CHANGE, (cause) => found.push(cause));
    await expect.poll(() => found.length).toBe(2001);
  });

  test("a failure is reported, and the next that needs it asks again", async () => {
    let fails = true;
    const { causes, errors } = causesWith(async () => {
      if (fails) throw new Error("away");
      return TRACEPARENT;
    });
    expect(await causes.soon(CHANGE)).toBeNull();
    expect(errors).toHaveLength(1);
    fails = false;
    expect(await causes.soon(CHANGE)).toMatchObject({ traceparent: TRACEPARENT });
  });
});
