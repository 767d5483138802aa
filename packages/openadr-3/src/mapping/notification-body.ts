import type { Operation } from "../contract/values.js";

/** What is sent of a change: the object as a GET would return it. */
export interface NotifiedObject {
  readonly operation: Operation;
  readonly objectType: string;
  readonly object: object;
  /** As in `Notified`. */
  readonly targets: readonly string[] | null;
}

/** The body of a notification, encoded once. */
export const notificationBody = ({ operation, objectType, object, targets }: NotifiedObject): string =>
  JSON.stringify({ objectType, operation, object: withTargets(object, targets) });

/** An object whose targets are all hidden is sent without any. */
const withTargets = (object: object, targets: readonly string[] | null): object => {
  if (targets === null || !("targets" in object)) return object;
  const { targets: _own, ...rest } = object;
  return targets.length === 0 ? rest : { ...rest, targets };
};
