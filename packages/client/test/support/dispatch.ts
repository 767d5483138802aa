import type { Dispatch, DispatchSite } from "../../src/index.js";

export const site = (id: string, commitment: number | null = 100): DispatchSite => ({
  id,
  name: id,
  customer_location_id: "",
  dispatch_group: "",
  commitment,
  drop_by: commitment,
});

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
  sites: [site("site_1")],
  ...changes,
});
