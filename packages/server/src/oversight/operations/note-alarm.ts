import type { Actor } from "../../access/domain/account.js";
import type { Alarm } from "../../platform/alarm.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, notFound, type Result } from "../../platform/refusal.js";
import type { AcknowledgingStores } from "./acknowledge-alarm.js";

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
