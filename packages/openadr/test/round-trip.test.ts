import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { buildMessage } from "../src/build.js";
import type { Event } from "../src/event.js";
import type { Message } from "../src/message.js";
import { parseMessage } from "../src/parse.js";
import { anEvent } from "./support/examples.js";
import { validate } from "./support/schema.js";

// Anything that XML allows; surrounding space is not part of a value.
const words = fc
  .string({ unit: "binary", maxLength: 30 })
  .map((raw) => raw.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "").trim())
  .filter((text) => text !== "");
const maybeWords = fc.option(words);
const ids = fc.array(words, { maxLength: 3 });
const seconds = fc.nat();
const maybeSeconds = fc.option(seconds);
const number = fc.nat({ max: 4_294_967_295 });
const moment = fc
  .date({ min: new Date("1970-01-01T00:00:00Z"), max: new Date("9999-12-31T00:00:00Z"), noInvalidDate: true })
  .map((date) => new Date(Math.floor(date.getTime() / 1000) * 1000));

const eiResponse = fc.record({
  responseCode: fc.constantFrom("200", "450", "452", "454", "463"),
  responseDescription: maybeWords,
  requestId: fc.oneof(words, fc.constant("")),
});

const event: fc.Arbitrary<Event> = fc.record({
  descriptor: fc.record({
    eventId: words,
    modificationNumber: number,
    priority: fc.option(number),
    marketContext: fc.constantFrom("*", "http://example.com/program"),
    createdAt: moment,
    status: fc.constantFrom("far", "near", "active", "completed", "cancelled"),
    test: fc.boolean(),
    vtnComment: maybeWords,
  }),
  activePeriod: fc.record({
    start: moment,
    durationSeconds: seconds,
    startAfterSeconds: maybeSeconds,
    notificationSeconds: seconds,
    rampUpSeconds: maybeSeconds,
    recoverySeconds: maybeSeconds,
  }),
  signals: fc.constant(anEvent().signals),
  target: fc.record({ groupIds: ids, resourceIds: ids, venIds: ids, partyIds: ids }),
  responseRequired: fc.constantFrom("always", "never"),
});

const eventResponse = fc
  .tuple(
    eiResponse,
    fc.record({ eventId: words, modificationNumber: number, optType: fc.constantFrom("optIn", "optOut") }),
  )
  .map(([outcome, qualified]) => ({ ...outcome, ...qualified }));

const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ kind: fc.constant("requestEvent"), requestId: words, venId: words, replyLimit: fc.option(number) }),
  fc.record({ kind: fc.constant("response"), response: eiResponse }),
  fc.record({
    kind: fc.constant("createdEvent"),
    response: eiResponse,
    eventResponses: fc.array(eventResponse, { maxLength: 4 }),
    venId: words,
  }),
  fc.record({
    kind: fc.constant("distributeEvent"),
    response: fc.option(eiResponse),
    requestId: words,
    vtnId: words,
    events: fc.array(event, { maxLength: 4 }),
  }),
) as fc.Arbitrary<Message>;

test("every message matches the schema and survives a round trip", () => {
  fc.assert(
    fc.property(message, (sent) => {
      const xml = buildMessage(sent);
      validate(xml);
      expect(parseMessage(Buffer.from(xml))).toEqual(sent);
    }),
    { numRuns: propertyRuns(200) },
  );
});
