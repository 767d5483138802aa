import { expect, test } from "vitest";
import { type ServerSentEvent, type StreamPlace, serverSentEvents } from "../src/server-sent-events.js";

const read = async (pieces: readonly string[], place: StreamPlace = { lastEventId: "", retryMs: 1000 }) => {
  const arriving = async function* () {
    yield* pieces;
  };
  const events: ServerSentEvent[] = [];
  for await (const event of serverSentEvents(arriving(), place)) events.push(event);
  return { events, place };
};

const TEXT =
  "retry: 1730\n\nid: 1.a\nevent: snapshot\ndata: {}\n\n: still here\n\nid: 1.b\nevent: dispatch\ndata: 1\n\n";
const EVENTS = [
  { type: "snapshot", data: "{}" },
  { type: "dispatch", data: "1" },
];

test.for([
  ["LF", TEXT],
  ["CRLF", TEXT.replaceAll("\n", "\r\n")],
] as const)("events are read at whichever byte their text is cut, with %s", async ([, text]) => {
  for (let at = 0; at <= text.length; at++) {
    const { events, place } = await read([text.slice(0, at), text.slice(at)]);
    expect(events).toEqual(EVENTS);
    expect(place).toEqual({ lastEventId: "1.b", retryMs: 1730 });
  }
});

test("lines of data belong together, and a space after the colon may be left out", async () => {
  const { events } = await read(["data:first\ndata:  second\ndata\n\n"]);
  expect(events).toEqual([{ type: "", data: "first\n second\n" }]);
});

test("an event that is incomplete at the end is left out, and so is its id", async () => {
  const { events, place } = await read(["id: 1\ndata: a\n\nid: 2\ndata: b\n"]);
  expect(events).toEqual([{ type: "", data: "a" }]);
  expect(place.lastEventId).toBe("1");
});

test("an empty id means that a connection cannot continue; no id, that the last one holds", async () => {
  expect((await read(["id: 2\ndata: a\n\ndata: b\n\n"])).place.lastEventId).toBe("2");
  const place = { lastEventId: "1", retryMs: 1000 };
  await read(["id: \ndata: a\n\n"], place);
  expect(place.lastEventId).toBe("");
});

test("a wait that is no number is ignored", async () => {
  expect((await read(["retry: soon\n\n"])).place.retryMs).toBe(1000);
});
