export { type Drained, type DrainOptions, drain, type Upload } from "./drain.js";
export { SpoolInUse } from "./lock.js";
export type { AsideLine } from "./set-aside.js";
export { type Dropped, openSpool, type Spool, SpoolFull, type SpoolOptions, type SpoolState } from "./spool.js";
export type { SpooledRecord } from "./spooled-record.js";
