import {
  deleteMappingProfile,
  listMappingProfiles,
  type MappingProfile,
  operator,
  saveMappingProfile,
} from "@curtail/contract";
import { expect } from "vitest";
import { newDisplayed } from "./display.js";
import { expectError } from "./expect-error.js";
import type { Send } from "./http-client.js";
import { firstOf } from "./metering.js";
import { newBrowser } from "./people.js";
import { type Participant, type Running, running } from "./running.js";

// Mappings of meter data that accounts keep, and the imports that use them.
export let service: Running;

export const prepare = async () => {
  service = await running({ CURTAIL_KEEP_TELEMETRY: "400" });
  service.clock.set(new Date("2026-06-10T12:00:00Z"));
};

export const newSite = async (
  meters: readonly string[] = ["main"],
  timezone = "Europe/Berlin",
): Promise<Participant> => {
  const participant = await newDisplayed(service, { sites: [meters] });
  await moveTo(participant, timezone);
  return participant;
};

export const moveTo = (participant: Participant, timezone: string) =>
  service.made(operator.changeSite, { params: { id: firstOf(participant).siteId }, body: { timezone } });

export type Saving = NonNullable<Parameters<typeof service.made<typeof saveMappingProfile>>[1]>["body"];
type Query = NonNullable<NonNullable<Parameters<typeof service.made<typeof operator.importMeterData>>[1]>["query"]>;

/** One of the three that may keep a mapping for an account. */
interface Keeper {
  readonly save: (body: Saving) => ReturnType<Send>;
  readonly list: () => Promise<readonly MappingProfile[]>;
  readonly remove: (id: string) => ReturnType<Send>;
}

const itemsOf = async (answer: Promise<{ readonly body: { readonly items: readonly MappingProfile[] } }>) =>
  (await answer).body.items;

export const operatorFor = ({ accountId }: Participant): Keeper => ({
  save: (body) => service.operator(operator.saveAccountMappingProfile, { params: { id: accountId }, body }),
  list: () => itemsOf(service.operator(operator.listAccountMappingProfiles, { params: { id: accountId } })),
  remove: (id) => service.operator(operator.deleteAccountMappingProfile, { params: { id } }),
});

export const ownKeeper = (call: Send): Keeper => ({
  save: (body) => call(saveMappingProfile, { body }),
  list: () => itemsOf(call(listMappingProfiles)),
  remove: (id) => call(deleteMappingProfile, { params: { id } }),
});

export const personFor = async ({ accountId }: Participant): Promise<Keeper> =>
  ownKeeper((await newBrowser(service, "participant-admin", accountId)).console);

export const imported = async (participant: Participant, body: string, query: Query = {}) => {
  const params = { id: firstOf(participant).siteId };
  const answer = await service.operator(operator.importMeterData, { params, query, body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

export const refused = async (participant: Participant, body: string, query: Query, message: RegExp) => {
  const params = { id: firstOf(participant).siteId };
  expectError(await service.operator(operator.importMeterData, { params, query, body }), 400, message);
};

/** It asks for the order of day and month, and for the mark of times. */
export const file = (day = "06.05.2026", name = "Verbrauch"): string =>
  [`Zeit;${name} (kWh)`, ...["00:00", "00:15", "00:30"].map((time, at) => `${day} ${time};${at},5`)].join("\n");
export const answers = { format: "day_first", label: "start", zone: "Europe/Berlin" } as const;
export const dryRun = { dry_run: true } as const;
export const inBerlin = { ...dryRun, timezone: "Europe/Berlin" } as const;

/** Keeps how the file is read. */
export const keep = async (participant: Participant, name: string, time: object = answers): Promise<MappingProfile> => {
  const { header = null } = await imported(participant, file(), dryRun);
  const saved = await operatorFor(participant).save({ name, header, mapping: { time } });
  expect(saved.status, saved.text).toBe(201);
  return saved.body;
};
