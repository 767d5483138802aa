import type { Dispatch } from "@curtail/client";

/** A dispatch of one site at 18:00 to 20:00 of the day of these tests. */
export const dispatch = (id: string, changes: Partial<Dispatch> = {}): Dispatch => ({
  id,
  authorized: true,
  test: false,
  start_time: "2026-07-01T18:00:00Z",
  end_time: "2026-07-01T20:00:00Z",
  cancelled: false,
  metadata: {},
  creation_time: "2026-07-01T16:00:00Z",
  modification_number: 0,
  program: { id: "prg_1", name: "Peak", timezone: "UTC", market: "", program_type: "capacity" },
  sites: [{ id: "a", name: "Mill", customer_location_id: "7", dispatch_group: "", commitment: 40, drop_by: 40 }],
  ...changes,
});

/** Milliseconds of Unix time on that day. */
export const at = (time: string): number => Date.parse(`2026-07-01T${time}Z`);
