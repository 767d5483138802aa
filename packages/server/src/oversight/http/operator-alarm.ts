import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import type { Alarm } from "../../platform/alarm.js";
import type { NamedAlarm } from "../../platform/alarm-ports.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { momentToWire } from "../../platform/http/timestamps.js";
import { mapResult } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { type AcknowledgingStores, acknowledgeAlarm, noteAlarm } from "../operations/acknowledge-alarm.js";

const toWire = (alarm: NamedAlarm) => ({
  id: alarm.id,
  kind: alarm.kind,
  subject: alarm.subject,
  account_id: alarm.accountId,
  account_name: alarm.accountName,
  contact: alarm.contact,
  message: alarm.message,
  raised_at: formatTimestamp(alarm.raisedAt),
  acknowledged_at: momentToWire(alarm.acknowledgedAt),
  note: alarm.note,
  cleared_at: momentToWire(alarm.clearedAt),
});

export type AlarmRoutePorts = RepeatablePorts<AcknowledgingStores>;

export const alarmRoutes = (app: FastifyInstance, ports: AlarmRoutePorts): void => {
  serve(app, operator.listAlarms, ({ query }) =>
    listed(query, (page) => ports.stores.alarms.list(query.state ?? "standing", page), toWire),
  );
  serveOnce(app, operator.acknowledgeAlarm, ports, ({ params, request }, ports) =>
    mapResult(acknowledgeAlarm(ports, actorOf(request), params.id), (alarm) => named(ports, alarm)),
  );
  serve(app, operator.noteAlarm, ({ params, body, request }) =>
    mapResult(noteAlarm(ports, actorOf(request), { id: params.id, note: body.note }), (alarm) => named(ports, alarm)),
  );
};

const named = async ({ stores }: Pick<AlarmRoutePorts, "stores">, alarm: Alarm) => {
  const account = alarm.accountId === null ? null : await stores.accounts.find(alarm.accountId);
  const contact = await stores.alarms.firstContact(alarm.accountId);
  return toWire({ ...alarm, accountName: account?.name ?? null, contact });
};
