export type NoticeEvent = "dispatch.create" | "dispatch.update";

/** A pending notification of a dispatch and when it is due; its recipients are determined then. */
export interface Notice {
  readonly dispatchId: string;
  readonly event: NoticeEvent;
  /** The state of the dispatch that it announces; 0 for its creation, even if it changed before its notification. */
  readonly modificationNumber: number;
  readonly dueAt: Date;
}
