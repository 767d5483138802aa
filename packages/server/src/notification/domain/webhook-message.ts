import type { Attempt } from "../../platform/attempt.js";

/** The thin event: exactly these members (G29). */
export const thinEvent = (name: string, resource: string): string => JSON.stringify({ event: { name }, resource });

/** Since this version ids are texts; in those before, dispatches have numbers. */
const TEXTS_SINCE = "2022-04-15";

export const hasNumbers = (interfaceVersion: string): boolean => interfaceVersion < TEXTS_SINCE;

/**
 * The path of a dispatch in a version of the interface.
 *
 * @param dispatch its id in that version
 */
export const resourceOf = (interfaceVersion: string, dispatch: string | number): string =>
  `/${interfaceVersion}/dispatches/${dispatch}`;

/** The header `webhook-timestamp`: whole seconds since 1970. */
export const webhookTimestamp = (at: Date): string => String(Math.floor(at.getTime() / 1000));

/** The error of an attempt that sent nothing, since every request is signed (G32). */
export const SECRET_UNREADABLE = "secret_unreadable";

export const wasSigned = ({ error }: Pick<Attempt, "error">): boolean => error !== SECRET_UNREADABLE;
