import { type Running, running } from "./running.js";
import { inMinutes } from "./scenario.js";

export let service: Running;

export const prepare = async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000", CURTAIL_RATE_LIMIT_DISPATCHES: "100000" });
};

export const minutes = (count: number): string => inMinutes(service, count);
