import { expect } from "vitest";
import { type Browser, newBrowser } from "./people.js";
import { type Participant, type Running, running } from "./running.js";

export interface Logged {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly count: number;
}

export let service: Running;
export let anna: Participant;
export let viewer: Browser;

export const prepare = async () => {
  service = await running();
};

export const prepareEach = async () => {
  anna = await service.newParticipant();
  viewer = await newBrowser(service, "participant-viewer", anna.accountId);
};

export const logged = async (query = ""): Promise<Logged[]> =>
  (await viewer.console("GET", `/requests${query}`)).body.items;
const countOf = async (query = ""): Promise<number> => (await logged(query)).reduce((sum, { count }) => sum + count, 0);
export const untilCount = (count: number, query = "") => expect.poll(() => countOf(query)).toBe(count);
export const minute = (): string =>
  new Date(Math.floor(service.clock.now().getTime() / 60_000) * 60_000).toISOString().replace(".000Z", "Z");
