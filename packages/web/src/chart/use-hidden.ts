import { useMemo, useState } from "react";
import type { Curve } from "./curve.js";

/** Labels of the curves that are hidden, at first those that ask for it. */
export const useHidden = (curves: readonly Curve[]): readonly [ReadonlySet<string>, (label: string) => void] => {
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const labels = JSON.stringify(
    curves.filter(({ label, hidden }) => chosen[label] ?? hidden === true).map(({ label }) => label),
  );
  const hidden = useMemo(() => new Set(JSON.parse(labels) as string[]), [labels]);
  return [hidden, (label) => setChosen((before) => ({ ...before, [label]: !hidden.has(label) }))];
};
