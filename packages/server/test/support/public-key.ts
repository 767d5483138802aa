import { type Receiver, receiver } from "@curtail/testing/receiver";
import { type Running, running } from "./running.js";

export let service: Running;
export let call: Running["publicCall"];
export let hook: Receiver;

export const prepare = async () => {
  service = await running({ CURTAIL_RATE_LIMIT_DISPATCHES: "100000", CURTAIL_RATE_LIMIT: "100000" });
  call = service.publicCall;
  hook = await receiver();
};

export const ahead = (minutes: number): string =>
  new Date(service.clock.now().getTime() + minutes * 60_000).toISOString().replace(".000Z", "Z");
export const siteIds = ["site_sandbox_lakeside", "site_sandbox_harbour"];
export const load = (more: object = {}) => ({
  interval_seconds: 300,
  timestamp: ahead(0),
  site_id: siteIds[0],
  units: "kW",
  value: 3,
  ...more,
});
