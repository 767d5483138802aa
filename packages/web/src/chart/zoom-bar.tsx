import { clock, dayAndClock } from "../format/time.js";
import { Button } from "../ui/button.js";
import { moved, scaled, type TimeRange } from "./zoom.js";

/** What part of the chart is shown, and buttons that do by keyboard what dragging does. */
export const ZoomBar = ({
  shown,
  whole,
  timeZone,
  onZoom,
}: {
  /** null: the whole. */
  readonly shown: TimeRange | null;
  readonly whole: TimeRange;
  readonly timeZone: string;
  readonly onZoom: (range: TimeRange | null) => void;
}) => {
  const range = shown ?? whole;
  const button = (label: string, to: TimeRange | null) => (
    <Button look="quiet" onClick={() => onZoom(to)}>
      {label}
    </Button>
  );
  return (
    <div role="group" aria-label="Zoom" className="flex flex-wrap items-center justify-end gap-x-1 px-3 pt-1">
      {shown !== null && (
        <>
          <span className="mr-auto pl-1 text-sm text-muted">{wordsOf(shown, timeZone)} shown</span>
          {button("Earlier", moved(range, -0.5))}
          {button("Later", moved(range, 0.5))}
          {button("Zoom out", scaled(range, 2))}
        </>
      )}
      {button("Zoom in", scaled(range, 0.5))}
      {shown !== null && button("Reset zoom", null)}
    </div>
  );
};

const wordsOf = ({ min, max }: TimeRange, timeZone: string): string => {
  const [from, to] = [new Date(min * 1000), new Date(max * 1000)];
  const [start, end] = [dayAndClock(from, timeZone), dayAndClock(to, timeZone)];
  return `${start} – ${start.split(",")[0] === end.split(",")[0] ? clock(to, timeZone) : end}`;
};
