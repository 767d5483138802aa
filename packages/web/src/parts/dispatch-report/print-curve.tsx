import { say } from "@curtail/words/page";
import { plain } from "../../format/quantity.js";
import { clock } from "../../format/time.js";
import { axisTicks, type SiteInterval as Measured } from "../../rules/interval-table.js";

type SiteInterval = Omit<Measured, "measuredSeconds">;
type Of = (interval: SiteInterval) => number | null;

/** A line of a printed curve: told apart by its dashes, not by colour. */
export interface PrintLine {
  readonly label: string;
  readonly of: Of;
  readonly dashes?: string;
  readonly width?: number;
}

export const loadLines: readonly PrintLine[] = [
  { label: say("Load"), of: ({ loadKw }) => loadKw, width: 2 },
  { label: say("Baseline"), of: ({ baselineKw }) => baselineKw, dashes: "7 3" },
  { label: say("Target"), of: ({ targetKw }) => targetKw, dashes: "1.5 2.5" },
];

interface Frame {
  readonly width: number;
  readonly height: number;
  /** Room for the labels of the axes. */
  readonly left: number;
  readonly bottom: number;
}

const frames = {
  large: { width: 720, height: 220, left: 56, bottom: 22 },
  small: { width: 230, height: 92, left: 38, bottom: 15 },
} as const satisfies Record<string, Frame>;

/** A curve as SVG in the colour of the text: it prints sharp at any size, and in black. */
export const PrintCurve = ({
  label,
  intervals,
  lines,
  timeZone,
  size,
}: {
  readonly label: string;
  readonly intervals: readonly SiteInterval[];
  readonly lines: readonly PrintLine[];
  readonly timeZone: string;
  readonly size: keyof typeof frames;
}) => {
  const frame = frames[size];
  const values = lines.flatMap(({ of }) => intervals.flatMap((each) => of(each) ?? []));
  if (values.length === 0) return <p className="text-sm">{say("No readings.")}</p>;
  const ticks = axisTicks(Math.min(...values), Math.max(...values));
  const scale = scaleOf(frame, intervals, ticks);
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${frame.width} ${frame.height}`} className="block w-full">
      <Axes frame={frame} ticks={ticks} intervals={intervals} scale={scale} timeZone={timeZone} />
      {lines.map(({ label: name, of, dashes = "none", width = 1.3 }) => (
        <path
          key={name}
          d={pathOf(intervals, of, scale)}
          fill="none"
          stroke="currentColor"
          strokeWidth={size === "small" ? width * 0.7 : width}
          strokeDasharray={dashes}
        />
      ))}
    </svg>
  );
};

/** What each line stands for. */
export const LineKey = ({ lines }: { readonly lines: readonly PrintLine[] }) => (
  <p className="flex flex-wrap gap-x-5 text-sm">
    {lines.map(({ label, dashes = "none", width = 1.3 }) => (
      <span key={label} className="inline-flex items-center gap-1.5">
        <svg aria-hidden="true" width="34" height="8">
          <line x1="0" x2="34" y1="4" y2="4" stroke="currentColor" strokeWidth={width} strokeDasharray={dashes} />
        </svg>
        {label}
      </span>
    ))}
  </p>
);

interface Scale {
  readonly x: (ms: number) => number;
  readonly y: (kw: number) => number;
}

const scaleOf = (frame: Frame, intervals: readonly SiteInterval[], ticks: readonly number[]): Scale => {
  const [from, to] = [intervals[0]?.endMs ?? 0, intervals.at(-1)?.endMs ?? 1];
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const [across, down] = [frame.width - frame.left - 6, frame.height - frame.bottom - 8];
  return {
    x: (ms) => frame.left + (to === from ? across / 2 : ((ms - from) / (to - from)) * across),
    y: (kw) => 8 + ((high - kw) / (high - low)) * down,
  };
};

/** A line with gaps where nothing is known. */
const pathOf = (intervals: readonly SiteInterval[], of: Of, { x, y }: Scale): string => {
  let isOpen = false;
  const steps = intervals.map((each) => {
    const kw = of(each);
    if (kw === null) {
      isOpen = false;
      return "";
    }
    const step = `${isOpen ? "L" : "M"}${x(each.endMs).toFixed(1)} ${y(kw).toFixed(1)}`;
    // A single point would be invisible.
    const dot = isOpen ? "" : "h.1";
    isOpen = true;
    return step + dot;
  });
  return steps.join("");
};

const Axes = ({
  frame,
  ticks,
  intervals,
  scale: { x, y },
  timeZone,
}: {
  readonly frame: Frame;
  readonly ticks: readonly number[];
  readonly intervals: readonly SiteInterval[];
  readonly scale: Scale;
  readonly timeZone: string;
}) => {
  const isSmall = frame.width < 400;
  const shownTicks = isSmall ? [ticks[0] ?? 0, ticks.at(-1) ?? 0] : ticks;
  const times = timesOf(intervals, isSmall ? 2 : 5);
  const text = { fontSize: isSmall ? 9 : 11, fill: "currentColor" };
  return (
    <g>
      {shownTicks.map((kw) => (
        <g key={kw}>
          <line
            x1={frame.left}
            x2={frame.width - 6}
            y1={y(kw)}
            y2={y(kw)}
            stroke="currentColor"
            strokeWidth={kw === 0 ? 0.8 : 0.25}
          />
          <text {...text} x={frame.left - 5} y={y(kw) + 3.5} textAnchor="end">
            {plain(kw)}
          </text>
        </g>
      ))}
      {times.map(({ endMs }, index) => (
        <text
          {...text}
          key={endMs}
          x={x(endMs)}
          y={frame.height - 4}
          textAnchor={index === 0 ? "start" : index === times.length - 1 ? "end" : "middle"}
        >
          {clock(new Date(endMs), timeZone)}
        </text>
      ))}
    </g>
  );
};

/** Some intervals at equal distances, with the first and the last. */
const timesOf = (intervals: readonly SiteInterval[], count: number): SiteInterval[] => {
  const last = intervals.length - 1;
  const places = Array.from({ length: count }, (_, index) => Math.round((index / (count - 1)) * last));
  return [...new Set(places)].flatMap((place) => intervals[place] ?? []);
};
