/** Asks when it is first called; later calls get the same answer. */
export const once = <T>(ask: () => T): (() => T) => {
  let found: { readonly answer: T } | null = null;
  return () => (found ??= { answer: ask() }).answer;
};

/** The same for what may fail: it is then asked again by the next call. */
export const onceDone = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
  let found: Promise<T> | undefined;
  return () =>
    (found ??= ask().catch((error: unknown) => {
      found = undefined;
      throw error;
    }));
};

/** Computes something once for each object, which does not change. */
export const onceFor = <O extends object, T>(compute: (object: O) => T): ((object: O) => T) => {
  const found = new WeakMap<O, { readonly answer: T }>();
  return (object) => {
    const known = found.get(object);
    if (known !== undefined) return known.answer;
    const answer = compute(object);
    found.set(object, { answer });
    return answer;
  };
};
