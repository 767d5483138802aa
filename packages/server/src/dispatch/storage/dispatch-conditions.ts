/** Of a dispatch: a participant's own test (G15), which the built-in program calls. */
export const IS_SELF_MADE = "program_id in (select id from programs where built_in)";

/** Of a dispatch: it took place, be it in part. Neither one that was cancelled before it started nor a void one did. */
export const IS_EVENT = "(authorized or (changed_at > start_time and void_reason is null))";

/** Of a dispatch: it is not over at $1; its end itself still counts. */
export const IS_NOT_OVER = "(end_time is null or end_time >= $1)";

/** Of a dispatch: it is not over, or it changed or was notified of since $2. Three indexed ranges. */
export const IS_RECENT = "(end_time is null or end_time >= $2 or greatest(changed_at, notification_time) >= $2)";

/** Of a dispatch: it stands, or it was cancelled so lately, since $2, that it is still shown. */
export const IS_SHOWN = "(authorized or changed_at >= $2)";

/** Dispatches that may concern somebody who looks now; those that are over or cancelled, since $2. */
export const RECENT_DISPATCHES = `select * from dispatches where ${IS_RECENT} and ${IS_SHOWN}`;
