import type { SitePerformance } from "@curtail/contract";
import { byName } from "../format/name-order.js";

export type Colour = SitePerformance["status"]["colour"];
type WithStatus = Pick<SitePerformance, "status">;
type Named = WithStatus & Pick<SitePerformance, "name">;

/** Colours of statuses, most urgent first. */
export const statusOrder: readonly Colour[] = ["red", "amber", "grey", "green", "blue"];

const rank = ({ status }: WithStatus): number => statusOrder.indexOf(status.colour);

/** Compares by urgency, then by name. */
export const worstFirst = (a: Named, b: Named): number => rank(a) - rank(b) || byName(a.name, b.name);

/** Number of sites by status. */
export const countStatuses = (sites: readonly WithStatus[]): Record<Colour, number> => {
  const counts = { red: 0, amber: 0, grey: 0, green: 0, blue: 0 };
  for (const { status } of sites) counts[status.colour] += 1;
  return counts;
};
