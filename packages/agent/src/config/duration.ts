const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds of "30s", "5m", "1h" or "1h30m"; null if the text is no duration. */
export const parseDuration = (text: string): number | null => {
  if (!/^(\d{1,6}h)?(\d{1,6}m)?(\d{1,6}s)?$/.test(text) || text === "") return null;
  return [...text.matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS],
    0,
  );
};

/** The reverse of `parseDuration`: "1h30m". */
export const formatDuration = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  const parts = [
    [Math.floor(seconds / 3600), "h"],
    [Math.floor(seconds / 60) % 60, "m"],
    [seconds % 60, "s"],
  ] as const;
  return (
    parts
      .filter(([count]) => count > 0)
      .map(([count, unit]) => `${count}${unit}`)
      .join("") || "0s"
  );
};
