import { ahead, newDispatch, newProgram } from "./dispatching.js";
import { type Participant, type Running, running } from "./running.js";
import { listeningToVens, type TestVen, type Vens } from "./vens.js";

export let service: Running;
export let vens: Vens;
export let anna: Participant;
let programId: string;

export const prepare = async () => {
  service = await running();
  vens = await listeningToVens(service);
  anna = await service.newParticipant();
  programId = await newProgram(service, [anna]);
};

/** A VEN that received one dispatch, of two hours by default. */
export const shown = async (body: Readonly<Record<string, unknown>> = {}): Promise<{ ven: TestVen; id: string }> => {
  const ven = await vens.newVen(anna);
  const { id } = await newDispatch(service, programId, { end_time: ahead(service, { hours: 3 }), ...body });
  return { ven, id };
};

export const eventOf = async (ven: TestVen, id: string) =>
  (await ven.events()).filter(({ descriptor }) => descriptor.eventId === id);

export const requiredOf = async (ven: TestVen, id: string): Promise<string | undefined> =>
  (await eventOf(ven, id))[0]?.responseRequired;

export const failure = { code: "400", description: "no relay is configured" };
