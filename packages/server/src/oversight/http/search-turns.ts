import { CallerTurns } from "../../platform/http/caller-turns.js";

/** A search goes through all names: those of one account, whose page asks at each key, take turns, as each operator's do. */
export const searchTurns = (): CallerTurns =>
  new CallerTurns({ because: "other searches of yours are under way", laterSeconds: 1 });
