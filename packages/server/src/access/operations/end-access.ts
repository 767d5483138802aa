import type { AccessStores } from "./access-stores.js";
import type { Revocation } from "./user-ports.js";

/** Ends sessions, voids links that could start new ones, deletes calendars and forgets devices. */
export const endAccess = async (
  stores: Pick<AccessStores, "calendars" | "devices" | "invitations" | "sessions">,
  userId: string,
  revocation: Revocation,
): Promise<void> => {
  await stores.sessions.revokeAll(userId, revocation, null);
  await stores.invitations.useAll(userId, revocation.at);
  await stores.calendars.removeAll(userId);
  await stores.devices.forget(userId, null);
};
