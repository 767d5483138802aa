import type { SitePerformance } from "@curtail/contract";
import { counted } from "../format/quantity.js";
import { type Colour, statusOrder } from "../rules/status.js";
import { Badge, type Tone } from "../ui/badge.js";

type Status = SitePerformance["status"];

const tones: Readonly<Record<Colour, Tone>> = {
  red: "bad",
  amber: "warn",
  green: "good",
  blue: "info",
  grey: "neutral",
};

const meanings: Readonly<Record<Colour, string>> = {
  red: "well below",
  amber: "below",
  grey: "not known",
  green: "on commitment",
  blue: "well above",
};

/** Over which time a status of a running dispatch judges; the figures of power next to it are those of now. */
export const STATUS_PERIOD = "last 5 minutes";

/** Performance status of a site, in the words of the service. */
export const StatusBadge = ({
  status,
  isLive = false,
}: {
  readonly status: Status;
  /** Whether the dispatch is running, and nothing next to it names the period. */
  readonly isLive?: boolean;
}) => (
  <Badge tone={tones[status.colour]}>
    {status.words}
    {isLive && `, ${STATUS_PERIOD}`}
  </Badge>
);

/** Number of sites by status. */
export const StatusCounts = ({
  counts,
  isLive,
}: {
  readonly counts: Readonly<Record<Colour, number>>;
  /** Whether the dispatch is still running. */
  readonly isLive: boolean;
}) => (
  <div className="flex flex-wrap items-center gap-1.5">
    {isLive && <span className="text-sm text-muted">Sites, {STATUS_PERIOD}:</span>}
    {statusOrder
      .filter((colour) => counts[colour] > 0)
      .map((colour) => (
        <Badge key={colour} tone={tones[colour]}>
          {counted(counts[colour], "site")} {meanings[colour]}
        </Badge>
      ))}
  </div>
);
