import { type FocusEvent, useState } from "react";
import { type BoardRow, inOrder, worstFirst } from "../../../rules/board.js";
import { nextOrder, UNSORTED } from "../../../rules/settled-order.js";

/** Rows, worst first, that do not move while the focus or the pointer is among them. */
export const useRowOrder = (rows: readonly BoardRow[], now: Date) => {
  const [held, setHeld] = useState({ focus: false, pointer: false });
  const [settled, setSettled] = useState(UNSORTED);
  const sorted = worstFirst(rows).map(({ dispatch }) => dispatch.id);
  const isWhole = rows.every(({ shortKw }) => shortKw !== null);
  const hand = { isHeld: held.focus || held.pointer, nowMs: now.getTime() };
  const next = nextOrder(settled, { sorted, isWhole }, hand);
  if (next !== settled) setSettled(next);
  const on = {
    onFocus: () => setHeld((before) => ({ ...before, focus: true })),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
      setHeld((before) => ({ ...before, focus: relatedTarget !== null && currentTarget.contains(relatedTarget) })),
    onPointerEnter: () => setHeld((before) => ({ ...before, pointer: true })),
    onPointerLeave: () => setHeld((before) => ({ ...before, pointer: false })),
  };
  return { ordered: inOrder(rows, next.order), on };
};
