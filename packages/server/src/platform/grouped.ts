/** The items by key, those of a key in their order. */
export const grouped = <T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, [T, ...T[]]> => {
  const groups = new Map<K, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [item]);
    else known.push(item);
  }
  return groups;
};
