import type { DispatchedBaselines, DispatchStore, NoticeStore, VenNoticeStore } from "./dispatch-ports.js";

/** Stores of dispatches and their notices. */
export interface DispatchStores {
  readonly dispatches: DispatchStore;
  readonly notices: NoticeStore;
  readonly venNotices: VenNoticeStore;
  readonly late: DispatchedBaselines;
}
