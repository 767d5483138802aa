import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { MessageOutcome } from "../../dispatch/domain/message.js";
import type { Clock } from "../../platform/clock.js";
import {
  heldUntil,
  type NoticeSubject,
  outcomeOf,
  type PersonalNotice,
  type PersonalSent,
} from "../domain/personal-notice.js";

/** The dispatch as the person sees it: with the own account's sites only, for operators with all. */
export type FindNoticed = (accountId: string | null, dispatchId: string) => Promise<Dispatch | null>;

/** Current content of a notice's subject. */
export type Noticed =
  | (Extract<NoticeSubject, { of: "dispatch" }> & { readonly dispatch: Dispatch })
  | Extract<NoticeSubject, { of: "alarm" }>;

/** Never throws for failures of the network or the receiver. */
export type SendPersonalNotice = (notice: PersonalNotice, about: Noticed) => Promise<PersonalSent>;

export interface PersonalPorts {
  readonly clock: Clock;
  readonly random: () => number;
  readonly find: FindNoticed;
  readonly send: SendPersonalNotice;
}

/** Sends the current state of a notice's subject to the person, and returns the outcome. */
export const attemptPersonalNotice = async (
  { clock, random, find, send }: PersonalPorts,
  notice: PersonalNotice,
): Promise<MessageOutcome> => {
  const held = heldUntil(notice, clock.now());
  if (held !== null) return { state: "pending", at: clock.now(), nextAttemptAt: held, error: null };
  const about = await noticed(find, notice);
  const sent = await send(notice, about);
  const modificationNumber = about.of === "dispatch" ? about.dispatch.modificationNumber : null;
  return outcomeOf(notice, sent, { now: clock.now(), random: random(), modificationNumber });
};

const noticed = async (find: FindNoticed, { id, accountId, subject }: PersonalNotice): Promise<Noticed> => {
  if (subject.of === "alarm") return subject;
  const dispatch = await find(accountId, subject.dispatchId);
  if (dispatch === null) throw new Error(`notice ${id} is about a dispatch that the person cannot see`);
  return { ...subject, dispatch };
};
