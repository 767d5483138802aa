import { say } from "@curtail/words/page";
import { Button } from "../../../ui/button.js";

const MINUTE_MS = 60_000;
export const LONGER_MINUTES = [15, 30, 60] as const;

/** An end that is later; an open-ended dispatch is extended from now, or from its start if that is later. */
export const longer = (end: Date | null, start: Date | null, minutes: number): Date => {
  const fromMs = end?.getTime() ?? Math.max(Date.now(), start?.getTime() ?? 0);
  return new Date(fromMs + minutes * MINUTE_MS);
};

/** Extends a dispatch in progress that has an end. An open-ended one runs until somebody ends it. */
export const Extend = ({ end, onExtend }: { readonly end: string | null; readonly onExtend: (end: Date) => void }) =>
  end !== null && (
    <div className="flex gap-1" role="group" aria-label={say("Extend the dispatch")}>
      {LONGER_MINUTES.map((minutes) => (
        <Button key={minutes} onClick={() => onExtend(longer(new Date(end), null, minutes))} aria-haspopup="dialog">
          {`+${minutes} min`}
        </Button>
      ))}
    </div>
  );
