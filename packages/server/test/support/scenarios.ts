import type { Receiver } from "@curtail/testing/receiver";
import { type Running, running } from "./running.js";
import { attemptsRecorded, inMinutes, program, sites } from "./scenario.js";

export let service: Running;

export const prepare = async () => {
  service = await running();
};

export const minutes = (count: number): string => inMinutes(service, count);
export const pass = (time: { seconds?: number; minutes?: number }): void => service.clock.advance(time);

export const told = async (hook: Receiver, count: number): Promise<Array<[string, string]>> => {
  const notices = await hook.notices(count);
  await attemptsRecorded(service);
  return notices.map(({ event, resource }) => [event, resource.split("/").at(-1) ?? ""]);
};

export const state = (published: number, more: object = {}) => ({
  published_time: minutes(published),
  dispatch: { start_time: minutes(30), end_time: null, sites, program, ...more },
});
