import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import { actorNames } from "../../access/operations/actor-names.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { moments } from "../../platform/http/timestamps.js";
import { isRefusal } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { PhoneCall } from "../domain/phone-call.js";
import { type PhoningStores, recordPhoneCall } from "../operations/record-phone-call.js";

export type PhoneCallRoutePorts = RepeatablePorts<PhoningStores & Pick<AccessStores, "users">>;

export const phoneCallRoute = (app: FastifyInstance, ports: PhoneCallRoutePorts): void =>
  serveOnce(app, operator.recordPhoneCall, ports, async ({ params, body, request }, ports) => {
    const times = moments({ at: body.at });
    if (isRefusal(times)) return times;
    const call = await recordPhoneCall(ports, actorOf(request), {
      dispatchId: params.id,
      accountId: body.account_id,
      person: body.person,
      note: body.note,
      at: times.at ?? null,
      modificationNumber: body.modification_number ?? null,
    });
    if (isRefusal(call)) return call;
    return toWire(call, (await actorNames(ports.stores.users, [call.actor]))(call.actor));
  });

const toWire = (call: PhoneCall, byName: string | null): operator.PhoneCall => ({
  dispatch_id: call.dispatchId,
  account_id: call.accountId,
  modification_number: call.modificationNumber,
  at: formatTimestamp(call.at),
  person: call.person,
  note: call.note,
  recorded_at: formatTimestamp(call.recordedAt),
  by: call.actor,
  by_name: byName,
});
