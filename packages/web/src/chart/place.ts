interface Size {
  readonly width: number;
  readonly height: number;
}

const APART_PX = 14;
const EDGE_PX = 4;

/** Where a box is next to the cursor: to its right, else to its left, and never outside of the room. */
export const beside = (
  cursor: { readonly left: number; readonly top: number },
  box: Size,
  room: Size,
): { readonly left: number; readonly top: number } => {
  const right = cursor.left + APART_PX;
  const left = right + box.width + EDGE_PX <= room.width ? right : cursor.left - APART_PX - box.width;
  const within = (at: number, most: number) => Math.max(EDGE_PX, Math.min(at, most));
  return {
    left: within(left, room.width - box.width - EDGE_PX),
    top: within(cursor.top - box.height / 2, room.height - box.height - EDGE_PX),
  };
};
