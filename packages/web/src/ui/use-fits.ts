import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** Whether what an element has in it is no wider than the element. */
export const useFits = (): { readonly ref: RefObject<HTMLDivElement | null>; readonly fits: boolean } => {
  const ref = useRef<HTMLDivElement>(null);
  const [fits, setFits] = useState(true);
  useLayoutEffect(() => {
    const { current } = ref;
    if (current === null) return;
    const observer = new ResizeObserver(() => setFits(current.scrollWidth <= current.clientWidth));
    for (const each of [current, ...current.children]) observer.observe(each);
    return () => observer.disconnect();
  }, []);
  return { ref, fits };
};
