import { operator, type QueryOf, type ReplyOf } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import { actorNames } from "../../access/operations/actor-names.js";
import type { AlarmFilter, NamedAlarm } from "../../platform/alarm-ports.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { momentToWire } from "../../platform/http/timestamps.js";
import type { PageRequest } from "../../platform/page.js";
import { isRefusal, mapResult, notFound, type Result } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { groupId, groupParts, inGroup } from "../domain/alarm-group.js";
import { sentenceOf } from "../domain/alarm-words.js";
import { type AcknowledgingStores, acknowledgeAlarm, noteAlarm } from "../operations/acknowledge-alarm.js";

type WireAlarm = ReplyOf<typeof operator.acknowledgeAlarm>;
type NameOf = (actor: string) => string | null;

const toWire = (alarm: NamedAlarm, nameOf: NameOf): WireAlarm => ({
  id: alarm.id,
  kind: alarm.kind,
  group_id: groupId(alarm.cause, alarm.dispatchId),
  subject: alarm.subject,
  account_id: alarm.accountId,
  account_name: alarm.accountName,
  contact: alarm.contact,
  message: alarm.message,
  words: sentenceOf(alarm),
  raised_at: formatTimestamp(alarm.raisedAt),
  acknowledged_at: momentToWire(alarm.acknowledgedAt),
  acknowledged_by: alarm.acknowledgedBy,
  acknowledged_by_name: alarm.acknowledgedBy === null ? null : nameOf(alarm.acknowledgedBy),
  assigned_to: alarm.assignedTo,
  shelved_until: momentToWire(alarm.shelvedUntil),
  note: alarm.note,
  cleared_at: momentToWire(alarm.clearedAt),
});

export type AlarmRoutePorts = RepeatablePorts<AcknowledgingStores & Pick<AccessStores, "users">>;

export const alarmRoutes = (app: FastifyInstance, ports: AlarmRoutePorts): void => {
  serve(app, operator.listAlarms, async ({ query }) => {
    const filter = filterFrom(query, ports.clock.now());
    if (isRefusal(filter)) return filter;
    const page = async (request: PageRequest) => {
      const found = await ports.stores.alarms.list(filter, request);
      const nameOf = await namesIn(ports, found.items);
      return { ...found, items: found.items.map((alarm) => toWire(alarm, nameOf)) };
    };
    return listed(query, page, (alarm) => alarm);
  });
  serveOnce(app, operator.acknowledgeAlarm, ports, ({ params, request }, ports) =>
    mapResult(acknowledgeAlarm(ports, actorOf(request), params.id), ({ id }) => named(ports, id)),
  );
  serve(app, operator.noteAlarm, ({ params, body, request }) =>
    mapResult(noteAlarm(ports, actorOf(request), { id: params.id, note: body.note }), ({ id }) => named(ports, id)),
  );
};

const filterFrom = ({ state, group }: QueryOf<typeof operator.listAlarms>, now: Date): Result<AlarmFilter> => {
  const listing = state ?? "standing";
  if (group === undefined) return { listing, group: null, now };
  const parts = groupParts(group);
  return parts === null ? notFound("alarm group") : { listing, group: inGroup(parts), now };
};

type Naming = { readonly stores: Pick<AccessStores, "users"> };

const namesIn = ({ stores }: Naming, items: ReadonlyArray<{ readonly acknowledgedBy: string | null }>) =>
  actorNames(
    stores.users,
    items.flatMap(({ acknowledgedBy }) => acknowledgedBy ?? []),
  );

const named = async ({ stores }: Pick<AlarmRoutePorts, "stores">, id: string): Promise<Result<WireAlarm>> => {
  const alarm = await stores.alarms.find(id);
  return alarm === null ? notFound("alarm") : toWire(alarm, await namesIn({ stores }, [alarm]));
};
