import { say } from "@curtail/words/page";
import { useEffect, useId, useRef, useState } from "react";
import { NUMBER_LOCALE } from "../format/locale.js";
import { type BarScale, barScale, labelEvery } from "./bar-scale.js";

export interface Bar {
  readonly key: string;
  /** Below the bar. */
  readonly label: string;
  /** Names the interval in full. */
  readonly name: string;
  /** null: there is none. */
  readonly value: number | null;
  /** Whether a missing value is a gap, and not to come. */
  readonly isGap: boolean;
  /** Beside it, of the period to compare with; undefined: there is none. */
  readonly other?: number | null;
  /** Readings are missing: the bar shows only what was received. */
  readonly isPartial: boolean;
  /** Something happened in it. */
  readonly isMarked: boolean;
  /** All that is known of it, in words. */
  readonly words: string;
}

export interface BarChartProps {
  /** Description for screen readers. */
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly unit: string;
  readonly heightPx?: number;
  /** What a click on a bar or Enter does, for example to open the day. */
  readonly onOpen?: (index: number) => void;
}

const AXIS_PX = { left: 52, bottom: 24, top: 18, right: 4 } as const;
/** Room of a label: its characters, and what is between two. */
const CHARACTER_PX = 6.5;
const BETWEEN_PX = 14;

/** Bars of intervals. The pointer, a tap or the arrow keys choose one, and its words are shown below. */
export const BarChart = ({ label, bars, unit, heightPx = 260, onOpen }: BarChartProps) => {
  const [chosen, setChosen] = useState<number | null>(null);
  const [box, widthPx] = useWidth();
  const shown = chosen === null ? null : (bars[chosen] ?? null);
  const moveTo = (index: number) => setChosen(Math.max(0, Math.min(bars.length - 1, index)));
  const keys: Readonly<Record<string, () => void>> = {
    ArrowRight: () => moveTo((chosen ?? -1) + 1),
    ArrowLeft: () => moveTo((chosen ?? bars.length) - 1),
    Home: () => moveTo(0),
    End: () => moveTo(bars.length - 1),
    Enter: () => chosen !== null && onOpen?.(chosen),
  };
  return (
    <div className="min-w-0">
      <div
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={bars.length}
        aria-valuenow={(chosen ?? 0) + 1}
        aria-valuetext={shown?.words ?? say("Choose an interval with the arrow keys.")}
        onKeyDown={(event) => {
          const act = keys[event.key];
          if (act === undefined) return;
          event.preventDefault();
          act();
        }}
        className="w-full"
      >
        {widthPx > 0 && (
          <Drawing {...{ bars, unit, heightPx, widthPx, chosen }} onChoose={setChosen} onOpen={onOpen ?? null} />
        )}
      </div>
      <p className="min-h-6 px-4 text-sm text-muted" aria-hidden="true">
        {shown?.words ?? (onOpen === undefined ? "" : say("Choose a bar to see its values, click it to open it."))}
      </p>
    </div>
  );
};

const useWidth = () => {
  const box = useRef<HTMLDivElement>(null);
  const [widthPx, setWidthPx] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidthPx(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, widthPx] as const;
};

interface Drawn {
  readonly bars: readonly Bar[];
  readonly unit: string;
  readonly heightPx: number;
  readonly widthPx: number;
  readonly chosen: number | null;
  readonly onChoose: (index: number | null) => void;
  readonly onOpen: ((index: number) => void) | null;
}

const Drawing = ({ bars, unit, heightPx, widthPx, chosen, onChoose, onOpen }: Drawn) => {
  const hatch = useId();
  const scale = barScale(bars.flatMap(({ value, other }) => [value, other ?? null]));
  const slotPx = (widthPx - AXIS_PX.left - AXIS_PX.right) / Math.max(1, bars.length);
  const yOf = (value: number) =>
    AXIS_PX.top + ((scale.max - value) / (scale.max - scale.min)) * (heightPx - AXIS_PX.top - AXIS_PX.bottom);
  const longest = Math.max(1, ...bars.map(({ label }) => label.length));
  const every = labelEvery(bars.length, widthPx - AXIS_PX.left, longest * CHARACTER_PX + BETWEEN_PX);
  return (
    <svg
      width={widthPx}
      height={heightPx}
      aria-hidden="true"
      className="block touch-pan-y"
      onPointerLeave={() => onChoose(null)}
    >
      <defs>
        <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="6" height="6" className="fill-surface" />
          <rect width="3" height="6" fill="var(--chart-1)" />
        </pattern>
      </defs>
      <Grid {...{ scale, yOf, widthPx, unit }} />
      {bars.map((bar, index) => {
        const x = AXIS_PX.left + index * slotPx;
        return (
          <g
            key={bar.key}
            data-bar={bar.key}
            onPointerEnter={() => onChoose(index)}
            onClick={() => (chosen === index && onOpen !== null ? onOpen(index) : onChoose(index))}
            className={onOpen === null ? "" : "cursor-pointer"}
          >
            <rect
              x={x}
              y={0}
              width={slotPx}
              height={heightPx}
              fill={index === chosen ? "var(--chart-grid)" : "transparent"}
            />
            <Columns {...{ bar, x, slotPx, yOf, hatch }} />
            {index % every === 0 && (
              <text x={x + slotPx / 2} y={heightPx - 7} textAnchor="middle" fontSize="11" className="fill-muted">
                {bar.label}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
};

const Grid = ({
  scale,
  yOf,
  widthPx,
  unit,
}: {
  readonly scale: BarScale;
  readonly yOf: (value: number) => number;
  readonly widthPx: number;
  readonly unit: string;
}) => (
  <>
    <text x={2} y={11} fontSize="11" className="fill-muted">
      {unit}
    </text>
    {scale.ticks.map((tick) => (
      <g key={tick}>
        <line
          x1={AXIS_PX.left}
          x2={widthPx - AXIS_PX.right}
          y1={yOf(tick)}
          y2={yOf(tick)}
          stroke={tick === 0 ? "var(--line-strong)" : "var(--chart-grid)"}
        />
        <text x={AXIS_PX.left - 6} y={yOf(tick) + 4} textAnchor="end" fontSize="11" className="fill-muted">
          {tickText(tick, scale)}
        </text>
      </g>
    ))}
  </>
);

const compact = new Intl.NumberFormat(NUMBER_LOCALE, { notation: "compact", maximumFractionDigits: 1 });
/** Steps of prices are small; two digits tell 0.25 from 0.5. */
const fine = new Intl.NumberFormat(NUMBER_LOCALE, { maximumSignificantDigits: 2 });

const tickText = (tick: number, { min, max }: BarScale): string => (max - min < 5 ? fine : compact).format(tick);

interface Column {
  readonly bar: Bar;
  readonly x: number;
  readonly slotPx: number;
  readonly yOf: (value: number) => number;
  /** Id of the pattern of partial values. */
  readonly hatch: string;
}

/** The bar, the one to compare it with, and a mark above. */
const Columns = ({ bar, x, slotPx, yOf, hatch }: Column) => {
  const isDouble = bar.other !== undefined;
  const gapPx = Math.min(6, slotPx * 0.15);
  const wide = slotPx - gapPx;
  const own = isDouble ? wide * 0.58 : wide;
  const left = x + gapPx / 2;
  return (
    <>
      {typeof bar.other === "number" && (
        <Rect x={left + own} width={wide - own} from={yOf(0)} to={yOf(bar.other)} fill="var(--line-strong)" />
      )}
      {bar.value === null && bar.isGap && (
        <rect
          x={left}
          y={yOf(0) - 5}
          width={own}
          height={5}
          fill="none"
          stroke="var(--line-strong)"
          strokeDasharray="2 2"
        />
      )}
      {bar.value !== null && (
        <Rect
          x={left}
          width={own}
          from={yOf(0)}
          to={yOf(bar.value)}
          fill={bar.isPartial ? `url(#${hatch})` : "var(--chart-1)"}
          isOutlined={bar.isPartial}
        />
      )}
      {bar.isMarked && (
        <path
          d="M-5,-4 L5,-4 L0,4 Z"
          transform={`translate(${x + slotPx / 2} ${Math.max(6, yOf(Math.max(0, bar.value ?? 0, bar.other ?? 0)) - 8)})`}
          fill="var(--chart-3)"
        />
      )}
    </>
  );
};

const Rect = ({
  x,
  width,
  from,
  to,
  fill,
  isOutlined = false,
}: {
  readonly x: number;
  readonly width: number;
  readonly from: number;
  readonly to: number;
  readonly fill: string;
  readonly isOutlined?: boolean;
}) => (
  <rect
    x={x}
    width={Math.max(1, width)}
    y={Math.min(from, to)}
    height={Math.max(1, Math.abs(from - to))}
    fill={fill}
    {...(isOutlined ? { stroke: "var(--chart-1)" } : {})}
    rx={Math.min(2, width / 4)}
  />
);
