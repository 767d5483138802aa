/** Asks when it is first called; whoever calls later has the same answer. */
export const once = <T>(ask: () => T): (() => T) => {
  let found: { readonly answer: T } | null = null;
  return () => (found ??= { answer: ask() }).answer;
};
