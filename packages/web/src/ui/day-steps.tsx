import { say } from "@curtail/words/page";
import { useKeys } from "./use-keys.js";

/** A day with the way to the one before and after it, also by the keys `[` and `]`. */
export const DaySteps = ({
  label,
  onStep,
  hasNext,
}: {
  /** The day that is shown. */
  readonly label: string;
  readonly onStep: (by: -1 | 1) => void;
  /** false: the day after this one is in the future. */
  readonly hasNext: boolean;
}) => {
  useKeys(say("Period"), [
    { keys: "[", label: say("previous day"), run: () => onStep(-1) },
    { keys: "]", label: say("next day"), run: hasNext ? () => onStep(1) : undefined },
  ]);
  return (
    <div role="group" aria-label={say("Choose the day")} className="flex items-center gap-1">
      <Step sign="‹" label={say("Previous day")} shortcut="[" onClick={() => onStep(-1)} />
      <span aria-live="polite" className="min-w-32 text-center text-sm whitespace-nowrap">
        {label}
      </span>
      <Step sign="›" label={say("Next day")} shortcut="]" onClick={() => onStep(1)} disabled={!hasNext} />
    </div>
  );
};

const Step = ({
  sign,
  label,
  shortcut,
  ...rest
}: {
  readonly sign: string;
  readonly label: string;
  readonly shortcut: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
}) => (
  <button
    type="button"
    aria-label={label}
    aria-keyshortcuts={shortcut}
    title={`${label} (${shortcut})`}
    className="size-9 rounded-lg text-xl leading-none text-accent ring-1 ring-line ring-inset hover:bg-sunken disabled:cursor-not-allowed disabled:opacity-55"
    {...rest}
  >
    {sign}
  </button>
);
