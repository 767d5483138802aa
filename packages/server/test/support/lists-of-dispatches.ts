import { listDispatches } from "@curtail/contract";
import { ahead, newDispatch, newProgram } from "./dispatching.js";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;

export const prepare = async () => {
  service = await running();
};

export const listed = async (query: string): Promise<string[]> =>
  (await service.operator("GET", `/dispatches?${query}`)).body.items.map((each: { id: string }) => each.id);

export let account: Participant;
export let program: string;
export let other: string;

export const prepareOfOperator = async () => {
  account = await service.newParticipant({ sites: [["main"], ["main"], ["main"]] });
  program = await newProgram(service, [account]);
  other = await newProgram(service, [account]);
};

export const between = (from: number, to: number | null, program_id = program) =>
  newDispatch(service, program_id, {
    start_time: ahead(service, { seconds: from }),
    end_time: to === null ? null : ahead(service, { seconds: to }),
  });

export let anna: Participant;
export let programId: string;

export const prepareOfParticipant = async () => {
  anna = await service.newParticipant({ sites: [["main"], ["main"]] });
  programId = await newProgram(service, [anna]);
};

export const shown = async () => (await anna.call(listDispatches)).body.dispatches;
