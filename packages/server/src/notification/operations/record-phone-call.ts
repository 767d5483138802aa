import type { Actor } from "../../access/domain/account.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import type { DispatchStores } from "../../dispatch/operations/dispatch-stores.js";
import type { Ports } from "../../platform/ports.js";
import { quote } from "../../platform/quote.js";
import { invalid, isRefusal, notFound, type Refusal, type Result } from "../../platform/refusal.js";
import { type CallMade, modificationOf, type PhoneCall } from "../domain/phone-call.js";
import type { NotificationStores } from "./notification-stores.js";

export type PhoningStores = Pick<NotificationStores, "phoneCalls"> &
  Pick<DispatchStores, "dispatches"> &
  Pick<AccessStores, "audit">;

type CallToRecord = Pick<PhoneCall, "dispatchId" | "accountId" | "person" | "note"> &
  Omit<CallMade, "at"> & {
    /** null: now. */
    readonly at: Date | null;
  };

/** Records that an account was notified by phone: it counts as reached, of that modification and the ones before. */
export const recordPhoneCall = ({ transact, clock }: Ports<PhoningStores>, actor: Actor, made: CallToRecord) =>
  transact(async ({ dispatches, phoneCalls, audit }): Promise<Result<PhoneCall>> => {
    const { dispatchId, accountId, person, note } = made;
    // A change made meanwhile waits, so that the call counts for what was said.
    const dispatch = await dispatches.lock(dispatchId);
    if (dispatch === null) return notFound("dispatch");
    const refusal = refuseWords(made);
    if (refusal !== null) return refusal;
    if (!dispatch.sites.some((site) => site.accountId === accountId))
      return invalid(`account_id is ${quote(accountId)}, which is not part of this dispatch; check the id`);
    const recordedAt = clock.now();
    const at = made.at ?? recordedAt;
    const states = await dispatches.revisions(dispatchId);
    const modificationNumber = modificationOf(states, { ...made, at }, recordedAt);
    if (isRefusal(modificationNumber)) return modificationNumber;
    const said = { dispatchId, accountId, modificationNumber, at, person: person.trim(), note: note.trim() };
    const call: PhoneCall = { ...said, recordedAt, actor };
    await phoneCalls.insert(call);
    await audit.append({ actor, at: recordedAt }, "phone_call.record", { id: dispatchId, accountId }, { after: said });
    return call;
  });

const refuseWords = ({ person, note }: CallToRecord): Refusal | null => {
  if (person.trim() === "") return invalid("person is blank; say who was reached");
  return note.trim() === "" ? invalid("note is blank; say what was agreed") : null;
};
