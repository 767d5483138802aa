import { useEffect, useRef } from "react";

/** Throttles an action on changes of a value; the last change is never lost. */
export const useAtMostEvery = (ms: number, value: unknown, run: () => void): void => {
  const last = useRef({ value, at: 0 });
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (last.current.value === value) return;
    const timer = setTimeout(
      () => {
        last.current = { value, at: Date.now() };
        latest.current();
      },
      Math.max(0, last.current.at + ms - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [value, ms]);
};
