import { expect } from "vitest";
import { newProgram } from "./dispatching.js";
import type { EventStream } from "./event-stream.js";
import { type Browser, newBrowser } from "./people.js";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;
let anna: Participant;
let ben: Participant;
export let annaProgram: string;
export let benProgram: string;
export let ofAnna: Browser;

export const prepare = async () => {
  service = await running();
  [anna, ben] = [await service.newParticipant(), await service.newParticipant()];
  [annaProgram, benProgram] = [await newProgram(service, [anna]), await newProgram(service, [ben])];
  ofAnna = await newBrowser(service, "participant-viewer", anna.accountId);
};

export const PATH = "/changes/stream";

/** The stream after its first events. */
export const begun = async (opened: Promise<EventStream>): Promise<EventStream> => {
  const stream = await opened;
  expect(await stream.next()).toEqual({ id: "", event: "ready", data: {} });
  return stream;
};

/** Events up to the first that matches. */
export const until = async (stream: EventStream, event: string, data: object = {}) => {
  const seen = [];
  for (;;) {
    const next = await stream.next();
    if (next === null) throw new Error(`the stream ended after ${JSON.stringify(seen)}`);
    seen.push({ event: next.event, data: next.data });
    if (next.event === event && JSON.stringify(next.data) === JSON.stringify(data)) return seen;
  }
};
