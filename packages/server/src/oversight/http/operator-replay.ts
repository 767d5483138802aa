import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { AccessStores } from "../../access/operations/access-stores.js";
import { actorNames } from "../../access/operations/actor-names.js";
import { serve } from "../../platform/http/endpoint.js";
import { type CursorForm, listedBy } from "../../platform/http/page.js";
import { momentToWire } from "../../platform/http/timestamps.js";
import type { PageRequest } from "../../platform/page.js";
import { isRefusal } from "../../platform/refusal.js";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { ReplayEvent, ReplayPlace } from "../domain/replay.js";
import { type ReplayPorts, replayDispatch } from "../operations/replay-dispatch.js";

export type ReplayRoutePorts = ReplayPorts & { readonly stores: Pick<AccessStores, "users"> };

export const replayRoute = (app: FastifyInstance, ports: ReplayRoutePorts): void =>
  serve(app, operator.listReplayEvents, async ({ params, query }) => {
    const list = async (request: PageRequest<ReplayPlace>) => {
      const page = await replayDispatch(ports, params.id, request);
      return isRefusal(page) ? page : { ...page, items: await withNames(ports, page.items) };
    };
    return listedBy(query, { form: byPlace, list, toWire });
  });

type Named = ReplayEvent & { readonly actorName: string | null };

const withNames = async ({ stores }: ReplayRoutePorts, events: readonly ReplayEvent[]): Promise<readonly Named[]> => {
  const nameOf = await actorNames(
    stores.users,
    events.flatMap(({ actor }) => actor ?? []),
  );
  return events.map((event) => ({ ...event, actorName: event.actor === null ? null : nameOf(event.actor) }));
};

const toWire = (event: Named): operator.ReplayEvent => {
  const { accountName, sites, commitmentKw, record, person, note, alarmId, alarmKind, reason, version } = event.detail;
  return {
    at: formatTimestamp(event.at),
    what: event.what,
    ...present({
      account_id: event.accountId,
      account_name: accountName,
      sites,
      commitment_kw: rounded(commitmentKw ?? null),
      modification_number: event.modificationNumber,
      start_time: momentToWire(event.startTime),
      record,
      channel: event.channel,
      actor: event.actor,
      called_at: momentToWire(event.calledAt),
      person,
      note,
      alarm_id: alarmId,
      alarm_kind: alarmKind,
      reason,
      version,
    }),
    ...(event.startTime === null ? {} : { end_time: momentToWire(event.endTime) }),
    ...(event.actor === null ? {} : { actor_name: event.actorName }),
  };
};

type Present<T> = { [Name in keyof T]?: NonNullable<T[Name]> };

const present = <T extends object>(members: T): Present<T> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  ) as Present<T>;

const byPlace: CursorForm<ReplayPlace> = {
  write: ({ at, key }) => `r${at.getTime()}.${key}`,
  read(text) {
    const [, ms, key] = /^r(\d{1,15})\.([\w.]{1,200})$/.exec(text) ?? [];
    return ms === undefined || key === undefined ? null : { at: new Date(Number(ms)), key };
  },
};
