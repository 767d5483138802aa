import type { Actor } from "../../access/domain/account.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import { actorNames } from "../../access/operations/actor-names.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, isRefusal, notFound, type Result } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { type Shift } from "../domain/shift.js";
import { edited, MOST_VERSIONS, NO_TEXTS, type ShiftReport, type ShiftTexts } from "../domain/shift-report.js";
import { drawShift } from "./draw-shift.js";
import type { ShiftDrawingPorts, ShiftReportStore } from "./shift-ports.js";

export type KeepingStores = Pick<AccessStores, "users" | "audit"> & { readonly shiftReports: ShiftReportStore };

type KeepingPorts = Ports<KeepingStores> & ShiftDrawingPorts;

export interface Keeping extends Shift {
  readonly actor: Actor;
  /** The report that was kept last when this one was drafted, null if there was none; undefined: it may be any. */
  readonly previousId: string | null | undefined;
  readonly texts: Partial<ShiftTexts>;
}

/** Keeps a report as version 1. It is drawn up again: what a client sends is no evidence. */
export const keepShiftReport = async (
  ports: KeepingPorts,
  { actor, from, to, previousId, texts }: Keeping,
): Promise<Result<ShiftReport>> => {
  const drawn = await drawShift(ports, { from, to }, null);
  if (isRefusal(drawn)) return drawn;
  return ports.transact(async ({ shiftReports, audit }): Promise<Result<ShiftReport>> => {
    await shiftReports.takeTurn();
    const newest = await shiftReports.newest();
    if (previousId !== undefined && previousId !== (newest?.id ?? null))
      return invalid("Read the report that another person kept meanwhile; then edit it, or draw up yours again.");
    const id = ports.newId("shr");
    const first = { version: 1, at: ports.clock.now(), actor };
    const written = edited(NO_TEXTS, texts);
    await shiftReports.insert(id, drawn, first.at);
    await shiftReports.addVersion(id, { ...first, texts: written });
    await audit.append({ actor, at: first.at }, "shift_report.keep", subjectOf(id), { after: stateOf(id, drawn, 1) });
    return { id, drawn, version: 1, texts: written, versions: [first] };
  });
};

export interface ReportEdit {
  readonly actor: Actor;
  readonly id: string;
  /** The version that the person has read; it must be the newest. */
  readonly version: number;
  readonly texts: Partial<ShiftTexts>;
}

/** Saves other texts as the next version. */
export const changeShiftReport = (
  { transact, clock }: Ports<KeepingStores>,
  { actor, id, version, texts }: ReportEdit,
): Promise<Result<ShiftReport>> =>
  transact(async ({ shiftReports, audit, users }): Promise<Result<ShiftReport>> => {
    await shiftReports.takeTurn();
    const before = await shiftReports.find(id, null);
    if (before === null) return notFound("shift report");
    if (before.version !== version) return invalid(await savedMeanwhile(users, before));
    const written = edited(before.texts, texts);
    if (written === before.texts) return before;
    if (version >= MOST_VERSIONS)
      return invalid(`the report has ${MOST_VERSIONS} versions, the most allowed; write the rest in the next report`);
    const next = { version: version + 1, at: clock.now(), actor };
    await shiftReports.addVersion(id, { ...next, texts: written });
    const states = { before: stateOf(id, before.drawn, version), after: stateOf(id, before.drawn, next.version) };
    await audit.append({ actor, at: next.at }, "shift_report.change", subjectOf(id), states);
    return { ...before, version: next.version, texts: written, versions: [...before.versions, next] };
  });

const subjectOf = (id: string) => ({ id, accountId: null });

const stateOf = (id: string, { from, to }: Shift, version: number) => ({ id, fromTime: from, toTime: to, version });

const savedMeanwhile = async (users: KeepingStores["users"], { version, versions }: ShiftReport): Promise<string> => {
  const newest = versions.at(-1);
  const nameOf = await actorNames(users, newest === undefined ? [] : [newest.actor]);
  const who = newest === undefined ? null : nameOf(newest.actor);
  const when = newest === undefined ? "" : ` at ${formatTimestamp(newest.at)}`;
  return `Read version ${version}, which ${who ?? "another person"} saved${when}; then send your texts with that version.`;
};
