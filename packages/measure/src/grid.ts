/**
 * The telemetry grid. Cell `k` covers (30(k−1), 30k] seconds of Unix time and is labelled by its end.
 * A cell without data holds NaN: a gap is never interpolated and never zero.
 */
export const CELL_SECONDS = 30;
export const CELLS_PER_HOUR = 120;

/**
 * The last cell that a reading fills; `endMs` is Unix time in milliseconds. A reading fills exactly the cells whose midpoints
 * it covers:
 *
 *     seconds  0         30        60        90        120
 *              |----.----|----.----|----.----|----.----|     . midpoint
 *     cell          1         2         3         4
 *     reading         |-------------------|                  60 s that end at 80: cells 2 and 3
 */
export const lastCellOf = (endMs: number): number => Math.floor((endMs / 1000 + CELL_SECONDS / 2) / CELL_SECONDS);

/** Number of cells that an interval fills; `intervalSeconds` is a multiple of 30. */
export const cellCountOf = (intervalSeconds: number): number => intervalSeconds / CELL_SECONDS;

/** Label of a cell: its end, in Unix milliseconds. */
export const cellEndMs = (cell: number): number => cell * CELL_SECONDS * 1000;

/** Hour that a cell belongs to: hour `h` holds the cells 120h+1 … 120h+120. */
export const hourOf = (cell: number): number => Math.floor((cell - 1) / CELLS_PER_HOUR);

/** Index of a cell in its hour, from 0. */
export const placeInHour = (cell: number): number => cell - 1 - hourOf(cell) * CELLS_PER_HOUR;

export const firstCellOfHour = (hour: number): number => hour * CELLS_PER_HOUR + 1;
