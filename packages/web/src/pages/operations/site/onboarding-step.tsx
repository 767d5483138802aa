import { say } from "@curtail/words/page";
import { dayAndClock } from "../../../format/time.js";

export const stepWords = {
  data_streaming: say("Data streaming"),
  display_enabled: say("Data visible"),
  dispatch_verified: say("Dispatch verified"),
} as const;

/** One step of a checklist; the sign has a text for screen readers. */
export const Step = ({
  name,
  done,
  at,
  detail,
  timeZone,
}: {
  readonly name: string;
  readonly done: boolean;
  readonly at: string | null;
  readonly detail: string;
  readonly timeZone: string;
}) => (
  <li className="flex gap-3">
    <Mark done={done} />
    <div className="min-w-0">
      <div className="font-medium">
        {name}
        {at !== null && <span className="font-normal text-muted"> – {dayAndClock(at, timeZone)}</span>}
      </div>
      <div className="text-muted">{detail}</div>
    </div>
  </li>
);

export const Mark = ({ done }: { readonly done: boolean }) => (
  <span
    role="img"
    aria-label={done ? say("done", {}, "step") : say("open", {}, "step")}
    className={`mt-0.5 inline-grid size-5 shrink-0 place-items-center rounded-full text-xs font-bold ${done ? "bg-good-soft text-good" : "bg-sunken text-muted ring-1 ring-line-strong ring-inset"}`}
  >
    {done ? "✓" : ""}
  </span>
);
