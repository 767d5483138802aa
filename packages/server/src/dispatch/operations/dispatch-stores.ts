import type { DispatchedBaselines, DispatchStore, NoticeStore, VenNoticeStore } from "./dispatch-ports.js";

/** Of dispatches and the notices that they leave. */
export interface DispatchStores {
  readonly dispatches: DispatchStore;
  readonly notices: NoticeStore;
  readonly venNotices: VenNoticeStore;
  readonly late: DispatchedBaselines;
}
