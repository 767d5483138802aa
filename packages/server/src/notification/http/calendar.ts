import { auth } from "@curtail/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { tooManyRequests } from "../../access/caller/request-rate.js";
import { checkSessions, type SessionCheckPorts, signedInOf } from "../../access/caller/session-check.js";
import type { WindowsOf } from "../../access/caller/shared-limits.js";
import type { Calendar } from "../../access/domain/calendar.js";
import type { WordsFor } from "../../access/domain/language.js";
import type { RateWindows } from "../../access/domain/rate-limit.js";
import {
  type CalendarPorts as CalendarAccessPorts,
  type CalendarReader,
  createCalendar,
  deleteCalendar,
  identifyCalendar,
} from "../../access/operations/manage-calendars.js";
import { placeOf } from "../../platform/http/client-place.js";
import { serve } from "../../platform/http/endpoint.js";
import { entityTag, isKnown } from "../../platform/http/entity-tag.js";
import { HttpError } from "../../platform/http/error-replies.js";
import { listed } from "../../platform/http/page.js";
import { done, invalid, isRefusal, type Refusal } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { Calendars } from "../operations/read-calendar.js";
import { toICalendar } from "./icalendar.js";

export interface CalendarRoutePorts {
  /** With the address of this listener. */
  readonly sessions: CalendarAccessPorts & SessionCheckPorts;
  readonly calendars: Calendars;
  readonly wordsFor: WordsFor;
  readonly programs: { find(id: string): Promise<object | null> };
}

/** A user's own calendars, below /auth. */
export const ownCalendarRoutes = (app: FastifyInstance, ports: CalendarRoutePorts): void => {
  const { sessions } = ports;
  checkSessions(app, sessions);
  serve(app, auth.listCalendars, ({ query, request }) =>
    listed(query, (page) => sessions.stores.calendars.list(signedInOf(request).user.id, page), toWire),
  );
  serve(app, auth.createCalendar, async ({ body: { name, program_id: programId = null }, request }) => {
    const { user } = signedInOf(request);
    const refusal = await refuseProgram(ports, { programId, isOperator: user.accountId === null });
    if (refusal !== null) return refusal;
    const created = await createCalendar(sessions, user, { name, programId });
    if (isRefusal(created)) return created;
    return { ...toWire(created.calendar), url: `${sessions.publicUrl}/calendar/${created.token}.ics` };
  });
  serve(app, auth.deleteCalendar, ({ params, request }) =>
    done(deleteCalendar(sessions, signedInOf(request).user, params.id)),
  );
};

const toWire = ({ id, name, programId, createdAt, lastUsedAt }: Calendar): auth.Calendar => ({
  id,
  name,
  program_id: programId,
  created_at: formatTimestamp(createdAt),
  last_used_at: lastUsedAt === null ? null : formatTimestamp(lastUsedAt),
});

const refuseProgram = async (
  { programs }: CalendarRoutePorts,
  { programId, isOperator }: { readonly programId: string | null; readonly isOperator: boolean },
): Promise<Refusal | null> => {
  if (programId === null) return null;
  if (!isOperator) return invalid("program_id is for operators only; your calendar contains your own dispatches");
  return (await programs.find(programId)) === null ? invalid(`program ${programId} does not exist`) : null;
};

/** Requests for one calendar a minute; programs look every few minutes to hours. */
const MAX_READS = 30;
/** Unknown addresses tried from one place a minute. */
const MAX_UNKNOWN = 60;

interface CalendarRoute {
  Params: { token: string };
}

export interface ServedSides {
  readonly operators: boolean;
  readonly participants: boolean;
  readonly windowsOf: WindowsOf;
}

/** The files that calendar programs read, at secret addresses. */
export const calendarFileRoutes = (app: FastifyInstance, ports: CalendarRoutePorts, serves: ServedSides): void => {
  const windows = serves.windowsOf("calendars");
  app.get<CalendarRoute>("/calendar/:token.ics", async (request, reply) => {
    // Set before anything can fail: refusals concern the secret, too.
    reply.headers(secretHeaders);
    const reader = await findReader(request, ports.sessions, windows);
    const isOperator = reader.user.accountId === null;
    if (!(isOperator ? serves.operators : serves.participants)) throw unknown;
    const pagesUrl = `${ports.sessions.publicUrl}/${isOperator ? "operations" : "dashboard"}/dispatches`;
    const words = ports.wordsFor(reader.language);
    const name = words.say("Dispatches ({calendar})", { calendar: reader.calendar.name });
    const body = toICalendar(words, name, await ports.calendars.read(reader, pagesUrl, words));
    return sendIfChanged(request, reply, body);
  });
};

const findReader = async (
  { params, ip }: Pick<FastifyRequest<CalendarRoute>, "params" | "ip">,
  ports: CalendarAccessPorts,
  windows: RateWindows,
): Promise<CalendarReader> => {
  const nowMs = ports.clock.now().getTime();
  const place = `unknown ${placeOf(ip)}`;
  const tried = windows.count(place, MAX_UNKNOWN, nowMs, 0);
  if (tried.remaining === 0) throw tooManyRequests(tried, "too many unknown calendars were asked for from here");
  const reader = await identifyCalendar(ports, params.token);
  if (reader === null) {
    windows.count(place, MAX_UNKNOWN, nowMs);
    throw unknown;
  }
  const read = windows.count(reader.calendar.id, MAX_READS, nowMs);
  if (!read.allowed) throw tooManyRequests(read, `this calendar was read ${MAX_READS} times within a minute`);
  return reader;
};

const unknown = new HttpError(
  404,
  "There is no calendar at this address. It was deleted, or its user may not sign in.",
);

/** The address is a secret: caches, search engines and other sites must not get it. */
const secretHeaders = {
  "cache-control": "private, no-cache",
  "x-robots-tag": "noindex",
  "referrer-policy": "no-referrer",
};

const sendIfChanged = (request: FastifyRequest, reply: FastifyReply, body: string) => {
  const etag = entityTag(body);
  reply.header("etag", etag);
  if (isKnown(etag, request.headers["if-none-match"])) return reply.status(304).send();
  return reply
    .type("text/calendar; charset=utf-8")
    .header("content-disposition", 'inline; filename="dispatches.ics"')
    .send(body);
};
