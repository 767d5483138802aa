// Why there is no baseline, as `packages/measure` says it. No imports: browsers load this file, not the schemas.

export const baselineReasons = [
  { text: "a firm service level without a reference has no baseline: measure compliance with the level instead" },
  { text: "no chosen day has readings in the dispatch's period" },
  { text: "the method has no rule for a {type}; add one whose day_types name it" },
  { text: "{n} usable days in the preceding {lookback} days; the method needs {least}" },
  { text: "intervals of {seconds} s are too long for a mean over {mean} s; give finer load as recent" },
  { text: "{n} of {all} intervals in the {seconds} s before the start have readings; at least half are required" },
  {
    text: "{n} of {all} intervals in the {seconds} s before the notification have readings; at least half are required",
  },
] as const satisfies ReadonlyArray<{ readonly text: string }>;
