import { operator } from "@curtail/contract";
import type { About } from "./alarms.js";
import { type Running, running } from "./running.js";
import { mailRows } from "./unreachable.js";

// Reliability R3 and R9: no dispatch without a success, a mail or an alarm; 15 s without delivery need a person.
export let service: Running;

export const prepare = async () => {
  service = await running();
};

export const undelivered = (id: string, state?: About["state"]): About => ({ kind: "notice_undelivered", id, state });
export const failed = (id: string, state?: About["state"]): About => ({ kind: "notice_failed", id, state });

export const pendingDeliveries = async (dispatchId: string): Promise<number> => {
  const { items } = (await service.operator(operator.listDispatchDeliveries, { params: { id: dispatchId } })).body;
  return items.filter(({ state }) => state === "pending").length;
};

/** Number of mails about a dispatch that went to nobody. */
export const unsentMails = async (dispatchId: string): Promise<number> =>
  (await mailRows(service, dispatchId)).filter(({ state }) => state !== "waiting" && state !== "sent").length;
