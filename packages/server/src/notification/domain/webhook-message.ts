import type { Attempt } from "../../platform/attempt.js";
import type { Delivery } from "./delivery.js";

/** The thin event: exactly these members (G29). */
export const thinEvent = (name: string, resource: string): string => JSON.stringify({ event: { name }, resource });

/** The body of every request of a delivery: the path of the dispatch to fetch, below that of the interface. */
export const deliveryBody = ({ event, dispatchId }: Pick<Delivery, "event" | "dispatchId">, base: string): string =>
  thinEvent(event, `${base}/dispatches/${dispatchId}`);

/** The header `webhook-timestamp`: whole seconds since 1970. */
export const webhookTimestamp = (at: Date): string => String(Math.floor(at.getTime() / 1000));

/** The error of an attempt that sent nothing, since every request is signed (G32). */
export const SECRET_UNREADABLE = "secret_unreadable";

export const wasSigned = ({ error }: Pick<Attempt, "error">): boolean => error !== SECRET_UNREADABLE;
