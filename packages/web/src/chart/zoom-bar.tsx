import { say } from "@curtail/words/page";
import { period } from "../format/time.js";
import { Button } from "../ui/button.js";
import { moved, scaled, type TimeRange } from "./zoom.js";

/** The visible range, with buttons that do by keyboard what dragging does. */
export const ZoomBar = ({
  shown,
  whole,
  timeZone,
  canReset,
  onZoom,
}: {
  /** null: all of it. */
  readonly shown: TimeRange | null;
  readonly whole: TimeRange;
  readonly timeZone: string;
  /** Whether a part is shown. */
  readonly canReset: boolean;
  readonly onZoom: (range: TimeRange | null) => void;
}) => {
  const range = shown ?? whole;
  const button = (sign: string, label: string, to: TimeRange | null) => (
    <Button look="quiet" aria-label={label} title={label} onClick={() => onZoom(to)}>
      {sign}
    </Button>
  );
  return (
    <div role="group" aria-label={say("Zoom")} className="flex flex-wrap items-center justify-end gap-x-1 px-3 pt-1">
      {shown !== null && (
        <>
          <span className="mr-auto pl-1 text-sm text-muted">
            {say("{period} shown", {
              period: period(new Date(shown.min * 1000), new Date(shown.max * 1000), timeZone),
            })}
          </span>
          {button("←", say("Earlier"), moved(range, -0.5))}
          {button("→", say("Later"), moved(range, 0.5))}
          {button("−", say("Zoom out"), scaled(range, 2))}
        </>
      )}
      {button(shown === null ? say("Zoom in") : "+", say("Zoom in"), scaled(range, 0.5))}
      {canReset && button(say("Reset zoom"), say("Reset zoom"), null)}
    </div>
  );
};
