import type { operator, ReplyOf } from "@curtail/contract";

/** A dispatch as operators read it, with its revisions. */
export type Dispatch = ReplyOf<typeof operator.getAnyDispatch>;
