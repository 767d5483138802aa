import type { Urgency } from "../rules/board.js";
import { pathOf, type Spark } from "../rules/spark.js";

const fills: Readonly<Record<Urgency, string>> = { bad: "fill-gap-bad", warn: "fill-gap-warn", none: "fill-band" };

/** The size in which paths are written; the drawing is stretched to its place. */
const SIZE = [1000, 100] as const;

/** Delivered as a line, committed dashed, and coloured only between both. The part without a line is the time left. */
export const GapCurve = ({
  of: { delivered, committed, gaps, nowX },
  urgency,
  label,
  isLarge = false,
}: {
  readonly of: Spark;
  readonly urgency: Urgency;
  readonly label: string;
  /** With a line at the present. */
  readonly isLarge?: boolean;
}) => (
  <svg
    viewBox={`0 0 ${SIZE[0]} ${SIZE[1]}`}
    preserveAspectRatio="none"
    role="img"
    aria-label={label}
    className="size-full overflow-visible [&_*]:[vector-effect:non-scaling-stroke]"
  >
    <path d={gaps.map((gap) => pathOf(gap, SIZE, true)).join("")} className={fills[urgency]} />
    <path d={`M0 ${SIZE[1]}H${SIZE[0]}`} className="fill-none stroke-line" />
    <path
      d={pathOf(committed, SIZE)}
      className="fill-none stroke-muted"
      strokeWidth={isLarge ? 1.5 : 1.2}
      strokeDasharray={isLarge ? "4 3" : "3 2"}
    />
    <path
      d={delivered.map((stretch) => pathOf(stretch, SIZE)).join("")}
      className="fill-none stroke-ink"
      strokeWidth={isLarge ? 2 : 1.6}
      strokeLinejoin="round"
    />
    {isLarge && <path d={`M${nowX * SIZE[0]} 0V${SIZE[1]}`} className="fill-none stroke-line-strong" />}
  </svg>
);
