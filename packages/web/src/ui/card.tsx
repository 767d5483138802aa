import type { ReactNode } from "react";
import { useTitle } from "./use-title.js";

/** A section of a page with a heading and actions. */
export const Card = ({
  title,
  actions,
  children,
  flush = false,
}: {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** No padding, for tables and charts. */
  readonly flush?: boolean;
}) => (
  <section className="min-w-0 overflow-clip rounded-xl bg-surface ring-1 ring-line">
    {(title !== undefined || actions !== undefined) && (
      <header className="flex flex-wrap items-center justify-between gap-2 px-4 pt-3 pb-2">
        <h2 className="text-base font-semibold">{title}</h2>
        <div className="flex flex-wrap items-center gap-2">{actions}</div>
      </header>
    )}
    <div className={flush ? "" : "px-4 pt-1 pb-4"}>{children}</div>
  </section>
);

/** The head of a page: its only h1, and the title of the tab. */
export const PageHead = ({
  title,
  tab,
  lead,
  actions,
}: {
  readonly title: ReactNode;
  /** Title of the browser tab. Default: `title`. */
  readonly tab?: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
}) => {
  useTitle(tab ?? (typeof title === "string" ? title : null));
  return (
    // As high as what the frame shows in its corner, and one row of buttons.
    <header className="mb-3 flex flex-wrap items-end justify-between gap-x-4 gap-y-2 md:min-h-14">
      <div className="min-w-0 md:max-w-[calc(100%-6rem)]">
        <h1 className="text-xl font-semibold text-balance break-words sm:text-2xl">{title}</h1>
        {lead !== undefined && <div className="mt-0.5 text-muted">{lead}</div>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  );
};

/** Cards below each other. */
export const Stack = ({ children }: { readonly children: ReactNode }) => <div className="grid gap-4">{children}</div>;

/** A key figure with its label. */
export const Figure = ({
  label,
  value,
  hint,
  tone = "ink",
}: {
  readonly label: string;
  readonly value: ReactNode;
  readonly hint?: ReactNode;
  readonly tone?: "ink" | "good" | "warn" | "bad";
}) => (
  <div className="min-w-0 rounded-xl bg-surface px-4 py-3 ring-1 ring-line">
    <div className="text-sm text-muted">{label}</div>
    <div className={`mt-0.5 text-2xl font-semibold wall:text-4xl ${tones[tone]}`}>{value}</div>
    {hint !== undefined && <div className="text-sm text-muted">{hint}</div>}
  </div>
);

const tones = { ink: "text-ink", good: "text-good", warn: "text-warn", bad: "text-bad" } as const;

export const Figures = ({ children }: { readonly children: ReactNode }) => (
  <div className="grid grid-cols-[repeat(auto-fit,minmax(10rem,1fr))] gap-3">{children}</div>
);

/** Names and values of one thing. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] gap-x-4 gap-y-1.5">
    {facts.map(([name, value]) => (
      <div key={name} className="contents">
        <dt className="text-muted">{name}</dt>
        <dd className="min-w-0 break-words">{value}</dd>
      </div>
    ))}
  </dl>
);
