/** Adds an item to those that are remembered, as the latest; beyond `most`, the oldest is forgotten. */
export const remember = <T>(items: Set<T>, item: T, most: number): void => {
  items.delete(item);
  items.add(item);
  // Asked only then: to find its first, a set passes over all that was deleted before.
  if (items.size <= most) return;
  const [oldest] = items;
  if (oldest !== undefined) items.delete(oldest);
};
