import type { AccessStores } from "../../access/operations/access-stores.js";
import { actorNames } from "../../access/operations/actor-names.js";
import { DAY_MS } from "../../platform/period.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import { groupTitle } from "../domain/alarm-group.js";
import { belongsTo, NO_CHANGES, type Shift, type ShiftWanted, shiftOf, stateAt } from "../domain/shift.js";
import {
  type DrawnReport,
  MOST,
  type ReportedDispatch,
  type Section,
  type ShiftDispatch,
} from "../domain/shift-report.js";
import { deliveredByEnd, NOTHING_DELIVERED } from "./delivered-in-shift.js";
import type {
  CountedAccounts,
  DispatchFacts,
  ShiftCandidate,
  ShiftDrawingPorts,
  ShiftReportStore,
} from "./shift-ports.js";

export interface ShiftPorts extends ShiftDrawingPorts {
  readonly stores: Pick<AccessStores, "users"> & { readonly shiftReports: ShiftReportStore };
}

/** A report that is not kept. */
export const draftShift = async (ports: ShiftPorts, wanted: ShiftWanted) => {
  const previous = await ports.stores.shiftReports.newest();
  const drawn = await drawShift(ports, wanted, previous);
  return isRefusal(drawn) ? drawn : { previous, drawn };
};

/** What happened in a shift, as it is known now. */
export const drawShift = async (
  ports: ShiftPorts,
  wanted: ShiftWanted,
  previous: Shift | null,
): Promise<Result<DrawnReport>> => {
  const drawnAt = ports.clock.now();
  const shift = shiftOf(wanted, previous?.to ?? null, drawnAt);
  if (isRefusal(shift)) return shift;
  const { shifts } = ports;
  const [dispatches, alarms, calls, changes, next] = await Promise.all([
    dispatchesOf(ports, shift),
    shifts.alarms(shift, MOST.alarms),
    shifts.calls(shift, MOST.calls),
    shifts.changes(shift, NO_CHANGES, MOST.changes),
    nextAfter(ports, shift),
  ]);
  const nameOf = await actorNames(ports.stores.users, [
    ...alarms.items.flatMap(({ acknowledgedBy }) => acknowledgedBy),
    ...[...calls.items, ...changes.items].map(({ actor }) => actor),
  ]);
  return {
    ...shift,
    drawnAt,
    dispatches,
    alarms: {
      ...alarms,
      items: alarms.items.map(({ acknowledgedBy, ...group }) => ({
        ...group,
        title: groupTitle({ ...group, sites: 0 }),
        acknowledgedBy: acknowledgedBy.map((actor) => nameOf(actor) ?? actor),
      })),
    },
    calls: {
      ...calls,
      items: calls.items.map((call) => ({ ...call, actorName: call.actorName ?? nameOf(call.actor) })),
    },
    changes: { ...changes, items: changes.items.map((each) => ({ ...each, actorName: nameOf(each.actor) })) },
    next,
  };
};

const dispatchesOf = async (ports: ShiftDrawingPorts, shift: Shift): Promise<Section<ShiftDispatch>> => {
  const all = (await ports.shifts.candidates(shift)).filter((each) => belongsTo(each, shift));
  const found = all.slice(0, MOST.dispatches);
  const described = await describe(ports, found, shift.to);
  const delivered = await deliveredByEnd(ports, described, shift.to);
  return {
    count: all.length,
    items: described.map(({ candidate, facts, reported }, index) => ({
      ...reported,
      ...(delivered[index] ?? NOTHING_DELIVERED),
      isRecord: facts.standing.isRecord,
      state: stateAt(shift.to, candidate),
      issued: candidate.issued,
      changes: candidate.modifications - Number(candidate.issued),
    })),
  };
};

const nextAfter = async (ports: ShiftDrawingPorts, { to }: Shift): Promise<Section<ReportedDispatch>> => {
  const until = new Date(to.getTime() + DAY_MS);
  const { count, items } = await ports.shifts.starting({ from: to, to: until }, MOST.next);
  return { count, items: (await describe(ports, items, ports.clock.now())).map(({ reported }) => reported) };
};

/** With who was notified of them by a time. */
const describe = async ({ shifts }: ShiftDrawingPorts, found: readonly ShiftCandidate[], by: Date) => {
  const [facts, notified] = await Promise.all([shifts.facts(found.map(({ id }) => id)), shifts.notified(found, by)]);
  return found.flatMap((candidate) => {
    const known = facts.get(candidate.id);
    return known === undefined ? [] : [described(candidate, known, notified.get(candidate.id) ?? NOT_COUNTED)];
  });
};

const NOT_COUNTED = { accounts: null, accountsNotified: null };

const described = (
  candidate: ShiftCandidate,
  facts: DispatchFacts,
  { accounts, accountsNotified }: CountedAccounts | typeof NOT_COUNTED,
) => {
  const { start, end } = candidate;
  const { id: dispatchId, programId, programName, timezone, isTest: test } = facts.standing;
  const { sites, commitmentKw } = facts;
  const names = { dispatchId, programId, programName, timezone, test };
  return { candidate, facts, reported: { ...names, start, end, sites, commitmentKw, accounts, accountsNotified } };
};
