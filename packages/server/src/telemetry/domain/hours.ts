/** Hours `from` to `to`, inclusive, counted from 1970. */
export interface Hours {
  readonly from: number;
  readonly to: number;
}

export const isIn = (hour: number, { from, to }: Hours): boolean => hour >= from && hour <= to;
