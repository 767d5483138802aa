import type { ScenarioReport } from "@curtail/contract";
import { formatSecond } from "../../platform/timestamp.js";
import type { Criterion, Report } from "../domain/report.js";

const criterionToWire = ({ name, dispatchId, siteId, result, at, detail }: Criterion) => ({
  name,
  dispatch_id: dispatchId,
  site_id: siteId,
  result,
  at: at === null ? null : formatSecond(at),
  detail,
});

export const reportToWire = ({ id, type, state, criteria }: Report): ScenarioReport => ({
  id,
  scenario_type: type,
  state,
  criteria: criteria.map(criterionToWire),
});
