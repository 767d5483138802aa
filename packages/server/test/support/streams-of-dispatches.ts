import { claimKey } from "@curtail/client";
import { operator } from "@curtail/contract";
import { newProgram } from "./dispatching.js";
import { type EventStream, openStreamAt, type StreamedEvent } from "./event-stream.js";
import { type Participant, type Running, running } from "./running.js";

// What a participant's stream of dispatches says, and to whom.
export const PATH = "/dispatches/stream";

export let service: Running;

export const prepare = async () => {
  service = await running();
};

export const streamAt = (url: string, { key }: Pick<Participant, "key">, lastEventId?: string): Promise<EventStream> =>
  openStreamAt(`${url}/2022-04-15${PATH}`, {
    "x-service-api-key": key,
    ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
  });

export const sent = async (stream: EventStream): Promise<StreamedEvent> => {
  const event = await stream.next();
  if (event === null) throw new Error("the stream ended");
  return event;
};

export const ended = async (stream: EventStream): Promise<StreamedEvent[]> => {
  const left = [];
  for (let event = await stream.next(); event !== null; event = await stream.next()) left.push(event);
  return left;
};

export const newKey = async (accountId: string, environment: "production" | "sandbox"): Promise<string> => {
  const { claim_url } = await service.made(operator.createKey, { params: { id: accountId }, body: { environment } });
  return (await claimKey(service.url + new URL(claim_url).pathname)).api_key;
};

export let anna: Participant;
export let ben: Participant;
export let programId: string;

export const prepareTwo = async () => {
  [anna, ben] = [await service.newParticipant(), await service.newParticipant()];
  programId = await newProgram(service, [anna, ben]);
};

export let reader: Participant;
export let readProgram: string;

export const prepareReader = async () => {
  reader = await service.newParticipant();
  readProgram = await newProgram(service, [reader]);
};

export let key: string;

export const prepareKey = async () => {
  const { accountId } = await service.newParticipant();
  key = await newKey(accountId, "sandbox");
};
