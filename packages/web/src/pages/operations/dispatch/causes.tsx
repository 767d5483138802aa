import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { wholeKw } from "../../../rules/dispatch-headline.js";
import type { CausePart } from "../../../rules/shortfall-causes.js";
import { sayParts } from "../../../ui/say-parts.js";

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
          <li key={part.cause}>{words[part.cause]({ n: part.count, power: `${wholeKw(part.kw)} kW`, b })}</li>
        ))}
      </ul>
    </div>
  );

const colours = { not_notified: "bg-gap-bad", no_readings: "bg-gap-warn", others: "bg-line-strong" } as const;

const b = (inside: ReactNode) => <b className="font-semibold">{inside}</b>;

interface Values {
  readonly n: number;
  readonly power: string;
  readonly b: typeof b;
}

const words: Readonly<Record<CausePart["cause"], (values: Values) => ReactNode>> = {
  not_notified: ({ ...values }) =>
    sayParts("<b>{power}</b> at {n, plural, one {# account} other {# accounts}} not notified", values),
  no_readings: ({ ...values }) =>
    sayParts("<b>{power}</b> at most at {n, plural, one {# site} other {# sites}} without readings", values),
  others: ({ ...values }) =>
    sayParts("<b>{power}</b> at {n, plural, one {# other account} other {# other accounts}}", values),
};
