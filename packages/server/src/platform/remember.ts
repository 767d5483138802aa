/** Adds an item to those that are remembered, as the latest; beyond `most`, the oldest is forgotten. */
export const remember = <T>(items: Set<T>, item: T, most: number): void => {
  items.delete(item);
  items.add(item);
  const [oldest] = items;
  if (items.size > most && oldest !== undefined) items.delete(oldest);
};
