export type NoticeEvent = "dispatch.create" | "dispatch.update";

/** What is to be told of a dispatch, from when on; to whom is found out then. */
export interface Notice {
  readonly dispatchId: string;
  readonly event: NoticeEvent;
  /** Which state of the dispatch it tells of; 0 for its creation, whatever changed before its notification. */
  readonly modificationNumber: number;
  readonly dueAt: Date;
}
