import type { About } from "./alarms.js";
import { newDispatch, newProgram } from "./dispatching.js";
import { type Running, running } from "./running.js";
import { mailRows, poll } from "./unreachable.js";

// G45: if the mail cannot be sent, an alarm names account, dispatch and a contact.
export let service: Running;

export const prepare = async () => {
  service = await running();
};

export const unreached = (id: string, state?: About["state"]): About => ({ kind: "notice_failed", id, state });
export const dispatched = async (on = service) => {
  const participant = await on.newParticipant({ name: "Mills" });
  const programId = await newProgram(on, [participant]);
  return { participant, programId, issue: async () => (await newDispatch(on, programId)).id };
};
export const unsent = (id: string, count: number, on = service) =>
  poll(
    async () => (await mailRows(on, id)).filter(({ state }) => state === "no_contacts" || state === "kept").length,
    count,
  );
