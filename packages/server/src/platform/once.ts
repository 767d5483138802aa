/** Reads when it is first asked; whoever asks later has the same answer. */
export const once = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let found: Promise<T> | null = null;
  return () => (found ??= read());
};
