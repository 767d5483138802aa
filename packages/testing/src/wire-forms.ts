import type { BodyOf, Dispatch, operator } from "@curtail/contract";

type DispatchSite = Dispatch["sites"][number];
type NewProgram = BodyOf<typeof operator.createProgram>;

/** A site of a dispatch, as participants get it. */
export const wireSite = (id: string, changes: Partial<DispatchSite> = {}): DispatchSite => ({
  id,
  name: id,
  customer_location_id: "",
  dispatch_group: "",
  commitment: 100,
  drop_by: changes.commitment === undefined ? 100 : changes.commitment,
  ...changes,
});

/** A dispatch as participants get it: of one site, two hours long, created two hours before. */
export const wireDispatch = (id: string, changes: Partial<Dispatch> = {}): Dispatch => ({
  id,
  authorized: true,
  test: false,
  start_time: "2026-07-01T18:00:00Z",
  end_time: "2026-07-01T20:00:00Z",
  cancelled: changes.authorized === false,
  metadata: {},
  creation_time: "2026-07-01T16:00:00Z",
  modification_number: 0,
  program: { id: "prg_1", name: "Peak", timezone: "UTC", market: "", program_type: "capacity" },
  sites: [wireSite("site_1")],
  ...changes,
});

/** What an operator sends to create a program. */
export const wireProgram = (changes: Partial<NewProgram> = {}): NewProgram => ({
  name: "Peak",
  timezone: "UTC",
  market: "",
  program_type: "capacity",
  ...changes,
});
