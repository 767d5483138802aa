import { type BodyOf, operator } from "@curtail/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import { actorNames } from "../../access/operations/actor-names.js";
import { serve } from "../../platform/http/endpoint.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { moments } from "../../platform/http/timestamps.js";
import { isRefusal, mapResult, type Result } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { type AlarmGroupPorts, alarmGroups } from "../operations/alarm-groups.js";
import {
  type AttendedGroup,
  type Attending,
  type AttendingStores,
  acknowledgeGroup,
  assignGroup,
  shelveGroup,
  unacknowledgeGroup,
  unshelveGroup,
} from "../operations/attend-alarm-group.js";
import { groupsToWire } from "./wire-alarm-group.js";

export type AlarmGroupRoutePorts = RepeatablePorts<AttendingStores & Pick<AccessStores, "users">> & AlarmGroupPorts;

export const alarmGroupRoutes = (app: FastifyInstance, ports: AlarmGroupRoutePorts): void => {
  serve(app, operator.listAlarmGroups, async () => {
    const found = await alarmGroups(ports);
    const actors = found.groups.flatMap(({ acknowledgedBy }) => acknowledgedBy ?? []);
    return groupsToWire(found, await actorNames(ports.stores.users, actors));
  });
  serveOnce(app, operator.acknowledgeAlarmGroup, ports, async (call, ports) => {
    const times = moments({ raised_by: call.body.raised_by });
    if (isRefusal(times)) return times;
    return acted(acknowledgeGroup(ports, attending(call), times.raised_by ?? null));
  });
  serveOnce(app, operator.unacknowledgeAlarmGroup, ports, async (call, ports) => {
    const times = moments({ acknowledged_at: call.body.acknowledged_at });
    if (isRefusal(times)) return times;
    return acted(unacknowledgeGroup(ports, attending(call), times.acknowledged_at));
  });
  serveOnce(app, operator.assignAlarmGroup, ports, (call, ports) =>
    acted(assignGroup(ports, attending(call), call.body.assigned_to)),
  );
  serveOnce(app, operator.shelveAlarmGroup, ports, async (call, ports) => {
    const times = moments({ until: call.body.until });
    if (isRefusal(times)) return times;
    return acted(shelveGroup(ports, attending(call), times.until));
  });
  serveOnce(app, operator.unshelveAlarmGroup, ports, (call, ports) => acted(unshelveGroup(ports, attending(call))));
};

interface ActCall {
  readonly params: { readonly id: string };
  readonly body: Pick<BodyOf<typeof operator.unshelveAlarmGroup>, "alarm_ids">;
  readonly request: FastifyRequest;
}

const attending = ({ params, body, request }: ActCall): Attending => ({
  actor: actorOf(request),
  groupId: params.id,
  alarmIds: body.alarm_ids ?? null,
});

const acted = (attended: Promise<Result<AttendedGroup>>): Promise<Result<operator.GroupAct>> =>
  mapResult(attended, ({ groupId, at, alarms }) => ({ group_id: groupId, at: formatTimestamp(at), alarms }));
