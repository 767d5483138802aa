import { type Seen, seenFrom, withSeen } from "../rules/recent.js";

const PREFIX = "recently-seen:";

/** Pages that a user opened last, on this device. */
export const recentlySeen = (userId: string): readonly Seen[] => seenFrom(localStorage.getItem(PREFIX + userId));

/** After a sign-out, the next person at this device sees nothing of the one before. */
export const forgetRecentlySeen = (): void => {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
};

export const keepSeen = (userId: string, seen: Seen): void =>
  localStorage.setItem(PREFIX + userId, JSON.stringify(withSeen(recentlySeen(userId), seen)));
