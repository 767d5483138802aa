const tones = { ink: "text-ink", good: "text-good", warn: "text-warn", bad: "text-bad" } as const;

/** A figure that is read from across a room. */
export const WallFigure = ({
  label,
  value,
  hint,
  tone = "ink",
}: {
  readonly label: string;
  readonly value: string;
  /** What the value covers. */
  readonly hint?: string;
  readonly tone?: keyof typeof tones;
}) => (
  <div className="min-w-0 rounded-2xl bg-surface px-6 py-5 ring-1 ring-line wall:px-10 wall:py-8">
    <div className="text-lg text-muted wall:text-3xl">{label}</div>
    <div className={`text-5xl font-semibold tracking-tight wall:text-8xl ${tones[tone]}`}>{value}</div>
    {hint !== undefined && <div className="text-lg text-muted wall:text-3xl">{hint}</div>}
  </div>
);
