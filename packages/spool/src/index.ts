export {
  type Drained,
  type DrainOptions,
  drain,
  type Refused,
  type Upload,
  type UploadOutcome,
  type UploadSettings,
} from "./drain.js";
export { lockFolder, SpoolInUse } from "./lock.js";
export { lookAtSpool, type SpoolLook, waitingRecords } from "./look.js";
export type { AsideLine } from "./set-aside.js";
export { openSpool, type Spool } from "./spool.js";
export { type Dropped, SpoolFull, type SpoolOptions, type SpoolState } from "./spool-options.js";
export type { SpooledRecord } from "./spooled-record.js";
