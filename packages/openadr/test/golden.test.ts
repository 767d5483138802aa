import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { buildMessage } from "../src/build.js";
import type { Message } from "../src/message.js";
import { parseMessage } from "../src/parse.js";
import { readXml } from "../src/read-xml.js";
import { anEvent, answer, at, createdEvent, distributing } from "./support/examples.js";
import { NO_FIXTURES, openadrFixtures, validate } from "./support/schema.js";

const bareEvent = anEvent({
  descriptor: {
    eventId: "dispatch-1",
    modificationNumber: 0,
    priority: null,
    marketContext: "http://example.com/program",
    createdAt: at("18:00:00"),
    status: "active",
    test: true,
    vtnComment: null,
  },
  activePeriod: {
    start: at("18:00:00"),
    durationSeconds: 0,
    startAfterSeconds: null,
    notificationSeconds: 0,
    rampUpSeconds: null,
    recoverySeconds: null,
  },
  signals: [
    {
      name: "simple",
      type: "level",
      id: "0",
      intervals: [{ durationSeconds: 0, uid: "0", level: 1 }],
      currentLevel: 1,
    },
  ],
  target: { groupIds: [], resourceIds: [], venIds: [], partyIds: [] },
  responseRequired: "never",
});

const response = (responseCode: string, responseDescription: string | null, requestId: string) => ({
  responseCode,
  responseDescription,
  requestId,
});

const goldens: ReadonlyArray<{ file: string; message: Message }> = [
  { file: "distribute-event", message: distributing(anEvent()) },
  { file: "distribute-event-bare", message: { ...distributing(bareEvent), response: null } },
  {
    file: "distribute-event-refused",
    message: {
      ...distributing(),
      response: response("463", "The venID is not that of the certificate", "request-7"),
    },
  },
  { file: "request-event", message: { kind: "requestEvent", requestId: "request-7", venId: "ven-1", replyLimit: 3 } },
  { file: "request-event-bare", message: { kind: "requestEvent", requestId: "", venId: "ven-1", replyLimit: null } },
  {
    file: "created-event",
    message: createdEvent(
      answer("dispatch-1"),
      answer("dispatch-2", {
        responseCode: "460",
        responseDescription: null,
        modificationNumber: 3,
        optType: "optOut",
      }),
    ),
  },
  { file: "created-event-bare", message: { ...createdEvent(), response: response("200", null, "") } },
  {
    file: "response",
    message: { kind: "response", response: response("454", "the message is not well-formed XML", "") },
  },
  { file: "response-bare", message: { kind: "response", response: response("200", null, "answer-7") } },
];

const golden = (file: string): Buffer => readFileSync(new URL(`golden/${file}.xml`, import.meta.url));

test.each(goldens)("$file is built as its golden file has it", ({ file, message }) => {
  expect(readXml(Buffer.from(buildMessage(message)), null)).toEqual(readXml(golden(file), null));
});

test.each(goldens)("$file is read from its golden file", ({ file, message }) => {
  expect(parseMessage(golden(file))).toEqual(message);
});

if (openadrFixtures === null) test.skip(`every message obeys the schema: ${NO_FIXTURES}`, () => {});
else {
  test.each(goldens)("$file obeys the schema, as built and in its golden file", ({ file, message }) => {
    expect(() => validate(buildMessage(message))).not.toThrow();
    expect(() => validate(golden(file).toString())).not.toThrow();
  });

  test("the schema refuses what is wrong", () => {
    const wrong = buildMessage(distributing(anEvent())).replace("<xcal:components/>", "");
    expect(() => validate(wrong)).toThrow(/components/);
  });
}
