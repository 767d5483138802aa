import { operator, type ReplyOf } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import type { MeasurementReader } from "../../performance/operations/measurement-ports.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { mapResult } from "../../platform/refusal.js";
import { formatSecond } from "../../platform/timestamp.js";
import type { RulesAdoption } from "../../portfolio/domain/rules.js";
import { firstMonthOf } from "../../portfolio/operations/rules.js";
import { type AdoptingStores, adoptRules } from "../operations/adopt-rules.js";
import { type PreviewingPorts, previewRules, type RulesDifference } from "../operations/preview-rules.js";
import { changeToWire } from "./wire-statement.js";

export type RulesRoutePorts = RepeatablePorts<AdoptingStores & PreviewingPorts["stores"]> &
  Pick<PreviewingPorts, "standing"> & { readonly measured: MeasurementReader };

const adoptionToWire = (adoption: RulesAdoption) => ({
  rules_version: adoption.rulesVersion,
  from_month: firstMonthOf(adoption, "UTC"),
  adopted_at: formatSecond(adoption.adoptedAt),
  by: adoption.actor,
  reason: adoption.reason,
});

const differenceToWire = (each: RulesDifference): ReplyOf<typeof operator.previewRules>["items"][number] => ({
  statement_id: each.statement.id,
  account_id: each.statement.accountId,
  account_name: each.statement.accountName,
  month: each.statement.month,
  version: each.version,
  before: [...each.before],
  after: [...each.after],
  changes: each.changes.map(changeToWire),
  change_count: each.changeCount,
  measured_again: each.isMeasuredAgain,
});

export const rulesRoutes = (app: FastifyInstance, ports: RulesRoutePorts): void => {
  const { stores, standing, clock } = ports;
  const previewing = { stores, standing, measuring: { reader: ports.measured, clock } };
  serve(app, operator.listRules, async () => ({ items: (await stores.rules.adoptions()).map(adoptionToWire) }));
  serve(app, operator.previewRules, ({ query }) =>
    listed(query, (page) => previewRules(previewing, query.from_month, page), differenceToWire),
  );
  serveOnce(app, operator.adoptRules, ports, async ({ body, request }, ports) => {
    const wanted = { fromMonth: body.from_month, reason: body.reason };
    return mapResult(adoptRules(ports, actorOf(request), wanted), adoptionToWire);
  });
};
