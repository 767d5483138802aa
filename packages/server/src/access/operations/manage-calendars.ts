import type { Ports } from "../../platform/ports.js";
import { invalid, notFound, type Result } from "../../platform/refusal.js";
import { type Calendar, isReadNoted, MAX_CALENDARS } from "../domain/calendar.js";
import type { LanguageChoice } from "../domain/language.js";
import { maySignIn } from "../domain/session.js";
import type { User } from "../domain/user.js";
import type { AccessStores } from "./access-stores.js";
import type { SessionPorts } from "./sign-in-ports.js";

export type CalendarPorts = Ports<AccessStores> & Pick<SessionPorts, "tokens">;

export interface NewCalendar {
  readonly calendar: Calendar;
  /** Shown once; only its hash is stored. */
  readonly token: string;
}

/** Creates a calendar of the user, up to the limit. */
export const createCalendar = (
  { transact, clock, newId, tokens }: CalendarPorts,
  { id: userId, accountId }: User,
  input: Pick<Calendar, "name" | "programId">,
) =>
  transact(async (stores): Promise<Result<NewCalendar>> => {
    // The lock serialises counting and adding.
    if ((await stores.users.lock(userId, null)) === null) return notFound("user");
    const { items } = await stores.calendars.list(userId, { after: null, limit: MAX_CALENDARS });
    if (items.length >= MAX_CALENDARS) return tooMany;
    const at = clock.now();
    const calendar: Calendar = { id: newId("cal"), userId, ...input, createdAt: at, lastUsedAt: null };
    const token = tokens.newToken();
    await stores.calendars.insert(calendar, tokens.hashToken(token));
    await stores.audit.append({ actor: `user:${userId}`, at }, "calendar.create", { id: calendar.id, accountId }, {});
    return { calendar, token };
  });

const tooMany = invalid(`you already have ${MAX_CALENDARS} calendars, the maximum; delete one first`);

/** Deletes one of the user's own calendars; its address stops working. */
export const deleteCalendar = ({ transact, clock }: Ports<AccessStores>, { id: userId, accountId }: User, id: string) =>
  transact(async (stores): Promise<Result<Calendar>> => {
    const calendar = await stores.calendars.remove(userId, id);
    if (calendar === null) return notFound("calendar");
    await stores.audit.append({ actor: `user:${userId}`, at: clock.now() }, "calendar.delete", { id, accountId }, {});
    return calendar;
  });

/** A calendar and the user whose dispatches it contains. */
export interface CalendarReader {
  readonly calendar: Calendar;
  readonly user: User;
  readonly language: LanguageChoice;
}

/** The calendar of a secret address; null if it does not exist or its user may not sign in. */
export const identifyCalendar = async (
  { stores, clock, tokens }: Pick<CalendarPorts, "stores" | "clock" | "tokens">,
  token: string,
): Promise<CalendarReader | null> => {
  const found = await stores.calendars.find(tokens.hashToken(token));
  if (found === null || !maySignIn(found)) return null;
  const now = clock.now();
  if (!isReadNoted(found.calendar, now)) await stores.calendars.touch(found.calendar.id, now);
  return found;
};
