import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";

type AccountCurve = Pick<participantConsole.AccountCurve, "curve" | "sites" | "start_time" | "measured_until">;
type Cell = AccountCurve["curve"][number];

/** The newest interval with a load; null: there is none. */
export const newestOf = (curve: readonly Cell[]): Cell | null =>
  curve.findLast(({ load_kw }) => load_kw !== null) ?? null;

/** How many sites the sums of the dispatch are of: where it changes, the curve jumps. */
export const measuredWords = ({ curve, sites, start_time, measured_until }: AccountCurve): string => {
  const inside = curve.filter(
    ({ timestamp, load_kw }) => load_kw !== null && timestamp > start_time && timestamp <= measured_until,
  );
  if (inside.length === 0) return say("Nothing is measured yet.");
  const counts = inside.map((cell) => cell.sites);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (least === sites) return say("Sums of all {sites} sites.", { sites });
  return least === most
    ? say("Sums of {n} of {sites} sites: the others lack readings or a baseline.", { n: most, sites })
    : say("Sums of {least} to {most} of {sites} sites: the others lack readings or a baseline.", {
        least,
        most,
        sites,
      });
};
