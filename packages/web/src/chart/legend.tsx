import { say } from "@curtail/words/page";
import type { CurveColour } from "./colours.js";
import type { Curve } from "./curve.js";

/** Names of the curves; a click hides or shows one. */
export const Legend = ({
  curves,
  hidden,
  onToggle,
}: {
  readonly curves: readonly Curve[];
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (label: string) => void;
}) => (
  <ul aria-label={say("Curves")} className="flex flex-wrap gap-x-1 px-3 pb-1">
    {curves.map(({ label, colour, dashed = false }) => (
      <li key={label} className="min-w-0">
        <button
          type="button"
          aria-pressed={!hidden.has(label)}
          onClick={() => onToggle(label)}
          className={`flex min-h-8 max-w-full items-center gap-1.5 rounded-md px-2 text-sm hover:bg-sunken ${hidden.has(label) ? "text-muted line-through" : ""}`}
        >
          <Swatch colour={colour} dashed={dashed} />
          <span className="truncate">{label}</span>
        </button>
      </li>
    ))}
  </ul>
);

/** The line of a curve as it is drawn. */
export const Swatch = ({ colour, dashed }: { readonly colour: CurveColour; readonly dashed: boolean }) => (
  <span
    aria-hidden="true"
    className="w-4 shrink-0 border-t-[3px]"
    style={{ borderColor: `var(--${colour})`, borderTopStyle: dashed ? "dashed" : "solid" }}
  />
);
