import { operator, type ReplyOf } from "@curtail/contract";
import { newDispatch, newProgram } from "./dispatching.js";
import type { Participant, Running } from "./running.js";

export type Groups = ReplyOf<typeof operator.listAlarmGroups>;
export type Group = Groups["items"][number];

/** Nothing watches here, so that only what is raised stands. */
export const unwatched = new Set(["alarms"] as const);

export interface Raised {
  readonly kind: string;
  /** Of the alarm; made up unless said. */
  readonly subject?: string;
  readonly accountId?: string | null;
  readonly message?: string;
  readonly reason?: string | null;
}

let count = 0;

/** Raises alarms as the watch does, at the present of the service; returns their ids. */
export const raise = async ({ database, clock }: Running, alarms: readonly Raised[]): Promise<string[]> => {
  const ids = alarms.map(() => `alm_raised${++count}`);
  await database.pool.query(
    `insert into alarms (id, kind, subject, account_id, message, reason, raised_at)
     select *, $7::timestamptz from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])`,
    [
      ids,
      alarms.map(({ kind }) => kind),
      alarms.map(({ subject }, index) => subject ?? `subject of ${ids[index]}`),
      alarms.map(({ accountId }) => accountId ?? null),
      alarms.map(({ message }) => message ?? "something is wrong"),
      alarms.map(({ reason }) => reason ?? null),
      clock.now(),
    ],
  );
  return ids;
};

export const groupsOf = (on: Running): Promise<Groups> => on.made(operator.listAlarmGroups, {});

export const groupOf = async (on: Running, id: string): Promise<Group | undefined> =>
  (await groupsOf(on)).items.find((each) => each.id === id);

/** Participants of a dispatch that commit as much as said, each with a site. */
export const called = async (
  on: Running,
  commitments: readonly number[],
  times: Parameters<typeof newDispatch>[2] = {},
): Promise<{ readonly id: string; readonly participants: readonly Participant[] }> => {
  const participants = await Promise.all(
    commitments.map((_, index) => on.newParticipant({ name: `Account ${index}` })),
  );
  const programId = await newProgram(on, [], { name: "Peak relief" });
  for (const [index, { sites }] of participants.entries())
    await on.made(operator.enrolSite, {
      params: { id: programId, site_id: sites[0]?.id ?? "" },
      body: { commitment: commitments[index] ?? 0 },
    });
  return { id: (await newDispatch(on, programId, times)).id, participants };
};

/** One for each account: nothing reached it. */
export const unnotified = (dispatchId: string, participants: readonly Participant[], reason = "no_channel"): Raised[] =>
  participants.map(({ accountId }) => ({
    kind: "notice_failed",
    accountId,
    message: `was not notified of dispatch ${dispatchId} (dispatch.create)`,
    reason,
  }));
