import type { operator } from "@curtail/contract";
import { momentToWire } from "../../platform/http/timestamps.js";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { AlarmGroup, AlarmGroups, CallFirst } from "../operations/alarm-groups.js";

/** Shown to a tenth of a kW: more is below what meters know. */
const KW_DECIMALS = 1;

/** @param nameOf name of the user that an actor is */
export const groupsToWire = (
  { asOf, totals, groups }: AlarmGroups,
  nameOf: (actor: string) => string | null,
): operator.AlarmGroups => ({
  as_of: formatTimestamp(asOf),
  open: totals.open,
  acknowledged: totals.acknowledged,
  groups: totals.groups,
  shelved: totals.shelved,
  shelved_until: momentToWire(totals.shelvedUntil),
  items: groups.map((group) => groupToWire(group, nameOf)),
});

const groupToWire = (group: AlarmGroup, nameOf: (actor: string) => string | null): operator.AlarmGroup => ({
  id: group.id,
  cause: group.cause,
  kind: group.kind,
  title: group.title,
  why: group.why,
  priority: group.priority,
  at_stake_kw: rounded(group.atStakeKw, KW_DECIMALS),
  dispatch: dispatchToWire(group.dispatch),
  alarms: group.alarms,
  open: group.open,
  shelved: group.shelved,
  accounts: group.accounts,
  sites: group.sites,
  since: formatTimestamp(group.since),
  call_first: calleeToWire(group.callFirst),
  acknowledged_at: momentToWire(group.acknowledgedAt),
  acknowledged_by: group.acknowledgedBy,
  acknowledged_by_name: group.acknowledgedBy === null ? null : nameOf(group.acknowledgedBy),
  assigned_to: group.assignedTo,
});

const dispatchToWire = (dispatch: AlarmGroup["dispatch"]): operator.AlarmGroup["dispatch"] =>
  dispatch === null
    ? null
    : {
        id: dispatch.id,
        program_id: dispatch.programId,
        program_name: dispatch.programName,
        timezone: dispatch.timezone,
        start_time: formatTimestamp(dispatch.start),
        end_time: momentToWire(dispatch.end),
      };

const calleeToWire = (callee: CallFirst | null): operator.AlarmGroup["call_first"] =>
  callee === null
    ? null
    : {
        account_id: callee.accountId,
        account_name: callee.accountName,
        at_stake_kw: rounded(callee.kw, KW_DECIMALS),
        contact: callee.contact,
      };
