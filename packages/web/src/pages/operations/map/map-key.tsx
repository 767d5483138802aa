import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import type { ReactNode } from "react";

/** Whose the outline is (`map/outline.ts`). */
const OUTLINE_SOURCE = "Natural Earth, U.S. Census Bureau";

/** What the signs of the map mean, and whose the ground is. */
export const MapKey = ({
  isChosen,
  tiles,
}: {
  readonly isChosen: boolean;
  readonly tiles: operator.MapTiles | null;
}) => (
  <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-[13px] text-muted">
    <Entry sign="size-3.5 border-2 border-bad bg-gap-bad" words={say("Short, account not notified")} />
    <Entry
      sign="size-3.5 rounded-full border-2 border-warn bg-gap-warn"
      words={say("Short: the larger, the more kW")}
    />
    {isChosen ? (
      <>
        <Entry sign="size-3 rounded-full bg-ink" words={say("Dispatched", {}, "sites")} />
        <Entry sign="size-2 rounded-full border border-line-strong bg-surface" words={say("Not in this dispatch")} />
      </>
    ) : (
      <Entry sign="size-2.5 rounded-full bg-muted" words={say("Site")} />
    )}
    <Entry
      sign="grid h-4 min-w-4 place-items-center rounded-full border border-line-strong bg-surface px-1 text-[10px] text-ink"
      words={say("Several sites: press to see them")}
    >
      9
    </Entry>
    <span className="ml-auto">{tiles === null ? OUTLINE_SOURCE : tiles.attribution}</span>
  </div>
);

const Entry = ({
  sign,
  words,
  children,
}: {
  readonly sign: string;
  readonly words: string;
  readonly children?: ReactNode;
}) => (
  <span className="inline-flex items-center gap-1.5">
    <span aria-hidden="true" className={`inline-block shrink-0 ${sign}`}>
      {children}
    </span>
    {words}
  </span>
);
