/** How long after a click or a key a person is taken to look at the page. */
const ATTENTIVE_MS = 5 * 60_000;

export interface Attention {
  readonly isVisible: boolean;
  /** The latest click or key, or when the page was opened; null: none since the page was reloaded. */
  readonly lastInputMs: number | null;
}

/** Whether a person reads what the page shows. A tab that is left open or reloads itself is read by nobody. */
export const isRead = ({ isVisible, lastInputMs }: Attention, nowMs: number): boolean =>
  isVisible && lastInputMs !== null && nowMs - lastInputMs <= ATTENTIVE_MS;
