import type { ScenarioReport } from "@curtail/contract";
import { formatSecond } from "../../platform/timestamp.js";
import type { Criterion, Report, ScenarioNotice } from "../domain/report.js";

const criterionToWire = ({ name, dispatchId, siteId, result, at, detail }: Criterion) => ({
  name,
  dispatch_id: dispatchId,
  site_id: siteId,
  result,
  at: at === null ? null : formatSecond(at),
  detail,
});

const noticeToWire = ({ dispatchId, modificationNumber, form, at, isAccepted, detail }: ScenarioNotice) => ({
  dispatch_id: dispatchId,
  modification_number: modificationNumber,
  form,
  at: formatSecond(at),
  accepted: isAccepted,
  detail,
});

export const reportToWire = ({ id, type, state, criteria, notices }: Report): ScenarioReport => ({
  id,
  scenario_type: type,
  state,
  criteria: criteria.map(criterionToWire),
  notices: notices.map(noticeToWire),
});
