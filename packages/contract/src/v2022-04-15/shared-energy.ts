import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { byId, id, integer, moment, nullable, programName } from "../values.js";

/** Other dispatches listed. */
export const MAX_SHARING = 100;

const SharingDispatch = Type.Object(
  {
    dispatch_id: id("dispatch", "The other dispatch, of this program or another one."),
    program_name: programName,
    start_time: moment("Start of what both claim.", "start"),
    end_time: nullable(moment("End of what both claim; null: both are open.", "end")),
    paid: Type.Enum(["here", "there"], {
      description: "Which of the two is paid: `here`, this dispatch; `there`, the other one, which comes first.",
    }),
    sites: integer("Sites of which both claim energy.", 3),
    intervals: nullable(integer("Intervals of 30 seconds of these sites that both claim. null: both are open.", 180)),
  },
  { $id: "SharingDispatch", description: "A dispatch that claims the same energy of sites. It is paid once." },
);

export const SharedDispatches = Type.Object(
  {
    dispatch_id: id("dispatch"),
    items: Type.Array(SharingDispatch, {
      description: `Other dispatches in order of their start, at most ${MAX_SHARING}: first those that are paid instead.`,
    }),
    item_count: integer("Number of other dispatches, listed or not.", 1),
  },
  { $id: "SharedDispatches", description: "Which dispatches claim the energy of a dispatch, and which are paid." },
);
export type SharedDispatches = Static<typeof SharedDispatches>;

export const getSharedEnergy = endpoint({
  id: "getSharedEnergy",
  method: "GET",
  path: "/dispatches/{id}/shared-energy",
  tag: "Settlement",
  summary: "Retrieve which dispatches share energy with one of yours",
  description:
    "An extension of the interface. Energy of a site is paid once: of the dispatches that overlap, the one that was created first. Returns the dispatches that claim energy of your sites in this one, as the terms of their months settle it; of tests, void dispatches and months by earlier rules, none.",
  params: byId("dispatch"),
  reply: SharedDispatches,
});
