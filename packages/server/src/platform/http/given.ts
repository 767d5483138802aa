type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The members of a change that are present in the request. */
export const given = <T extends Record<string, unknown>>(change: T): Given<T> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Given<T>;
