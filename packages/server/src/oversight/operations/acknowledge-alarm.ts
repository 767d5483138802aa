import type { Actor } from "../../access/domain/account.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import type { NotificationStores } from "../../notification/operations/notification-stores.js";
import { type Alarm, acknowledged } from "../../platform/alarm.js";
import type { AlarmStores } from "../../platform/alarm-ports.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, notFound, type Result } from "../../platform/refusal.js";

/** Alarms, and the accounts to which nothing is owed after an acknowledgement. */
export type AcknowledgingStores = AlarmStores &
  Pick<NotificationStores, "owed"> &
  Pick<AccessStores, "accounts" | "audit">;

/** Records that a person has seen an alarm; repeating it changes nothing. */
export const acknowledgeAlarm = ({ transact, clock }: Ports<AcknowledgingStores>, actor: Actor, id: string) =>
  transact(async (stores): Promise<Result<Alarm>> => {
    const before = await stores.alarms.lock(id);
    if (before === null) return notFound("alarm");
    const at = clock.now();
    const after = acknowledged(before, at);
    if (after === before) return before;
    await stores.alarms.saveAcknowledgement(after, actor);
    if (after.kind === "notice_failed") await stores.owed.settle([after.subject], at);
    await stores.audit.append({ actor, at }, "alarm.acknowledge", after, { before, after });
    return after;
  });

/** Sets what colleagues should know about an alarm. */
export const noteAlarm = (
  { transact, clock }: Ports<Pick<AcknowledgingStores, "alarms" | "audit">>,
  actor: Actor,
  { id, note }: { readonly id: string; readonly note: string },
) =>
  transact(async ({ alarms, audit }): Promise<Result<Alarm>> => {
    const before = await alarms.lock(id);
    if (before === null) return notFound("alarm");
    if (note.trim() === "") return invalid("note is blank; say what was found or done");
    if (before.note === note.trim()) return before;
    const after = { ...before, note: note.trim() };
    await alarms.saveNote(id, after.note);
    await audit.append({ actor, at: clock.now() }, "alarm.note", after, { before, after });
    return after;
  });
