import { type BodyOf, listDispatches, operator } from "@curtail/contract";
import { wireProgram } from "@curtail/testing/wire-forms";
import type { Participant, Running } from "./running.js";

export interface Ahead {
  readonly seconds?: number;
  readonly minutes?: number;
  readonly hours?: number;
  readonly days?: number;
}

/** A moment relative to the fake clock, as a timestamp of the interface; negative is in the past. */
export const ahead = (service: Running, { seconds = 0, minutes = 0, hours = 0, days = 0 }: Ahead): string => {
  const ms = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  return new Date(service.clock.now().getTime() + ms).toISOString().replace(".000Z", "Z");
};

export interface NewProgram {
  readonly name?: string;
  readonly commitment?: number | null;
  readonly schedule_cutoff_seconds?: number;
}

/** Creates a program in which every site of the participants is enrolled; returns its id. */
export const newProgram = async (
  service: Running,
  participants: readonly Participant[],
  { name = "Peak", commitment = 50, schedule_cutoff_seconds = 0 }: NewProgram = {},
): Promise<string> => {
  const zone = { timezone: "America/Chicago", market: "ERCOT" };
  const program = await service.made(operator.createProgram, {
    body: wireProgram({ name, schedule_cutoff_seconds, ...zone }),
  });
  for (const { id } of participants.flatMap(({ sites }) => sites)) {
    await service.made(operator.enrolSite, { params: { id: program.id, site_id: id }, body: { commitment } });
  }
  return program.id;
};

/** An operator's dispatch of a program; by default it starts in an hour and has no end. */
export const newDispatch = (
  service: Running,
  program_id: string,
  body: Partial<BodyOf<typeof operator.createDispatch>> = {},
) =>
  service.made(operator.createDispatch, {
    body: { program_id, start_time: ahead(service, { hours: 1 }), confirm_past: true, ...body },
  });

/** Ids of the dispatches in a participant's list, in order. */
export const listedIds = async (participant: Participant): Promise<string[]> => {
  const { body } = await participant.call(listDispatches);
  return body.dispatches.map(({ id }) => id);
};
