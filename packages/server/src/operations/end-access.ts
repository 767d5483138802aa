import type { Stores } from "./ports.js";

/** Ends sessions, voids links that would start new ones, and forgets devices. */
export const endAccess = async (stores: Stores, userId: string, at: Date): Promise<void> => {
  await stores.sessions.revokeAll(userId, at, null);
  await stores.invitations.useAll(userId, at);
  await stores.devices.forget(userId, null);
};
