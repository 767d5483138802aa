import { type BodyOf, operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import { serve } from "../../platform/http/endpoint.js";
import { given } from "../../platform/http/given.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import type { Page, PageRequest } from "../../platform/page.js";
import { done, isRefusal, type Result } from "../../platform/refusal.js";
import { canonicalTimezone } from "../../portfolio/domain/timezone.js";
import {
  changeOwnEvent,
  createOwnEvent,
  deleteOwnEvent,
  type EventOfProgram,
  endOwnEvent,
  findOwnEvent,
} from "../operations/manage-own-events.js";
import type { OwnObjectStores } from "../operations/manage-own-programs.js";
import type { OwnEventFilter } from "../operations/openadr-3-stores.js";
import type { ScheduleRequest } from "../operations/own-schedule.js";
import { ownEventOf, ownProgramOf } from "../operations/read-own-object.js";
import { audienceFrom, ownEventSummaryToWire, ownEventToWire } from "./wire-own-object.js";

type Change = BodyOf<typeof operator.changeOpenadrEvent>;

const momentFrom = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));
const endFrom = (text: string | null | undefined): Date | null | undefined => (text === null ? null : momentFrom(text));

const scheduleFrom = (body: Omit<Change, "name" | "priority" | "targets" | "payload_type">): ScheduleRequest => ({
  start: momentFrom(body.start_time),
  day: body.day,
  timezone: body.timezone && canonicalTimezone(body.timezone),
  end: endFrom(body.end_time),
  intervalSeconds: body.interval_seconds,
  values: body.values,
  message: body.message,
  intervals: body.intervals?.map(({ start_time, end_time, value }) => ({
    start: new Date(start_time),
    end: endFrom(end_time),
    value,
  })),
});

/** Undefined if the request changes neither time nor values. */
const toldFrom = ({ name: _name, priority: _priority, targets: _targets, ...told }: Change) =>
  Object.values(told).every((value) => value === undefined)
    ? undefined
    : {
        ...given({ payloadType: told.payload_type, units: told.units, currency: told.currency }),
        schedule: scheduleFrom(told),
      };

/** Events of the operator's own, which are no dispatches. */
export const ownEventRoutes = (app: FastifyInstance, ports: RepeatablePorts<OwnObjectStores>): void => {
  const { stores, clock } = ports;
  const toWire = (found: Result<EventOfProgram>): Result<operator.Openadr3Event> =>
    isRefusal(found) ? found : ownEventToWire(found, clock.now());
  serveOnce(app, operator.createOpenadrEvent, ports, async ({ body, request }, ports) =>
    toWire(
      await createOwnEvent(ports, actorOf(request), {
        programId: body.program_id,
        name: body.name ?? null,
        payloadType: body.payload_type,
        units: body.units,
        currency: body.currency,
        schedule: scheduleFrom(body),
        priority: body.priority,
        targets: audienceFrom(body.targets),
      }),
    ),
  );
  serve(app, operator.listOpenadrEvents, async ({ query }) => {
    const { environment = "production", program_id = null, over = null } = query;
    const now = clock.now();
    const filter = { environment, programId: program_id, isOver: over, now };
    return listed(
      query,
      (page) => listEvents(stores, filter, page),
      (found) => ownEventSummaryToWire(found, now),
    );
  });
  serve(app, operator.getOpenadrEvent, async ({ params }) => toWire(await findOwnEvent(stores, params.id)));
  serve(app, operator.changeOpenadrEvent, async ({ params, body, request }) => {
    const { name, priority, targets } = body;
    const change = given({ name, priority, targets: targets && audienceFrom(targets), told: toldFrom(body) });
    return toWire(await changeOwnEvent(ports, actorOf(request), params.id, change));
  });
  serveOnce(app, operator.endOpenadrEvent, ports, async ({ params, request }, ports) =>
    toWire(await endOwnEvent(ports, actorOf(request), params.id)),
  );
  serve(app, operator.deleteOpenadrEvent, ({ params, request }) =>
    done(deleteOwnEvent(ports, actorOf(request), params.id)),
  );
};

/** Events with their programs. */
const listEvents = async (
  { openadr3Own }: OwnObjectStores,
  filter: OwnEventFilter,
  page: PageRequest,
): Promise<Page<EventOfProgram>> => {
  const { items, next } = await openadr3Own.listEvents(filter, page);
  const programs = await openadr3Own.programs([...new Set(items.map(({ programId }) => programId ?? ""))]);
  const found = items.flatMap((object) => {
    const program = programs.get(object.programId ?? "");
    return program === undefined
      ? []
      : [{ event: ownEventOf(object, ownProgramOf(program)), program: ownProgramOf(program) }];
  });
  return { items: found, next };
};
