import type { Arrival } from "./hook-receiver.js";

/** A dispatch as the operator API returns it after the last start: one notice per revision. */
export interface Issued {
  readonly id: string;
  readonly revisions: number;
}

/** Notices that a webhook should have and did not store, as `webhook dispatch event`, once per missing one. */
export const missing = (
  arrivals: readonly Arrival[],
  paths: readonly string[],
  issued: readonly Issued[],
): string[] => {
  const kept = idsByNotice(arrivals.filter(({ accepted }) => accepted));
  return paths.flatMap((path) =>
    issued.flatMap(({ id, revisions }) => {
      const lacking = (event: string, count: number): string[] => {
        const key = `${path} ${id} ${event}`;
        return Array.from({ length: Math.max(0, count - (kept.get(key)?.size ?? 0)) }, () => key);
      };
      return [...lacking("dispatch.create", 1), ...lacking("dispatch.update", revisions - 1)];
    }),
  );
};

/** Notices that arrived under more ids than there were changes: a repetition with its own id. */
export const renamed = (arrivals: readonly Arrival[], issued: readonly Issued[]): string[] => {
  const revisions = new Map(issued.map((each) => [each.id, each.revisions]));
  return [...idsByNotice(arrivals)].flatMap(([key, ids]) => {
    const [, dispatchId = "", event] = key.split(" ");
    const most = event === "dispatch.create" ? 1 : (revisions.get(dispatchId) ?? 0) - 1;
    return ids.size > most ? [key] : [];
  });
};

/** Webhooks and dispatches where a notice arrived before its predecessor was answered 200. */
export const outOfOrder = (arrivals: readonly Arrival[]): string[] => {
  const wrong: string[] = [];
  const stories = new Map<string, Arrival[]>();
  for (const arrival of arrivals) {
    const key = `${arrival.path} ${arrival.dispatchId}`;
    stories.set(key, [...(stories.get(key) ?? []), arrival]);
  }
  for (const [key, story] of stories) {
    if (story[0]?.event !== "dispatch.create") wrong.push(key);
    const answered = new Set<string>();
    let current = "";
    for (const { webhookId, accepted } of story) {
      // The next notice: its predecessor was answered, and this one is new.
      if (webhookId !== current && current !== "" && (!answered.has(current) || answered.has(webhookId)))
        wrong.push(key);
      current = webhookId;
      if (accepted) answered.add(webhookId);
    }
  }
  return wrong;
};

const idsByNotice = (arrivals: readonly Arrival[]): Map<string, Set<string>> => {
  const ids = new Map<string, Set<string>>();
  for (const { path, dispatchId, event, webhookId } of arrivals) {
    const key = `${path} ${dispatchId} ${event}`;
    ids.set(key, (ids.get(key) ?? new Set<string>()).add(webhookId));
  }
  return ids;
};
