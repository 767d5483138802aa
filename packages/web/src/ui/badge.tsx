import type { ReactNode } from "react";

export type Tone = "neutral" | "good" | "warn" | "bad" | "info" | "accent";

const tones: Readonly<Record<Tone, string>> = {
  neutral: "bg-sunken text-muted",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  info: "bg-info-soft text-info",
  accent: "bg-accent-soft text-accent",
};

/** A state as a word; the colour only repeats it. */
export const Badge = ({ tone = "neutral", children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span
    className={`inline-flex items-center rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${tones[tone]}`}
  >
    {children}
  </span>
);
