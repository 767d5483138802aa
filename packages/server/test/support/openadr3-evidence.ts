import { operator } from "@curtail/contract";
import { runningVtn, type Vtn } from "./openadr-3.js";

export let vtn: Vtn;
export const prepare = async () => {
  vtn = await runningVtn();
};

export const attention = async (id: string) => vtn.made(operator.getDispatchAttention, { params: { id } });
export const timeline = async (id: string) =>
  (await vtn.made(operator.getDispatchTimeline, { params: { id } })).items
    .filter(({ what }) => what === "reached")
    .map(({ channel, modification_number }) => `${channel} ${modification_number}`);
