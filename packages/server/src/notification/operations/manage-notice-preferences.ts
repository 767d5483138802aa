import type { User } from "../../access/domain/user.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import { changesNothing } from "../../platform/changes-nothing.js";
import type { Ports } from "../../platform/ports.js";
import type { Result } from "../../platform/refusal.js";
import { type NoticePreferences, noPreferences, refusePreferences } from "../domain/notice-preferences.js";

export interface NoticePreferenceStore {
  /** null: the person never chose. */
  find(userId: string): Promise<NoticePreferences | null>;
  save(userId: string, preferences: NoticePreferences, at: Date): Promise<void>;
}

export type PreferencePorts = Ports<
  Pick<AccessStores, "audit" | "users"> & { readonly noticePreferences: NoticePreferenceStore }
>;

/** Replaces what the signed-in user wants to be notified of. */
export const setNoticePreferences = (
  { transact, clock }: PreferencePorts,
  user: User,
  preferences: NoticePreferences,
): Promise<Result<NoticePreferences>> =>
  transact(async (stores): Promise<Result<NoticePreferences>> => {
    const fault = refusePreferences(preferences);
    if (fault !== null) return fault;
    // Two changes at once: the later one sees the earlier.
    await stores.users.lock(user.id, null);
    const before = (await stores.noticePreferences.find(user.id)) ?? noPreferences;
    if (changesNothing(before, preferences)) return before;
    const at = clock.now();
    await stores.noticePreferences.save(user.id, preferences, at);
    await stores.audit.append({ actor: `user:${user.id}`, at }, "user.set_notices", user, {});
    return preferences;
  });
