import { say } from "@curtail/words/page";
import { counted } from "../../../format/quantity.js";
import { wholeKw } from "../../../rules/dispatch-headline.js";
import type { CausePart } from "../../../rules/shortfall-causes.js";

/** What a dispatch lacks, by cause, as a bar whose parts add up to it. */
export const Causes = ({ parts }: { readonly parts: readonly CausePart[] }) =>
  parts.length > 0 && (
    <div role="group" aria-label={say("Shortfall by cause")} className="mb-3 text-sm">
      <div aria-hidden="true" className="mb-1 flex h-2.5 gap-0.5 overflow-hidden rounded-sm">
        {parts.map(({ cause, kw }) => (
          <i key={cause} className={colours[cause]} style={{ flexGrow: Math.max(kw, 0.001), flexBasis: 2 }} />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-6 gap-y-1">
        {parts.map((part) => (
          <li key={part.cause}>
            <b className="font-semibold">{wholeKw(part.kw)} kW</b> {words[part.cause](part)}
          </li>
        ))}
      </ul>
    </div>
  );

const colours = { not_notified: "bg-gap-bad", no_readings: "bg-gap-warn", others: "bg-line-strong" } as const;

const words: Readonly<Record<CausePart["cause"], (part: CausePart) => string>> = {
  not_notified: ({ count }) => `at ${counted(count, "account")} not notified`,
  no_readings: ({ count }) => `at most at ${counted(count, "site")} without readings`,
  others: ({ count }) => `at ${counted(count, say("other account"))}`,
};
