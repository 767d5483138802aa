import { expect, test } from "vitest";
import type { ActivePeriod } from "../src/active-period.js";
import { buildMessage } from "../src/build.js";
import type { Event } from "../src/event.js";
import type { EventDescriptor } from "../src/event-descriptor.js";
import type { EventTarget } from "../src/event-target.js";
import { parseMessage } from "../src/parse.js";
import { anEvent, distributing } from "./support/examples.js";
import { validate } from "./support/schema.js";

const { descriptor, activePeriod, target, signals } = anEvent();
const withDescriptor = (changes: Partial<EventDescriptor>): Event =>
  anEvent({ descriptor: { ...descriptor, ...changes } });
const withPeriod = (changes: Partial<ActivePeriod>): Event =>
  anEvent({ activePeriod: { ...activePeriod, ...changes } });
const withTarget = (changes: Partial<EventTarget>): Event => anEvent({ target: { ...target, ...changes } });

const reread = (event: Event): unknown => parseMessage(Buffer.from(buildMessage(distributing(event))));

const optional = [
  { element: "ei:priority", event: withDescriptor({ priority: null }) },
  { element: "ei:vtnComment", event: withDescriptor({ vtnComment: null }) },
  { element: "xcal:tolerance", event: withPeriod({ startAfterSeconds: null }) },
  { element: "ei:x-eiRampUp", event: withPeriod({ rampUpSeconds: null }) },
  { element: "ei:x-eiRecovery", event: withPeriod({ recoverySeconds: null }) },
  { element: "ei:groupID", event: withTarget({ groupIds: [] }) },
  { element: "ei:resourceID", event: withTarget({ resourceIds: [] }) },
  { element: "ei:partyID", event: withTarget({ partyIds: [] }) },
];

test.each(optional)("$element is left out when there is none, and the rest still obeys the schema", (example) => {
  expect(buildMessage(distributing(anEvent()))).toContain(`<${example.element}`);
  const xml = buildMessage(distributing(example.event));
  expect(xml).not.toContain(`<${example.element}`);
  validate(xml);
  expect(parseMessage(Buffer.from(xml))).toEqual(distributing(example.event));
});

test("ei:responseDescription is left out when there is none", () => {
  const message = {
    kind: "response" as const,
    response: { responseCode: "200", responseDescription: null, requestId: "7" },
  };
  const xml = buildMessage(message);
  expect(xml).not.toContain("responseDescription");
  validate(xml);
});

test("several events, signals and intervals keep their order", () => {
  const [signal] = signals;
  const intervals = [
    { durationSeconds: 3600, uid: "0", level: 1 },
    { durationSeconds: 1800, uid: "1", level: 2.5 },
  ];
  const two =
    signal === undefined
      ? []
      : [
          { ...signal, intervals },
          { ...signal, id: "1" },
        ];
  const message = distributing(anEvent({ signals: two }), withDescriptor({ eventId: "dispatch-2" }));
  const xml = buildMessage(message);
  validate(xml);
  expect(parseMessage(Buffer.from(xml))).toEqual(message);
});

test("neither schemaVersion nor schemaLocation nor a namespace out of use is written", () => {
  const xml = buildMessage({
    kind: "response",
    response: { responseCode: "200", responseDescription: "OK", requestId: "" },
  });
  expect(xml).not.toMatch(/schemaVersion|schemaLocation|icalendar/);
});

test("times end in Z and have whole seconds", () => {
  const xml = buildMessage(distributing(withPeriod({ start: new Date("2026-06-01T18:00:00.999Z") })));
  expect(xml).toContain("<xcal:date-time>2026-06-01T18:00:00Z</xcal:date-time>");
});

test("text that looks like markup arrives as text", () => {
  const vtnComment = `<ei:venID>other</ei:venID> & ]]> "quoted" 'too' &amp; tab\tline\nreturn\r€ 😀`;
  const event = withDescriptor({ vtnComment });
  validate(buildMessage(distributing(event)));
  expect(reread(event)).toEqual(distributing(event));
});

test("a character that XML cannot hold becomes U+FFFD instead of spoiling the message", () => {
  const event = withTarget({ resourceIds: ["store\u0000 4", "\uD800", "\uFFFF", "ok\u000B"] });
  validate(buildMessage(distributing(event)));
  expect(reread(event)).toEqual(
    distributing(withTarget({ resourceIds: ["store\uFFFD 4", "\uFFFD", "\uFFFD", "ok\uFFFD"] })),
  );
});

test("what the schema cannot express is not written", () => {
  expect(() => buildMessage(distributing(withPeriod({ durationSeconds: -1 })))).toThrow(/duration/);
  const response = { responseCode: "20", responseDescription: null, requestId: "" };
  expect(() => buildMessage({ kind: "response", response })).toThrow(/three digits/);
});
