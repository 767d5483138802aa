import { expect, test } from "vitest";
import type { BrokerMessage } from "../../../src/openadr-3/operations/publication.js";
import { type Group, publishInOrder, type Refused } from "../../../src/openadr-3/operations/publish-in-order.js";

const group = (seq: number, ...topics: string[]): Group => ({
  seq,
  messages: topics.map((topic) => ({ topic, body: "{}" })),
});

/** A broker that answers each topic when asked to, or at once. */
const broker = (answers: Readonly<Record<string, Refused>> = {}, window = 10) => {
  const taken: string[] = [];
  let open = 0;
  let most = 0;
  return {
    taken,
    most: () => most,
    window,
    maxBytes: 100,
    async take({ topic }: BrokerMessage) {
      taken.push(topic);
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return answers[topic] ?? null;
    },
  };
};

const LOST: Refused = { why: "the connection was lost", code: null };

test("messages are sent in order, and no more at once than the broker takes", async () => {
  const taker = broker({}, 2);
  const groups = [group(1, "a", "b"), group(2, "c"), group(3), group(4, "d", "e")];
  expect(await publishInOrder(taker, groups)).toEqual({ published: [1, 2, 3, 4], impossible: [], stopped: null });
  expect(taker.taken).toEqual(["a", "b", "c", "d", "e"]);
  expect(taker.most()).toBe(2);
});

test("what follows a message that was lost counts as not published, acknowledged or not", async () => {
  const progress = await publishInOrder(broker({ b: LOST }), [group(1, "a"), group(2, "a", "b"), group(3, "c")]);
  expect(progress).toEqual({ published: [1], impossible: [], stopped: { ...LOST, seq: 2 } });
});

test("nothing more is sent once one was lost", async () => {
  const taker = broker({ a: LOST }, 1);
  await publishInOrder(taker, [group(1, "a", "b"), group(2, "c")]);
  expect(taker.taken).toEqual(["a"]);
});

test.each([0x90, 0x95, 0x99])("a message that is refused for what it is (%i) is left out", async (code) => {
  const progress = await publishInOrder(broker({ a: { why: "refused", code } }), [group(1, "a"), group(2, "b")]);
  expect(progress).toEqual({ published: [2], impossible: [{ seq: 1, why: "refused" }], stopped: null });
});

test.each([0x80, 0x87, 0x97])("a message that may be taken later (%i) stops the others", async (code) => {
  const { published, stopped } = await publishInOrder(broker({ a: { why: "no", code } }), [
    group(1, "a"),
    group(2, "b"),
  ]);
  expect([published, stopped?.seq]).toEqual([[], 1]);
});

test("a message that the broker announced not to take is not sent", async () => {
  const taker = broker();
  const fits = { seq: 1, messages: [{ topic: "topic", body: "x".repeat(95) }] };
  const tooLarge = { seq: 2, messages: [{ topic: "topic", body: "x".repeat(94) + "é" }] };
  const { published, impossible } = await publishInOrder(taker, [fits, tooLarge]);
  expect([published, impossible.map(({ seq }) => seq)]).toEqual([[1], [2]]);
  expect(taker.taken.length).toBe(1);
});
