import type { SitePerformance } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { statusWords } from "../rules/site-status.js";
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

const countWords: Readonly<Record<Colour, (n: number) => string>> = {
  red: (n) => say("{n, plural, one {# site} other {# sites}} well below", { n }),
  amber: (n) => say("{n, plural, one {# site} other {# sites}} below", { n }),
  grey: (n) => say("{n, plural, one {# site} other {# sites}} not known", { n }),
  green: (n) => say("{n, plural, one {# site} other {# sites}} on commitment", { n }),
  blue: (n) => say("{n, plural, one {# site} other {# sites}} well above", { n }),
};

/** Over which time a status of a running dispatch judges; the figures of power next to it are those of now. */
export const STATUS_PERIOD = say("last 5 minutes");

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
    {statusWords(status)}
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
    {isLive && <span className="text-sm text-muted">{say("Sites, {period}:", { period: STATUS_PERIOD })}</span>}
    {statusOrder
      .filter((colour) => counts[colour] > 0)
      .map((colour) => (
        <Badge key={colour} tone={tones[colour]}>
          {countWords[colour](counts[colour])}
        </Badge>
      ))}
  </div>
);
