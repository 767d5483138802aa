/** Who registered this browser for notifications, as the browser remembers it. */
export interface PushOwner {
  readonly userId: string;
  readonly sessionId: string;
  readonly subscriptionId: string;
}

/**
 * What to do with the browser's registration when somebody has signed in: the same person's goes on with the new session,
 * another person's ends.
 */
export const pushOnSignIn = (
  owner: PushOwner | null,
  { userId, sessionId }: Pick<PushOwner, "userId" | "sessionId">,
): "none" | "keep" | "renew" | "end" => {
  if (owner === null) return "none";
  if (owner.userId !== userId) return "end";
  return owner.sessionId === sessionId ? "keep" : "renew";
};
